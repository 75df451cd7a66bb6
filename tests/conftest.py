"""What all tests share: the case-folder option, and the folder of real source files where it is there."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# Property tests try the same examples on every machine, however slow it is.
settings.register_profile("same-everywhere", deadline=None, derandomize=True)
settings.load_profile("same-everywhere")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cases", metavar="DIR", default=None, help="folder of case files (default: the project's own)")


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared_sources() -> Path:
    """The real source files; tests that need them skip where a clone has none beside it."""
    folder = Path(os.environ.get("SIIQ_SHARED", ROOT.parent / "shared")) / "sources"
    if not folder.is_dir():
        pytest.skip(f"no real source files at {folder} (set SIIQ_SHARED to the folder that holds sources/)")
    return folder
