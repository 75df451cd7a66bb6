"""Slope charts: labels that stay apart and near their lines, and the models that are marked."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siiq_core.params.agreement import load_agreement
from siiq_core.publish.slopes import Slope, marked, slope_chart, spread


@pytest.mark.parametrize(("wanted", "positions"), [
    ([], []), ([50], [50]), ([10, 40], [10, 40]), ([40, 10], [40, 10]),
    ([50, 50], [45, 55]), ([50, 54], [47, 57]), ([50, 50, 50], [40, 50, 60]),
    ([0, 2], [0, 10]), ([99, 100], [90, 100]), ([20, 20, 31], [14, 24, 34]),  # the third would be pushed: all three share it
])
def test_labels_are_pushed_apart_as_little_as_can_be(wanted, positions):
    assert spread(wanted, 10, 0, 100) == pytest.approx(positions, abs=0.4)


@given(st.lists(st.floats(0, 300), max_size=12))
def test_labels_stay_apart_inside_and_in_their_order(wanted):
    found = spread(wanted, 15, 0, 300)
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    placed = [found[i] for i in order]
    assert all(b - a >= 15 - 1e-9 for a, b in zip(placed, placed[1:])) and all(-1e-9 <= x <= 300 + 1e-9 for x in placed)
    if all(wanted[b] - wanted[a] >= 15 for a, b in zip(order, order[1:])):
        assert found == pytest.approx(wanted)


def rows(*places):
    return [{"model": f"m{k}", "name": f"M {k}", "siiq": a, "other": b} for k, (a, b) in enumerate(places)]


def test_the_largest_changes_are_marked_with_those_as_large_as_the_last(root):
    params = load_agreement(root).model_copy(update={"marked": 2, "least_change": 2})
    found = marked(rows((1, 5), (2, 1), (3, 6), (4, 4), (5, 2), (6, 3)), params)
    assert [r["model"] for r in found] == ["m0", "m2", "m4", "m5"]  # 4, then three of 3
    assert marked(rows((1, 2), (2, 1)), params) == [] and marked(rows((1, 9)), params.model_copy(update={"marked": 0})) == []


def heights(chart, kind):
    return [float(y) for y in re.findall(rf'<text class="{kind}[^"]*" x="0" dx="-\d+" y="([\d.]+)"', chart)]


def test_a_chart_names_every_model_and_reads_aloud():
    chart = slope_chart([Slope(1, 2, "Nova <1>", "down"), Slope(2, 1, "Zeta", "up"), Slope(3, 3, "Iota")], ("SI-IQ", "Votes"), "Nova: 1 → 2.", "de")
    assert chart.count('class="name') == 3 and "Nova &lt;1&gt;" in chart and 'aria-label="Nova: 1 → 2."' in chart and 'role="img"' in chart
    assert 'class="line down"' in chart and 'class="line up"' in chart and chart.count('class="line"') == 1
    assert heights(chart, "name") == heights(chart, "place")


def test_models_that_share_a_place_have_one_number_there_and_names_of_their_own():
    chart = slope_chart([Slope(1.5, 1, "Nova"), Slope(1.5, 2.5, "Zeta"), Slope(3, 2.5, "Iota", "up")], ("SI-IQ", "Votes"), "", "de")
    assert re.findall(r'<text class="([^"]+)" x="100%" dx="9"[^>]*>([^<]+)<', chart) == [("place", "1"), ("place up", "2,5")]
    names = sorted(heights(chart, "name"))
    assert len(names) == 3 and all(b - a >= 15 - 0.2 for a, b in zip(names, names[1:]))


def test_of_many_lines_only_some_have_names_and_the_ends_are_told():
    slopes = [Slope(k, k) for k in range(1, 99)]
    slopes[39], slopes[47], slopes[49] = Slope(40, 48, "Nova", "down"), Slope(48, 40, "Zeta", "up"), Slope(50, 50, "Iota", "up")
    chart = slope_chart(slopes, ("SI-IQ", "ECI"), "", "en")
    assert sorted(re.findall(r'<text class="place[^"]*" x="0"[^>]*>([^<]+)<', chart), key=int) == ["1", "40", "48", "50", "98"]
    found = sorted(heights(chart, "place"))
    assert all(b - a >= 15 - 0.2 for a, b in zip(found, found[1:])) and chart.count("<svg") == 1 + 1 + 3 and 'class="line fine"' in chart
