"""What a rerun moved: two indexes side by side, largest first, and what C8 and C9 would say of the second as a recalibration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from siiq_core.evidence.own import SOURCE, is_own
from siiq_core.files import canonical_bytes
from siiq_core.method.calibration.comparison import Comparison, compare, refusals
from siiq_core.method.numbers import sig12
from siiq_core.publish.conversion import conversion
from siiq_core.runs import Outcome, Progress, Run, quiet
from siiq_core.versions import major_reasons, next_major
from siiq_core.workbench.desk import scored
from siiq_core.workbench.published import Published, find, open_published

SCHEMA = Path(__file__).parent / "schemas" / "difference.schema.json"
NUMBERS = ("siiq", "low", "high", "rank", "best_rank", "worst_rank")
IN_CALIBRATION = ("shift", "scale", "kappa", "rounds", "folds", "pairs")


def difference(before: Published, after: Published) -> dict[str, Any]:
    """difference.json as a plain value.

    Parameters
    ----------
    before : the published index
    after : the rerun's
    """
    old, new = before.index, after.index
    found = conversion(old, new)
    models = _models(old, new)
    both = [m for m in models if m["change"] is not None]
    altered = dict(new.get("what_if", {}))
    return {
        "method_version": new["method_version"], "as_of": new["as_of"], "altered": altered, "own": _own(before, after),
        "against": _identity(before), "run": _identity(after), "version_step": _step(old, new, altered),
        "summary": {
            "digest_same": old["digest"] == new["digest"],
            "models_before": len(old["models"]), "models_after": len(new["models"]), "scored_in_both": len(both),
            "ranked_before": found["ranked_before"], "ranked_after": found["ranked_after"], "ranked_in_both": len(found["models"]),
            "scores_moved": sum(m["change"] != 0 for m in both), "shown_scores_moved": sum(m["before"]["shown"]["siiq"] != m["after"]["shown"]["siiq"] for m in both),
            "intervals_moved": sum(any(m["before"][x] != m["after"][x] for x in ("low", "high")) for m in both),
            "ranks_moved": sum(any(m["before"][x] != m["after"][x] for x in ("rank", "best_rank", "worst_rank")) for m in both),
            "median_change": found["median_change"], "largest_change": _largest(both), "largest_ranked_change": _largest(found["models"]),
            "spearman": found["spearman"], "line": found["line"],
        },
        "benchmarks": {"before": _inside(old), "after": _inside(new), "joined": [{"id": b, "before": _reason(old, b)} for b in found["benchmarks_joined"]],
                       "left": [{"id": b, "after": _reason(new, b)} for b in found["benchmarks_left"]]},
        "calibration": {name: [old["calibration"][name], new["calibration"][name]] for name in IN_CALIBRATION},
        "no_longer_ranked": [{"slug": x, "because": _lacks(new, x)} for x in found["no_longer_ranked"]], "newly_ranked": found["newly_ranked"],
        "acceptance": acceptance(before, after), "models": models,
    }


def _largest(models: Iterable[Mapping[str, Any]]) -> float | None:
    return max((abs(m["change"]) for m in models), default=None)


def _identity(x: Published) -> dict[str, Any]:
    return {"file": x.file, **{name: x.index[name] for name in ("digest", "method_version", "as_of")}, "calibration": x.index["calibration"]["id"], "what_if": "what_if" in x.index}


def _own(before: Published, after: Published) -> dict[str, Any]:
    """One's own rows in the rerun."""
    ours = [r for r in after.desk.results if is_own(r)]
    models = {r.model for r in ours}
    return {"results": len(ours), "models": sorted(models), "new_models": sorted(models - before.desk.models.keys()),
            "benchmarks": [x["id"] for x in after.desk.facts if x["source"] == SOURCE]}


def _step(old: Mapping[str, Any], new: Mapping[str, Any], altered: Mapping[str, Any]) -> dict[str, Any]:
    """V1: the version step that publishing the rerun would be."""
    major = list(major_reasons(altered, old["reference_group"]["members"] != new["reference_group"]["members"]))
    step = "major" if major else "minor" if altered else "none"
    return {"step": step, "version": next_major(old["method_version"]) if major else None, "because": major or sorted(altered)}


def _inside(index: Mapping[str, Any]) -> int:
    return sum(b["in_index"] for b in index["benchmarks"])


def _reason(index: Mapping[str, Any], bench: str) -> str:
    """Why a benchmark is out: a rule of siiq.md, the parameter that left it out, or that it is not there at all."""
    if bench in index.get("what_if", {}).get("drop", ([], []))[1]:
        return "drop"
    return next((b["reason"] for b in index["benchmarks"] if b["id"] == bench), "not configured")


def _lacks(index: Mapping[str, Any], slug: str) -> list[dict[str, Any]]:
    """What a model lacks for a rank (K1, I5); empty where it has no score any more."""
    return next((list(m["not_ranked_because"]) for m in index["models"] if m["slug"] == slug), [])


def _models(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every model of either index: the largest move first, ties by slug; those of one index alone at the end."""
    before, after = ({m["slug"]: m for m in index["models"]} for index in (old, new))
    out = []
    for slug in sorted({*before, *after}):
        was, now = before.get(slug), after.get(slug)
        out.append({"slug": slug, "name": (now or was)["name"], "before": _numbers(was), "after": _numbers(now),
                    "change": sig12(now["siiq"] - was["siiq"]) if was and now else None,
                    "rank_change": now["rank"] - was["rank"] if was and now and was["ranked"] and now["ranked"] else None})
    return sorted(out, key=lambda m: (m["change"] is None, -abs(m["change"] or 0), m["slug"]))


def _numbers(model: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if model is None else {**{name: model[name] for name in NUMBERS}, "shown": dict(model["shown"])}


# --- would it be accepted? -------------------------------------------------------------------------------------------


def acceptance(before: Published, after: Published) -> dict[str, Any]:
    """C8 and C9 of the rerun, with its own limits. What stops a calibration from being found at all has stopped the rerun.

    C9 compares on the inputs of the rerun: `before` is the published calibration on those, not the published scores.
    """
    own = replace(before.desk, results=tuple(r for r in after.desk.results if r.benchmark in before.desk.benchmarks))
    found = compare(_ranked(*scored(own, before.calibration)), {m["slug"]: m["siiq"] for m in after.index["models"] if m["ranked"]}, before.calibration.alpha, after.calibration.alpha)
    missing = sorted(set(after.desk.reference) - set(after.calibration.models))
    would = [{"rule": "C8", "code": "reference_missing", "of": {"models": missing}}] if missing else []
    if not after.desk.params.kappa:
        would.append({"rule": "C8", "code": "no_interval_factor", "of": {"folds": after.desk.params.min_folds, "pairs": after.desk.params.min_pairs}})
    would += [{"rule": "C9", "code": x.code, "of": dict(x.of)} for x in refusals(found, after.desk.params)]
    return {"compared": _compared(found), "would_refuse": would}


def _ranked(scores: Mapping[str, Any], standings: Mapping[str, Any]) -> dict[str, float]:
    return {slug: x.overall.siiq for slug, x in scores.items() if standings[slug].rank is not None}


def _compared(found: Comparison) -> dict[str, Any]:
    numbers = {name: None if (x := getattr(found, name)) is None else sig12(x) for name in ("spearman", "median_change")}
    return {"ranked_before": found.ranked_before, "ranked_after": found.ranked_after, **numbers, "joined": list(found.joined), "left": list(found.left)}


# --- as a stage ------------------------------------------------------------------------------------------------------


def difference_stage(run: Run, against: str = "", progress: Progress = quiet) -> Outcome:
    """The run folder's index (made now where it is not there yet) against the published one, or the one named → difference.json.

    Raises
    ------
    PublicationError, VerificationError
        Nothing to compare with, or a file that does not follow from itself.
    """
    after = _finished(run, progress)
    value = difference(open_published(find(run.root, against)), after)
    return Outcome(run, value, {"difference.json": canonical_bytes(value)})


def _finished(run: Run, progress: Progress) -> Published:
    from siiq_core import pipeline

    if not _is_of(run):
        for stage in (pipeline.calibrate, pipeline.score):
            stage(run, progress).save()
    return open_published(run.folder / "index.json")


def _is_of(run: Run) -> bool:
    """Does the index in the run folder have these parameters?"""
    from siiq_core.runs import read_json

    try:
        index = read_json(run.folder / "index.json")
        return (index["as_of"], index["method_version"], canonical_bytes(index.get("what_if", {}))) == (run.params.as_of, run.version, canonical_bytes(dict(run.what_if)))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return False
