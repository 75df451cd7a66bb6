"""Calibration and scores agree with decimals of 40 digits to 1e-9 (forty_digits.py): speed is not bought with accuracy."""

import sys
from decimal import Decimal
from pathlib import Path

import panels
import pytest

sys.path.append(str(Path(__file__).parent))
import forty_digits  # noqa: E402

from siiq_core.method.calibration.run import refit, trace  # noqa: E402
from siiq_core.method.panel import build_panel  # noqa: E402
from siiq_core.method.scoring import score  # noqa: E402
from siiq_core.workbench.desk import open_desk  # noqa: E402

TO = Decimal("1e-9")


def by_model(cells):
    out = {}
    for model, bench, value in cells:
        out.setdefault(model, {})[bench] = value
    return out


def of_set(scores, calibration):
    """The scores that a calibration was fitted on."""
    return {m: {b: x for b, x in scores[m].items() if b in calibration.alpha} for m in calibration.models}


def close(got, want, what):
    assert abs(Decimal(got) - want) <= TO, f"{what}: {got!r}, in 40 digits {want:.20f}"


def compare(calibration, exact):
    assert calibration.rounds == exact.rounds
    for name in ("alpha", "beta", "sigma2", "omega"):
        assert set(getattr(calibration, name)) == set(getattr(exact, name))
        for bench, want in getattr(exact, name).items():
            close(getattr(calibration, name)[bench], want, f"{name} of {bench}")
    close(calibration.shift, exact.shift, "shift")
    close(calibration.scale, exact.scale, "scale")


def compare_scores(scores, benchmarks, calibration, exact, kappa, params):
    seen = 0
    for model, own in scores.items():
        got = score(own, benchmarks, calibration, params)
        if got is None:
            continue
        want = forty_digits.scored(own, benchmarks, exact, kappa, params)
        close(got.theta0, want["theta0"], f"θ₀ of {model}")
        for name in ("theta", "se", "siiq", "low", "high"):
            close(getattr(got.overall, name), want[name], f"{name} of {model}")
        seen += 1
    return seen


def compare_all(cells, benchmarks, members, params):
    """Everything, κ included; returns κ, the exact calibration, and how many models were scored."""
    cells = sorted(cells)
    found, scores = trace(cells, benchmarks, members, params).calibration, by_model(cells)
    exact = forty_digits.calibrated(of_set(scores, found), benchmarks, members, params)
    compare(found, exact)
    panel, folds = build_panel(cells, benchmarks, members), []
    for k in range(params.folds):  # C7
        held_out = sorted(found.models)[k :: params.folds]
        without = refit(panel, members, params)(frozenset(held_out))
        folds.append((held_out, forty_digits.calibrated(of_set(scores, without), benchmarks, members, params)))
    kappa = forty_digits.kappa(scores, folds, benchmarks, params)
    close(found.kappa, kappa, "κ")
    return kappa, exact, compare_scores(scores, benchmarks, found, exact, kappa, params)


@pytest.mark.parametrize("scatter, above", [(0.3, False), (0.9, True)])
def test_a_small_panel(scatter, above):
    """Residual variances all at their least value, or some above it."""
    params = panels.params(kappa=True)
    _, exact, scored = compare_all(panels.results(48, 10, scatter=scatter), panels.benchmarks(10), panels.reference(48), params)
    assert any(x > Decimal(str(params.residual_variance_floor)) for x in exact.sigma2.values()) is above and scored == 48


def test_the_shipped_data(shipped):
    """Every parameter, κ, and every score of every model."""
    desk = open_desk(shipped)
    kappa, exact, scored = compare_all(desk.cells, desk.benchmarks, desk.reference, desk.params)
    assert len(exact.alpha) > 20 and scored > 100 and kappa >= 1


def test_the_comparison_sees_a_millionth_too_much():
    """A residual variance off by one part in a million moves scores beyond 1e-9, so the bound is no idle one."""
    cells, benchmarks, members = panels.results(), panels.benchmarks(), panels.reference()
    params = panels.params(kappa=False)
    found = trace(cells, benchmarks, members, params).calibration
    exact = forty_digits.calibrated(of_set(by_model(cells), found), benchmarks, members, params)
    spoilt = type(exact)(**{**vars(exact), "sigma2": {b: x * Decimal("1.000001") for b, x in exact.sigma2.items()}})
    with pytest.raises(AssertionError, match="in 40 digits"):
        compare_scores(by_model(cells), benchmarks, found, spoilt, Decimal(1), params)
