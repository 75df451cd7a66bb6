"""Two models side by side: sums, verdicts, and the way both models are treated alike."""

import copy
import math
import re

import pytest

from siiq_core.errors import PublicationError
from siiq_core.publish import compare
from siiq_core.publish.format import LANGUAGES


def _model(index, slug):
    return next(m for m in index["models"] if m["slug"] == slug)


def test_the_parts_add_up_to_the_difference_exactly(index):
    models = index["models"]
    for a in models:
        for b in models[::3]:
            two = compare.pair(index, a, b)
            assert math.fsum(x.points for x in two.parts) == pytest.approx(a["siiq"] - b["siiq"], abs=1e-9)


def test_a_part_that_is_off_stops_the_page(index):
    changed = copy.deepcopy(index)
    changed["models"][0]["siiq"] += 1e-6
    with pytest.raises(PublicationError):
        compare.pair(changed, changed["models"][0], changed["models"][1])


def test_z_is_the_difference_of_abilities_over_its_own_error(index):
    a, b = index["models"][:2]
    two = compare.pair(index, a, b)
    assert two.z == pytest.approx((a["theta"] - b["theta"]) / math.hypot(a["se"], b["se"]), rel=1e-12)
    assert two.z != pytest.approx((a["theta"] - b["theta"]) / (a["se"] + b["se"]), rel=1e-3)  # errors are not added up
    assert two.half == pytest.approx(15 * 1.644854 * math.hypot(a["se"], b["se"]), rel=1e-12)


def test_both_are_treated_alike(index):
    a, b = _model(index, "nova-9"), _model(index, "nova-4")
    one, other = compare.pair(index, a, b), compare.pair(index, b, a)
    assert one.difference == -other.difference and one.z == -other.z and one.higher is other.higher is a and one.verdict == other.verdict
    assert {x.bench and x.bench["id"]: x.points for x in one.parts} == pytest.approx({x.bench and x.bench["id"]: -x.points for x in other.parts}, abs=1e-12)


def test_a_result_speaks_for_the_model_whose_it_is(index):
    """Counted from the midpoint: the same result on both sides, equally heavy, adds nothing; a better one speaks for its model."""
    a = _model(index, "nova-9")
    twin = copy.deepcopy(a)
    assert all(abs(x.points) < 1e-12 for x in compare.pair(index, a, twin).parts)
    two = compare.pair(index, a, _model(index, "nova-2"))
    assert all(x.points > 0 for x in two.parts if x.bench)  # better on every benchmark


@pytest.mark.parametrize(("gap", "verdict"), [(4.0, "apart"), (1.9, "lean"), (1.0, "open"), (0.0, "open")])
def test_what_the_data_can_tell(index, gap, verdict):
    """Two models with the same SE: intervals part at 3.29 SE, the difference's own interval leaves zero at 2.33 SE."""
    a, k = copy.deepcopy(index["models"][0]), index["constants"]
    b = copy.deepcopy(a)
    for m, theta in ((a, a["theta"]), (b, a["theta"] - gap * math.sqrt(2) * a["se"])):
        m |= {"theta": theta, **{key: k["mean"] + k["sd"] * (theta + sign * k["z90"] * a["se"]) for key, sign in (("siiq", 0), ("low", -1), ("high", 1))}}
    two = compare.Pair(index, a, b, a["siiq"] - b["siiq"], 1.0, (a["theta"] - b["theta"]) / math.hypot(a["se"], b["se"]), ())
    assert two.verdict == verdict


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_shows_published_strings(index, words, lang):
    changed = copy.deepcopy(index)
    changed["models"][0]["shown"] = {"siiq": "777", "low": "776", "high": "778"}
    shown = re.sub(r"<[^>]+>", " ", compare.compare_head(changed, words, lang))
    assert "777" in shown and "776–778" in shown
