"""`pytest tests/gate --cases DIR`: every JSON file of a folder is a test (FORMAT of the case files)."""

from pathlib import Path

import pytest

OWN = Path(__file__).parent / "cases"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "gate_case" in metafunc.fixturenames:
        folder = Path(metafunc.config.getoption("--cases") or OWN)
        files = sorted(folder.glob("*.json"))
        if not files:
            raise pytest.UsageError(f"no case files (*.json) in {folder}")
        metafunc.parametrize("gate_case", files, ids=[f.stem for f in files])
