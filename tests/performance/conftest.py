"""The shipped data through its stages, once."""

import pytest


@pytest.fixture(scope="session")
def shipped(tmp_path_factory):
    """(run, desk, the method's outcome on it, the panel it was calibrated on)."""
    from siiq_core import pipeline
    from siiq_core.method.calibration.run import trace
    from siiq_core.runs import prepare
    from siiq_core.workbench.desk import open_desk, rerun

    run = prepare({}, str(tmp_path_factory.mktemp("shipped")))
    for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
        stage(run).save()
    desk = open_desk(run)
    return run, desk, rerun(desk), trace(desk.cells, desk.benchmarks, desk.reference, desk.params).panel
