"""What all tests share: the case-folder option, the folder of real source files where it is there, one run of the
shipped data per test process, and copies of the project to spoil."""

import os
import shutil
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


@pytest.fixture(scope="session")
def shipped(root, tmp_path_factory) -> "Run":  # noqa: F821
    """The shipped data through all stages, into a folder of its own."""
    from siiq_core import pipeline

    run = pipeline.prepare({}, str(tmp_path_factory.mktemp("shipped")), root)
    for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
        stage(run).save()
    return run


@pytest.fixture
def project(root, tmp_path) -> Path:
    """A copy of what a run reads: params, observations, notebooks."""
    copy = tmp_path / "prüf ling"
    for name in ("params", "data", "notebooks"):
        shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("live", "snapshots"))  # an operator's own
    return copy
