"""Worlds by hand: the truth is found where it can be, a wrong map is noticed, and every alteration does what it says."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from siiq_core.analysis.simulation import methods, recovery, run, worlds
from siiq_core.analysis.simulation.methods import METHODS, place, shipped
from siiq_core.errors import ParameterError
from siiq_core.params.loader import project_root, validate
from siiq_core.params.simulation import Scenario, SimulationParams, load_simulation, with_simulation_changes

SMALL = {"replications": 2, "models": 20, "boards_per_area": 2, "questions": 20}
FAIR = Scenario(id="fair", stream=1)


@pytest.fixture(scope="module")
def own(root):
    return shipped(root, load_simulation(root).areas)


@pytest.fixture(scope="module")
def params(root):
    return load_simulation(root)


@pytest.fixture(scope="module")
def small(params):
    return with_simulation_changes(params, SMALL)


def plan_of(params, scenario):
    return worlds.planned(params, scenario, worlds.stream(params, scenario, 0))


def without_noise(params, scenario=FAIR, **changes):
    """The world that a plan describes if everybody had infinitely many questions."""
    plan = plan_of(with_simulation_changes(params, {"deviation": 0, "questions": 5000, **changes}), scenario)
    return worlds.measured(plan, worlds.chances(plan))


# --- recovery ----------------------------------------------------------------------------------------------------------


def test_siiq_finds_a_fair_world_without_noise_again(params, own):
    """Its order exactly, its spacing but for the shrinkage (λ) and the continuity correction."""
    world = without_noise(params)
    found = place(world, own)["siiq"]
    assert len(found) == params.models
    errors = recovery.recovery(world.truth, found, found)
    assert errors.order == 0 and errors.spacing < 0.01


def test_a_wrong_map_is_noticed(params, own):
    """The same order on another curve keeps the order and loses the spacing; abilities handed to the wrong models lose both."""
    world = without_noise(params)
    found = place(world, own)["siiq"]
    bent = {slug: float(np.exp(2 * x)) for slug, x in found.items()}
    assert recovery.recovery(world.truth, bent, bent).order == 0 and recovery.recovery(world.truth, bent, bent).spacing > 0.3
    moved = dict(zip(sorted(found), [found[s] for s in (*sorted(found)[1:], sorted(found)[0])], strict=True))
    assert recovery.recovery(world.truth, moved, moved).order > 0.5 and recovery.recovery(world.truth, moved, moved).spacing > 0.8
    turned = {slug: -x for slug, x in found.items()}
    assert recovery.recovery(world.truth, turned, turned).order == 2 and recovery.recovery(world.truth, turned, turned).spacing < 0.01  # the best linear map may turn it: order tells


def test_recovery_by_hand():
    """Truth 0 1 2 3; found 0 2 1 3: Σd² = 2, ρ = 1 − 6·2/(4·15) = 0.8. The line 0.3 + 0.8·x leaves −0.3 −0.9 0.9 0.3, of mean square 0.45."""
    truth, found = {"a": 0.0, "b": 1.0, "c": 2.0, "d": 3.0}, {"a": 0.0, "b": 2.0, "c": 1.0, "d": 3.0}
    errors = recovery.recovery(truth, found, found)
    assert errors.order == pytest.approx(0.2) and errors.spacing == pytest.approx(0.45**0.5)
    assert recovery.recovery(truth, found, ["a", "b"]) == recovery.Recovery(None, None)  # too few
    assert recovery.recovery(truth, dict.fromkeys(truth, 1.0), truth) == recovery.Recovery(None, None)  # all alike


numbers = st.lists(st.integers(-1000, 1000).map(lambda x: x / 8), min_size=4, max_size=12, unique=True)


@given(numbers, st.randoms(use_true_random=False), st.floats(0.01, 100), st.floats(-100, 100))
def test_a_linear_map_costs_nothing_and_other_packages_agree(values, rng, factor, offset):
    truth = {f"m{k}": x for k, x in enumerate(values)}
    mapped = {slug: factor * x + offset for slug, x in truth.items()}
    errors = recovery.recovery(truth, mapped, mapped)
    assert errors.order == pytest.approx(0, abs=1e-12) and errors.spacing == pytest.approx(0, abs=1e-4)
    mixed = dict(zip(truth, rng.sample(list(mapped.values()), len(mapped)), strict=True))
    errors, x, y = recovery.recovery(truth, mixed, mixed), list(mixed.values()), list(truth.values())
    assert errors.order == pytest.approx(1 - stats.spearmanr(x, y).statistic, abs=1e-9)
    fit = stats.linregress(x, y)
    assert errors.spacing == pytest.approx(np.sqrt(np.mean((np.array(y) - fit.intercept - fit.slope * np.array(x)) ** 2)), abs=1e-6)


def test_methods_are_compared_on_the_models_both_place():
    truth = {x: float(k) for k, x in enumerate("abcdef")}
    found = {"siiq": {x: truth[x] for x in "bcdef"} | {"b": 9.0}, "other": {x: truth[x] for x in "acdef"}, "silent": {}}
    told = recovery.trials(truth, found)
    assert told["other"].shared == 4 and told["other"].there.order == 0  # b, which SI-IQ misplaces, is not with them
    assert told["siiq"].own.order > 0 and told["other"].placed == 5
    assert told["silent"].own == told["silent"].here == recovery.Recovery(None, None)


def test_means_over_worlds_have_their_error_and_six_decimals():
    assert recovery.averaged([1.0, 2.0, 4.5, None]) == {"mean": 2.5, "error": round((3.25 / 3) ** 0.5, 6)}  # variance (2.25 + 0.25 + 4)/2
    assert recovery.averaged([None, None]) == {"mean": None, "error": None} and recovery.averaged([1e-9])["mean"] == 0.0


@pytest.mark.parametrize(("mean", "error", "said"), [(0.31, 0.1, "worse"), (0.3, 0.1, "same"), (-0.31, 0.1, "better"), (-0.3, 0.1, "same"), (0.1, 0.0, "worse"), (0.0, 0.0, "same"), (None, None, "same"), (1.0, None, "same")])
def test_a_difference_must_be_more_than_so_many_standard_errors(mean, error, said):
    assert recovery.verdict({"mean": mean, "error": error}, 3.0) == said


# --- methods -----------------------------------------------------------------------------------------------------------


def test_every_method_uses_its_own_shipped_code_on_a_hand_made_world(own):
    """Two boards in each of three dimensions, four models in the same order on all; the weakest is missing on b2."""
    boards = {f"b{k}": worlds.Benchmark(f"b{k}", area, f"b{k}", f"e{k % 2}", 0.0, 1.0, 100) for k, area in enumerate(["math", "math", "coding", "coding", "agents", "agents"])}
    shares = {"m1": 0.2, "m2": 0.4, "m3": 0.6, "m4": 0.8}
    cells = tuple(sorted((m, b, x) for m, x in shares.items() for b in boards if (m, b) != ("m1", "b2")))
    world = worlds.World({m: x for m, x in shares.items()}, boards, ("m1", "m3"), cells)
    found = place(world, own)
    assert found["siiq"] == {}  # E3: ten models are needed; refused, and said so by placing nobody
    coding = {"m2": (100 / 6 + 37.5) / 2, "m3": (50 + 62.5) / 2, "m4": (500 / 6 + 87.5) / 2}  # b2 has three models, b3 four
    expected = {m: (60 * place_ + 25 * coding[m]) / 85 for m, place_ in (("m2", 37.5), ("m3", 62.5), ("m4", 87.5))}  # M8: 40 + 20 of the other two, 25 of coding
    assert found["percentile"] == pytest.approx(expected)  # m1 has one board of coding: low confidence in it, and too few dimensions
    assert list(found["value"]) == list(shares) and found["mean"] == pytest.approx(shares)
    z = [-3, -1, 1, 3]  # over √5
    assert found["z"]["m2"] == pytest.approx((5 * z[1] / 5**0.5 + -(1.5**0.5)) / 6)  # b2 has 0.4 0.6 0.8: −√1.5 for the lowest


def test_families_are_declared_to_every_method_that_asks(params, own):
    """M6, S: copies count less, so a world of copies misleads them less than the means."""
    scenario = next(s for s in params.scenarios if s.copies)
    world = worlds.world(params, scenario, 0)
    first = next(iter(world.boards.values()))
    assert [b.family for b in world.boards.values()].count(first.family) == 1 + scenario.copies.further
    register = methods._boards(world, own)
    assert len(register.overlaps) == scenario.copies.further and {x.beside for x in register.overlaps} == {(first.id,)}
    errors = {name: recovery.recovery(world.truth, x, x).order for name, x in place(world, own).items()}
    assert max(errors["siiq"], errors["percentile"]) < min(errors["value"], errors["mean"], errors["z"])


# --- worlds ------------------------------------------------------------------------------------------------------------


def scenario_of(params, name):
    return next(s for s in params.scenarios if s.id == name)


def seen(plan):
    return plan.measured.sum(axis=1)


def test_abilities_are_known_and_standard(params):
    for scenario in params.scenarios:
        truth = list(worlds.world(params, scenario, 1).truth.values())
        assert np.mean(truth) == pytest.approx(0, abs=1e-12) and np.std(truth) == pytest.approx(1)


def test_the_fair_world_is_even(params):
    plan = plan_of(params, FAIR)
    assert plan.measured.all() and len(set(plan.loading.ravel())) == 1 and (plan.level == plan.level[0]).all()
    assert {b.area for b in plan.boards} == set(params.areas) and abs(plan.level).max() <= params.difficulty
    assert plan.deviation.std() == pytest.approx(params.deviation, rel=0.1)


def test_gaps_by_chance_do_not_depend_on_ability_and_those_of_the_weak_do(params):
    rho = {}
    for name in ("random-gaps", "weak-gaps"):
        scenario, drawn = scenario_of(params, name), []
        for k in range(20):
            plan = worlds.planned(params, scenario, worlds.stream(params, scenario, k))
            boards = len(plan.boards)
            assert round(scenario.coverage.least * boards) <= seen(plan).min() and seen(plan).max() <= round(scenario.coverage.most * boards)
            drawn.append(stats.spearmanr(plan.ability, seen(plan)).statistic)
        rho[name] = np.mean(drawn)
    assert abs(rho["random-gaps"]) < 0.15 and rho["weak-gaps"] > 0.98


def test_only_the_strongest_see_the_new_hard_boards(params):
    scenario = scenario_of(params, "hard-boards")
    plan, fair = plan_of(params, scenario), plan_of(params, replace_stream(scenario))
    new = np.flatnonzero(~plan.measured.all(axis=0))
    assert len(new) == round(scenario.new_boards.share * len(plan.boards))
    strongest = np.argsort(-plan.ability)[:round(scenario.new_boards.strongest * params.models)]
    for b in new:
        assert set(np.flatnonzero(plan.measured[:, b])) == set(strongest)
    assert np.allclose(fair.level[:, new] - plan.level[:, new], scenario.new_boards.harder)


def replace_stream(scenario):
    """The fair world from the same draws."""
    return Scenario(id="fair", stream=scenario.stream)


def test_a_revision_changes_boards_halfway_and_later_models_are_stronger(params):
    scenario = scenario_of(params, "revision")
    plan, fair = plan_of(params, scenario), plan_of(params, replace_stream(scenario))
    changed = plan.level != fair.level
    boards, models = np.flatnonzero(changed.any(axis=0)), np.flatnonzero(changed.any(axis=1))
    assert len(boards) == round(scenario.revision.share * len(plan.boards)) and len(models) == params.models // 2
    assert changed[np.ix_(models, boards)].all() and changed.sum() == len(models) * len(boards)
    assert np.allclose(plan.loading[changed], scenario.revision.loading * fair.loading[changed])
    assert plan.ability[models].mean() > 0.2 and [b.id for b in plan.boards] == [b.id for b in fair.boards]  # the same names


def test_small_boards_have_few_questions_and_much_noise(params):
    scenario = scenario_of(params, "small-boards")
    plan = plan_of(params, scenario)
    small = np.array([b.n == scenario.noise.questions for b in plan.boards])
    assert small.sum() == round(scenario.noise.share * len(small)) and all(b.n == params.questions for b, x in zip(plan.boards, small, strict=True) if not x)
    assert plan.deviation[:, small].std() == pytest.approx(scenario.noise.deviation, rel=0.15) and plan.deviation[:, ~small].std() == pytest.approx(params.deviation, rel=0.15)
    world = worlds.world(params, scenario, 0)
    assert all((share * world.boards[b].n) == pytest.approx(round(share * world.boards[b].n)) for _, b, share in world.cells)


def test_boards_of_little_loading_hardly_follow_ability(params):
    scenario = scenario_of(params, "loadings")
    plan, chance = plan_of(params, scenario), worlds.chances(plan_of(params, scenario))
    little = plan.loading[0] == scenario.loadings.loading
    assert little.sum() == round(scenario.loadings.share * len(little))
    follow = np.array([stats.spearmanr(plan.ability, chance[:, b]).statistic for b in range(len(little))])
    assert follow[little].max() < 0.75 < follow[~little].min()


def test_saturated_boards_lie_at_the_ends(params):
    scenario = scenario_of(params, "saturation")
    chance = worlds.chances(plan_of(params, scenario))
    middle = np.median(chance, axis=0)
    ends = round(scenario.ends.share * len(middle))
    assert sum((middle > 0.94) | (middle < 0.06)) == ends and abs(sum(middle > 0.94) - sum(middle < 0.06)) <= 1


def test_copies_share_what_they_see_beside_ability(params):
    scenario = scenario_of(params, "copies")
    plan = plan_of(params, scenario)
    first = plan.boards[0]
    copies = [b for b, x in enumerate(plan.boards) if x.family == first.family]
    assert len(copies) == 1 + scenario.copies.further and len({plan.boards[b].id for b in copies}) == len(copies) and {plan.boards[b].area for b in copies} == {first.area}
    assert np.corrcoef(plan.deviation[:, copies].T).min() > 0.95 and abs(np.corrcoef(plan.deviation[:, [copies[0], 1]].T)[0, 1]) < 0.5


def test_leaks_lift_some_answers_of_anyone(params):
    scenario = scenario_of(params, "leaks")
    lift = plan_of(params, scenario).deviation - plan_of(params, replace_stream(scenario)).deviation
    assert set(np.round(lift.ravel(), 9)) == {0.0, scenario.leaks.gain} and np.mean(lift > 0) == pytest.approx(scenario.leaks.share, abs=0.05)


def test_level_scores_rise_evenly(params):
    scenario = scenario_of(params, "level")
    plan = plan_of(params, scenario)
    flat = worlds.chances(replace(plan, deviation=np.zeros_like(plan.deviation)))
    inside = (flat > 0.001) & (flat < 0.999)
    expected = scenario.level.slope * plan.ability[:, None] + plan.level
    assert inside.mean() > 0.95 and np.allclose(flat[inside], expected[inside]) and scenario.level.low <= plan.level.min() <= plan.level.max() <= scenario.level.high


def test_a_distortion_keeps_every_boards_order_and_nothing_else(params):
    scenario = scenario_of(params, "ranks")
    plan = plan_of(params, scenario)
    share = worlds.chances(plan)
    straight, bent = worlds.measured(replace(plan, knots=None), share), worlds.measured(plan, share)
    for b in plan.boards:
        before, after = ([x for _, name, x in w.cells if name == b.id] for w in (straight, bent))
        assert np.argsort(before).tolist() == np.argsort(after).tolist() and np.corrcoef(before, after)[0, 1] < 0.99
    assert all(0 <= x <= 1 for _, _, x in bent.cells)


def test_percentiles_do_not_see_a_distortion(params, own):
    plan = plan_of(params, scenario_of(params, "ranks"))
    share = worlds.chances(plan)
    straight, bent = worlds.measured(replace(plan, knots=None), share), worlds.measured(plan, share)
    assert methods.percentile(straight, own) == methods.percentile(bent, own) and methods.plain_mean(straight, own) != methods.plain_mean(bent, own)


def test_every_alteration_is_shipped_once_and_known():
    shipped_ones = [name for s in load_simulation(project_root()).scenarios for name in s.alterations]
    assert set(shipped_ones) == set(worlds.ALTERATIONS) and shipped_ones.count("revision") == 2


# --- draws -------------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_world_and_another_another(small):
    for scenario in small.scenarios:
        first = worlds.world(small, scenario, 0)
        assert worlds.world(small, scenario, 0) == first
        assert worlds.world(small, scenario, 1).truth != first.truth
        assert worlds.world(with_simulation_changes(small, {"seed": 1}), scenario, 0).truth != first.truth


def test_no_scenario_moves_with_another_and_no_world_with_the_number_of_worlds(small, own):
    whole = run.simulate(small, own)
    alone = run.simulate(small.model_copy(update={"scenarios": small.scenarios[3:5]}), own)
    assert alone["scenarios"] == whole["scenarios"][3:5]
    more = with_simulation_changes(small, {"replications": 3})
    assert [worlds.world(more, FAIR, k) for k in range(2)] == [worlds.world(small, FAIR, k) for k in range(2)]


def test_the_same_bytes_whatever_threads_and_hash_seed(root, tmp_path):
    """Two processes, with one thread and with two, and with other hash seeds."""
    made, changes = [], {**SMALL, "models": 24, "boards_per_area": 3}
    for threads in ("1", "2"):
        code = ("import sys; from pathlib import Path; from siiq_core.analysis.simulation.run import prepare_simulation, simulation_stage; "
                f"run = prepare_simulation({changes!r}, sys.argv[1]); simulation_stage(run).save()")
        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": threads, **{f"{x}_NUM_THREADS": threads for x in ("OPENBLAS", "OMP", "MKL")}}
        subprocess.run([sys.executable, "-c", code, str(tmp_path / threads)], check=True, env=environment, cwd=root)
        made.append((tmp_path / threads / "simulation.json").read_bytes())
    assert made[0] == made[1]
    assert json.loads(made[0])["what_if"]["models"] == [40, 24]


def test_what_the_stage_writes(small, own, root, tmp_path):
    import jsonschema

    stage = run.simulation_stage(run.prepare_simulation(SMALL, str(tmp_path), root))
    schema = json.loads((root / "siiq_core" / "publish" / "schemas" / "simulation.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(stage.files["simulation.json"]), schema)
    assert stage.value["methods"] == list(METHODS) and [s["id"] for s in stage.value["scenarios"]] == [s.id for s in small.scenarios]
    assert "as_of" not in stage.value and stage.value["parameters_sha256"] == run.made_with(small, own)


def test_a_simulation_is_made_again_only_where_something_it_depends_on_changed(root, tmp_path, small, own):
    from siiq_core.commands.simulation import current

    assert not current(tmp_path)
    shipped_params = load_simulation(root)
    head = {"method_version": run.prepare_simulation({}, str(tmp_path), root).base.version, "parameters_sha256": run.made_with(shipped_params, own)}
    write = (tmp_path / "simulation.json").write_text
    write(json.dumps(head), encoding="utf-8")
    assert current(tmp_path)
    write(json.dumps({**head, "method_version": f"{head['method_version'].rpartition('.')[0]}.99"}), encoding="utf-8")
    assert current(tmp_path)  # only data were corrected since
    for spoiled in ({**head, "method_version": "0.9.0"}, {**head, "parameters_sha256": run.made_with(small, own)}, {**head, "what_if": {"models": [40, 24]}}, [], {}):
        write(json.dumps(spoiled), encoding="utf-8")
        assert not current(tmp_path), spoiled
    other_day = replace(own, method=own.method.model_copy(update={"as_of": "2000-01-01"}))
    assert run.made_with(shipped_params, other_day) == head["parameters_sha256"]
    assert run.made_with(shipped_params, replace(own, method=own.method.model_copy(update={"lam": 0.2}))) != head["parameters_sha256"]


# --- params/simulation.yml ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spoil", "said"), [
    (lambda v: v["scenarios"].append({**v["scenarios"][0], "stream": 99}), "same id"),
    (lambda v: v["scenarios"].append({**v["scenarios"][0], "id": "other"}), "same stream"),
    (lambda v: v["scenarios"][1].update(leaks={"share": 0.1, "gain": 1.0}), "one alteration at a time"),
    (lambda v: v["scenarios"][1]["coverage"].update(least=0.95), "least must not be above most"),
    (lambda v: v["scenarios"][1]["coverage"].update(by="luck"), "ability"),
    (lambda v: v.update(models=5), "20 to 500"),
    (lambda v: v.update(seed=1.5), "whole number"),
    (lambda v: v.update(boards=3), "boards_per_area"),
])
def test_what_is_refused(root, spoil, said):
    values = yaml.safe_load((root / "params" / "simulation.yml").read_text(encoding="utf-8"))
    spoil(values)
    with pytest.raises(ParameterError) as caught:
        validate(values, SimulationParams, "simulation.yml", {})
    assert said in str(caught.value)


def test_every_number_is_commented(root):
    text = (root / "params" / "simulation.yml").read_text(encoding="utf-8")
    for name in SimulationParams.model_fields:
        if name not in ("areas", "scenarios"):
            assert " # " in next(x for x in text.splitlines() if x.startswith(f"{name}:")), name
    for field in Scenario.model_fields:
        assert f"#   {field} " in text, f"{field} is not explained"
