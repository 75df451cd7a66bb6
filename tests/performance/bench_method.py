"""Time of the method's steps by size, beside what somebody would take instead; `make bench` runs and tabulates them.

Not collected by `make test`: the name does not begin with "test". Each benchmark notes how many results it worked on and
of which group it is (siiq_core/publish/performance/record.py has all of them), so that exponents and ratios are of this one run.
"""

import os

import numpy as np
import pytest
from measuring import timed
from panels_made_up import of_size

from siiq_core.method.calibration.fit import fit, weights
from siiq_core.method.calibration.identification import null_directions
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.numbers import sig12
from siiq_core.method.scoring import score
from siiq_core.params.loader import project_root
from siiq_core.params.method import load_method
from siiq_core.params.performance import load_performance
from siiq_core.params.prediction import load_prediction
from siiq_core.records import Calibration
from siiq_core.workbench.prediction.sigmoid import Curves

LARGEST = int(float(os.environ.get("SIIQ_BENCH_LARGEST", "1e7")))
SIZES = [size for size in (10**3, 10**4, 10**5, 10**6, 10**7) if size <= LARGEST]
SMALL = [size for size in SIZES if size <= 10**5]
ROUNDS = 4  # of a fit, over which one round's time is a mean
PARAMS, LIMITS = load_method(project_root()), load_performance(project_root())
RIDGE = load_prediction(project_root()).sigmoid_ridge
DRAWS = LIMITS.draws if LARGEST > 10**3 else 2  # the smallest size is for looking whether all of it runs


@pytest.fixture(scope="module", params=SIZES, ids=lambda x: f"{x:.0e}")
def sized(request):
    one = of_size(request.param)
    return one, weights(one, PARAMS).share


@pytest.fixture(scope="module", params=SMALL, ids=lambda x: f"{x:.0e}")
def small(request):
    one = of_size(request.param)
    return one, weights(one, PARAMS).share




def test_one_pass_over_the_data(benchmark, sized):
    """Every column read once: no method can be faster."""
    one, share = sized
    timed(benchmark, "one-pass", len(one.m), lambda: [float(x.sum()) for x in (one.m, one.b, one.y, one.v, share)])


def test_a_round_of_the_fit(benchmark, sized):
    """C3a–C3c."""
    one, share = sized
    params = PARAMS.model_copy(update={"max_rounds": ROUNDS})
    timed(benchmark, "round", len(one.m), lambda: fit(one, share, params), per=ROUNDS)


def test_the_rank_check(benchmark, sized):
    """C5."""
    one, share = sized
    found = fit(one, share, PARAMS.model_copy(update={"max_rounds": ROUNDS}))
    timed(benchmark, "rank-check", len(one.m), lambda: null_directions(one, found, PARAMS.null_tolerance), rounds=1, warm=len(one.m) < 10**5)


def test_the_fit_to_the_end(benchmark, small):
    """C2, C3 until no ability moves by more than the stated part of the reference group's SD."""
    one, share = small
    found = timed(benchmark, "whole-fit", len(one.m), lambda: fit(one, share, PARAMS.model_copy(update={"convergence_tolerance": LIMITS.stop})))
    assert found.converged


def sigmoid(m, b, s, models, benches):
    """What Epoch's index does, two-parameter sigmoids by non-linear least squares with an analytic sparse Jacobian, until no ability moves by more than the same part of their SD.

    `sigmoid.solve` with another stop: scipy's own ones ask for the size of the whole step, or of the loss.
    """
    from scipy.optimize import least_squares

    curves = Curves(m, b, s, models, benches, RIDGE)
    before, rested = curves.parts(curves.start())[0], []

    def rest(intermediate_result):
        nonlocal before
        theta = curves.parts(intermediate_result.x)[0]
        moved, before = float(np.max(np.abs(theta - before))), theta
        if moved <= LIMITS.stop * float(np.std(theta)):
            rested.append(moved)
            raise StopIteration

    least_squares(curves.residuals, curves.start(), jac=curves.jacobian, method="trf", x_scale="jac", ftol=None, xtol=1e-15, gtol=None, tr_solver="lsmr",
                  tr_options={"atol": 1e-10, "btol": 1e-10}, callback=rest)
    assert rested, "ended where scipy would have, and not at the stated stop"


def sigmoid_of(one):
    """The fit of a panel."""
    return lambda: sigmoid(one.m, one.b, one.s, len(one.models), len(one.benchmarks))


def drawn(one):
    """The fit, and as many fits more on results drawn with replacement, as intervals are published with it. The draws follow a fixed seed."""
    random = np.random.default_rng(1)

    def call():
        sigmoid_of(one)()
        for _ in range(DRAWS):
            rows = np.sort(random.integers(0, len(one.m), len(one.m)))
            _, m = np.unique(one.m[rows], return_inverse=True)
            _, b = np.unique(one.b[rows], return_inverse=True)
            sigmoid(m, b, one.s[rows], int(m.max()) + 1, int(b.max()) + 1)

    return call


def test_the_sigmoid_fit(benchmark, small):
    one, _ = small
    timed(benchmark, "sigmoid-fit", len(one.m), sigmoid_of(one), rounds=1)


def test_the_sigmoid_fit_with_its_draws(benchmark, small):
    one, _ = small
    if len(one.m) > 10**4:
        pytest.skip("some ten minutes of fits alike")
    timed(benchmark, "sigmoid-draws", len(one.m), drawn(one), rounds=1, warm=False)


def test_the_calibration_with_its_interval_factor(benchmark, small):
    """C1–C8, sorting and checks included: what gives intervals here."""
    one, _ = small
    if len(one.models) < 2 * PARAMS.min_pairs:
        pytest.skip("too few models for κ (C8)")
    names = [x.id for x in one.benchmarks]
    cells = [(one.models[m], names[b], s) for m, b, s in zip(one.m.tolist(), one.b.tolist(), one.s.tolist())]
    members, own = [x for x, known in zip(one.models, one.reference) if known], {x.id: x for x in one.benchmarks}
    timed(benchmark, "calibrate-kappa", len(one.m), lambda: calibrate(cells, own, members, PARAMS), rounds=1, warm=False)


def test_every_score(benchmark, sized):
    """S and A of every model under frozen parameters (C10)."""
    one, share = sized
    found = fit(one, share, PARAMS.model_copy(update={"max_rounds": ROUNDS}))
    names = [x.id for x in one.benchmarks]
    alpha, beta, sigma2, omega = ({b: sig12(float(x)) for b, x in zip(names, values)} for values in (found.lines.alpha, found.lines.beta, found.lines.sigma2, weights(one, PARAMS).omega))
    calibration = Calibration(alpha, beta, sigma2, omega, {}, 0.0, 1.0, 1.0, (), ROUNDS, 0.0, 2, 0, 0)
    own, ends = {x.id: x for x in one.benchmarks}, np.searchsorted(one.m, np.arange(len(one.models) + 1)).tolist()

    def call():
        for first, last in zip(ends, ends[1:]):
            score(dict(zip([names[b] for b in one.b[first:last].tolist()], one.s[first:last].tolist())), own, calibration, PARAMS)

    timed(benchmark, "score-all", len(one.m), call, rounds=1, warm=False)


def test_a_plain_loop(benchmark, small):
    """One round as a loop over results, as it would be written without arrays."""
    one, share = small
    m, b, y, v, w = (x.tolist() for x in (one.m, one.b, one.y, one.v, share))
    benches, models = len(one.benchmarks), len(one.models)
    theta, sigma2 = np.linspace(-1, 1, models).tolist(), [0.25] * benches

    def loop():
        sums = [[0.0] * 5 for _ in range(benches)]
        for k, mm, yy, vv in zip(b, m, y, v):
            u, x, row = 1.0 / (sigma2[k] + vv), theta[mm], sums[k]
            row[0] += u
            row[1] += u * x
            row[2] += u * yy
            row[3] += u * x * yy
            row[4] += u * x * x
        alpha = [(r[3] - r[1] * r[2] / r[0]) / max(r[4] - r[1] * r[1] / r[0], 1e-9) for r in sums]
        beta = [r[2] / r[0] - a * r[1] / r[0] for r, a in zip(sums, alpha)]
        squares, sampling, count = [0.0] * benches, [0.0] * benches, [0] * benches
        for k, mm, yy, vv in zip(b, m, y, v):
            left = yy - alpha[k] * theta[mm] - beta[k]
            squares[k] += left * left
            sampling[k] += vv
            count[k] += 1
        variance = [max(r / max(n - 2, 1) - x / n, 0.01) for r, x, n in zip(squares, sampling, count)]
        up, down = [0.0] * models, [0.1] * models
        for k, mm, yy, vv, ww in zip(b, m, y, v, w):
            u = ww / (variance[k] + vv) * alpha[k]
            up[mm] += u * (yy - beta[k])
            down[mm] += u * alpha[k]
        return [a / c for a, c in zip(up, down)]

    timed(benchmark, "plain-loop", len(one.m), loop, rounds=1)


def test_shipped_calibration(benchmark, shipped):
    _, desk, _, _ = shipped
    timed(benchmark, "shipped-calibrate", len(desk.results), lambda: calibrate(desk.cells, desk.benchmarks, desk.reference, desk.params.model_copy(update={"kappa": False})), rounds=10)


def test_shipped_calibration_with_kappa(benchmark, shipped):
    _, desk, _, _ = shipped
    timed(benchmark, "shipped-kappa", len(desk.results), lambda: calibrate(desk.cells, desk.benchmarks, desk.reference, desk.params), rounds=10)


def test_shipped_scores(benchmark, shipped):
    from siiq_core.workbench.desk import scored

    _, desk, found, _ = shipped
    timed(benchmark, "shipped-score-all", len(desk.results), lambda: scored(desk, found.calibration), rounds=10)


def test_one_new_model(benchmark, shipped):
    _, desk, found, _ = shipped
    own = {r.benchmark: r.score for r in desk.results if r.model == "gpt-5"}
    timed(benchmark, "shipped-one-model", len(own), lambda: score(own, desk.benchmarks, found.calibration, desk.params), rounds=200)


def test_shipped_verify(benchmark, shipped):
    import json

    from siiq_core.runs import inputs_of
    from siiq_core.verify import verify

    run, _, _, _ = shipped
    index = json.loads((run.folder / "index.json").read_text(encoding="utf-8"))
    timed(benchmark, "shipped-verify", sum(len(m["results"]) for m in index["models"]), lambda: verify(index, inputs_of(run)), rounds=3)


def test_shipped_fit(benchmark, shipped):
    """As the fit to the end, on the panel of the shipped calibration."""
    one, share = shipped[3], weights(shipped[3], PARAMS).share
    timed(benchmark, "shipped-fit", len(one.m), lambda: fit(one, share, PARAMS.model_copy(update={"convergence_tolerance": LIMITS.stop})), rounds=10)


def test_shipped_sigmoid(benchmark, shipped):
    timed(benchmark, "shipped-sigmoid", len(shipped[3].m), sigmoid_of(shipped[3]), rounds=1)


def test_shipped_sigmoid_with_its_draws(benchmark, shipped):
    """Of the results that the calibration is made from."""
    timed(benchmark, "shipped-sigmoid-draws", len(shipped[1].results), drawn(shipped[3]), rounds=1, warm=False)


@pytest.mark.parametrize("name", ["fetch", "calibrate", "score"])
def test_shipped_stages(benchmark, shipped, name):
    from siiq_core import pipeline

    run, desk, _, _ = shipped
    timed(benchmark, f"stage-{name}", len(desk.results), lambda: getattr(pipeline, name)(run), rounds=1)
