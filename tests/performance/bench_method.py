"""Time of the method's steps by size, beside what somebody would take instead; `make bench` runs and tabulates them.

Not collected by `make test`: the name does not begin with "test". Each benchmark notes how many results it worked on and
of which group it is, so that scripts/bench.py can fit exponents and form ratios within this one run.
"""

import os

import numpy as np
import pytest
from panels_made_up import panel

from siiq_core.method.calibration.fit import fit, weights
from siiq_core.method.calibration.identification import null_directions
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.scoring import score
from siiq_core.params.loader import project_root
from siiq_core.params.method import load_method
from siiq_core.runs import prepare

LARGEST = int(float(os.environ.get("SIIQ_BENCH_LARGEST", "1e7")))
SIZES = [size for size in (10**3, 10**4, 10**5, 10**6, 10**7) if size <= LARGEST]
SMALL = [size for size in SIZES if size <= 10**5]
ROUNDS = 4  # of a fit, over which one round's time is a mean
PARAMS = load_method(project_root())


def of(size):
    """Fifty results a model; as many benchmarks as a model could have, up to a thousand."""
    return panel(size, max(20, size // 50), min(1000, max(10, size // 100)))


@pytest.fixture(scope="module", params=SIZES, ids=lambda x: f"{x:.0e}")
def sized(request):
    one = of(request.param)
    return one, weights(one, PARAMS).share


@pytest.fixture(scope="module", params=SMALL, ids=lambda x: f"{x:.0e}")
def small(request):
    one = of(request.param)
    return one, weights(one, PARAMS).share


def timed(benchmark, group, results, call, per=1, rounds=3):
    """`call`, of which `per` units of work are wanted."""
    benchmark.group = group
    benchmark.extra_info.update(results=results, per=per)
    return benchmark.pedantic(call, rounds=rounds if results < 10**7 else 1, warmup_rounds=1 if results < 10**6 else 0)


def test_one_pass_over_the_data(benchmark, sized):
    """Every column read once: no method can be faster."""
    one, share = sized
    timed(benchmark, "one pass", len(one.m), lambda: [float(x.sum()) for x in (one.m, one.b, one.y, one.v, share)])


def test_a_round_of_the_fit(benchmark, sized):
    """C3a–C3c."""
    one, share = sized
    params = PARAMS.model_copy(update={"max_rounds": ROUNDS})
    timed(benchmark, "round", len(one.m), lambda: fit(one, share, params), per=ROUNDS)


def test_the_rank_check(benchmark, sized):
    """C5."""
    one, share = sized
    found = fit(one, share, PARAMS.model_copy(update={"max_rounds": ROUNDS}))
    timed(benchmark, "rank check", len(one.m), lambda: null_directions(one, found, PARAMS.null_tolerance), rounds=1)


def test_the_fit_to_the_end(benchmark, small):
    """C2, C3 to the sigmoid fit's stopping accuracy."""
    one, share = small
    found = timed(benchmark, "whole fit", len(one.m), lambda: fit(one, share, PARAMS.model_copy(update={"convergence_tolerance": 1e-8})))
    assert found.converged


def test_the_sigmoid_fit(benchmark, small):
    """What Epoch's index does: two-parameter sigmoids by non-linear least squares, analytic sparse Jacobian."""
    from siiq_core.workbench.prediction.sigmoid import Curves, solve

    one, _ = small
    curves = Curves(one.m, one.b, one.s, len(one.models), len(one.benchmarks), 0.1)
    timed(benchmark, "sigmoid fit", len(one.m), lambda: solve(curves, 1e-8), rounds=1)


def test_a_plain_loop(benchmark, small):
    """One round as a loop over results, as it would be written without arrays."""
    one, share = small
    m, b, y, v, w = (x.tolist() for x in (one.m, one.b, one.y, one.v, share))
    benches, models = len(one.benchmarks), len(one.models)
    theta = np.linspace(-1, 1, models).tolist()

    def loop():
        sums = [[0.0] * 5 for _ in range(benches)]
        for k, mm, yy, vv in zip(b, m, y, v):
            u, x, row = 1.0 / (0.25 + vv), theta[mm], sums[k]
            row[0] += u
            row[1] += u * x
            row[2] += u * yy
            row[3] += u * x * yy
            row[4] += u * x * x
        alpha = [(r[3] - r[1] * r[2] / r[0]) / max(r[4] - r[1] * r[1] / r[0], 1e-9) for r in sums]
        beta = [r[2] / r[0] - a * r[1] / r[0] for r, a in zip(sums, alpha)]
        up, down = [0.0] * models, [0.1] * models
        for k, mm, yy, vv, ww in zip(b, m, y, v, w):
            u = ww / (0.25 + vv) * alpha[k]
            up[mm] += u * (yy - beta[k])
            down[mm] += u * alpha[k]
        return [a / c for a, c in zip(up, down)]

    timed(benchmark, "plain loop", len(one.m), loop, rounds=1)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    from siiq_core import pipeline
    from siiq_core.workbench.desk import open_desk, rerun

    run = prepare({}, str(tmp_path_factory.mktemp("shipped")))
    for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
        stage(run).save()
    desk = open_desk(run)
    return run, desk, rerun(desk)


def test_shipped_calibration(benchmark, shipped):
    _, desk, _ = shipped
    timed(benchmark, "shipped: calibrate without κ", len(desk.results), lambda: calibrate(desk.cells, desk.benchmarks, desk.reference, desk.params.model_copy(update={"kappa": False})), rounds=10)


def test_shipped_calibration_with_kappa(benchmark, shipped):
    _, desk, _ = shipped
    timed(benchmark, "shipped: calibrate with κ", len(desk.results), lambda: calibrate(desk.cells, desk.benchmarks, desk.reference, desk.params), rounds=10)


def test_shipped_scores(benchmark, shipped):
    from siiq_core.workbench.desk import scored

    _, desk, found = shipped
    timed(benchmark, "shipped: score all", len(desk.results), lambda: scored(desk, found.calibration), rounds=10)


def test_one_new_model(benchmark, shipped):
    _, desk, found = shipped
    own = {r.benchmark: r.score for r in desk.results if r.model == "gpt-5"}
    timed(benchmark, "shipped: score one model", len(own), lambda: score(own, desk.benchmarks, found.calibration, desk.params), rounds=200)


def test_shipped_verify(benchmark, shipped):
    import json

    from siiq_core.runs import inputs_of
    from siiq_core.verify import verify

    run, _, _ = shipped
    index = json.loads((run.folder / "index.json").read_text(encoding="utf-8"))
    timed(benchmark, "shipped: verify", sum(len(m["results"]) for m in index["models"]), lambda: verify(index, inputs_of(run)), rounds=3)


@pytest.mark.parametrize("name", ["fetch", "calibrate", "score"])
def test_shipped_stages(benchmark, shipped, name):
    from siiq_core import pipeline

    run, desk, _ = shipped
    timed(benchmark, f"shipped: stage {name}", len(desk.results), lambda: getattr(pipeline, name)(run), rounds=1)
