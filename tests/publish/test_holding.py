"""S: a score as a weighted mean whose parts add up to it, and what it predicts for each result."""

import copy
import json
import math

import pytest

from siiq_core.errors import PublicationError
from siiq_core.publish.holding import predict, supports
from siiq_core.publish.worked import work


@pytest.fixture(scope="module")
def index(shipped):
    return json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))


def test_the_parts_of_every_score_add_up_to_it(index):
    for model in index["models"]:
        found = supports(index, work(index, model))
        assert abs(math.fsum(x.share for x in found) - 1) < 1e-9
        assert abs(math.fsum(x.carried for x in found) - model["siiq"]) < 1e-9, model["slug"]
        assert abs(math.fsum(x.pull for x in found)) < 1e-9
        assert all(x.share > 0 for x in found) and [x.line is None for x in found] == [False] * (len(found) - 1) + [True]


def test_a_result_alone_gives_the_score_of_a_model_that_has_only_this_one(index):
    """`alone` is what S gives as λ goes to nothing: the pull towards the start value is λ's, not the result's."""
    at, constants = index["calibration"], index["constants"]
    model = next(m for m in index["models"] if len(work(index, m).lines) == 1)
    result, start = supports(index, work(index, model))
    x = result.line
    ability = x.pull / x.information
    assert abs(result.alone - (constants["mean"] + constants["sd"] * (ability - at["shift"]) / at["scale"])) < 1e-9
    assert abs(start.share - constants["lam"] / model["d"]) < 1e-9 and abs(result.pull + start.pull) < 1e-9


def test_a_score_that_is_no_weighted_mean_is_refused(index):
    model = index["models"][3]
    found = work(index, model)
    moved = copy.replace(found, model={**model, "siiq": model["siiq"] + 1e-5}) if hasattr(copy, "replace") else type(found)(
        {**model, "siiq": model["siiq"] + 1e-5}, found.lines, found.information, found.pull, found.noise)
    with pytest.raises(PublicationError, match="do not add up"):
        supports(index, moved)


def test_a_prediction_is_the_transform_backwards(index):
    """Where y lies on the line exactly, the predicted score is the score and the difference nothing."""
    benches = {b["id"]: b for b in index["benchmarks"] if b["in_index"]}
    checked = 0
    for model in index["models"]:
        for result in model["results"]:
            bench = benches.get(result["benchmark"])
            if bench is None or not bench["g"] < result["score"] < bench["c"]:
                continue
            on_line = {**model, "theta0": (result["y"] - bench["beta"]) / bench["alpha"]}
            found = predict(on_line, result, bench)
            assert abs(found.score - result["score"]) < 1e-9 and abs(found.points) < 1e-9 and abs(found.deviations) < 1e-9
            checked += 1
    assert checked > 1000


def test_a_prediction_stays_between_chance_and_ceiling(index):
    bench = next(b for b in index["benchmarks"] if b["in_index"] and b["g"] > 0)
    result = {"score": bench["g"], "y": -5.0, "v": 1.0}
    assert predict({"theta0": -50.0}, result, bench).score == bench["g"]
    assert predict({"theta0": 50.0}, result, bench).score == bench["c"]


def test_the_difference_in_deviations_counts_scatter_and_questions(index):
    bench = {"alpha": 2.0, "beta": 1.0, "sigma2": 0.16, "g": 0.0, "c": 1.0, "n": 100}
    found = predict({"theta0": 0.5}, {"score": 0.9, "y": 2.5, "v": 0.09}, bench)
    assert abs(found.deviations - 0.5 / math.sqrt(0.25)) < 1e-12  # not over √σ² alone, nor over the variance
