"""`pytest tests/golden --cases DIR`, `pytest tests/gate --cases DIR`: every JSON file of a folder is a test (FORMAT of the case files)."""

from pathlib import Path

import pytest


def parametrize(metafunc: pytest.Metafunc, name: str, own: Path) -> None:
    """One test per case file, where a test asks for `name`; `own` is the project's folder."""
    if name in metafunc.fixturenames:
        folder = Path(metafunc.config.getoption("--cases") or own)
        files = sorted(folder.glob("*.json"))
        if not files:
            raise pytest.UsageError(f"no case files (*.json) in {folder}")
        metafunc.parametrize(name, files, ids=[f.stem for f in files])
