"""One run of the shipped data per test process, and copies of the project to spoil."""

import shutil
from pathlib import Path

import pytest

from siiq_core import pipeline


@pytest.fixture(scope="session")
def shipped(root, tmp_path_factory) -> pipeline.Run:
    """The shipped data through all stages, into a folder of its own."""
    run = pipeline.prepare({}, str(tmp_path_factory.mktemp("shipped")), root)
    for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
        stage(run).save()
    return run


@pytest.fixture
def project(root, tmp_path) -> Path:
    """A copy of what a run reads: params, observations, notebooks."""
    copy = tmp_path / "prüf ling"
    for name in ("params", "data", "notebooks"):
        shutil.copytree(root / name, copy / name)
    return copy
