"""How `siiq run` ends: what the rerun moved against the published index, in a page of text; difference.json has all of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from siiq_core.commands.fetch import table
from siiq_core.errors import PublicationError, SiiqError
from siiq_core.gate.said import Said

SHOWN, SHOWN_UNRANKED = 15, 5  # models that move most
_C8 = {"reference_missing": "C8: reference models missing from the set: {models}", "no_interval_factor": "C8: no interval factor was estimated, which needs {folds} folds and {pairs} pairs"}


def published_before(root: Path, folder: Path, named: str, required: bool, say: Callable[[str], None]) -> str:
    """The index that a run into `folder` will be compared with, verified now, before anything starts; "" where there is none.

    Raises
    ------
    PublicationError, VerificationError
        There is none, or it does not follow from itself: where one was named, or `required`.
    """
    from siiq_core.workbench.published import find, open_published

    try:
        path = find(root, named).resolve()
        if path == (folder / "index.json").resolve():
            raise PublicationError("the only index to compare with is the one this run replaces", file="index.json", remedy="make book first, or name another with --against or --out")
        open_published(path)
    except SiiqError as error:
        if named or required:
            raise
        say(f"without a difference at the end: {error}")
        return ""
    return str(path)


def told_in(folder: Path) -> str:
    """difference.json of a run folder in words."""
    return told(json.loads((folder / "difference.json").read_text(encoding="utf-8")))


def told(found: Mapping[str, Any]) -> str:
    """difference.json in words: what was altered, what moved and by how much, and whether C8 and C9 would let it pass."""
    return "\n".join([*_head(found), *_moved(found), *_benchmarks(found), *_acceptance(found), "", *_tables(found)])


def altered_text(altered: Mapping[str, Sequence[Any]]) -> str:
    """Parameters with before and after, on one line; rows of one's own are counted."""
    return ", ".join(f"{name} {_value(a)} → {_value(b)}" for name, (a, b) in altered.items()) or "nothing"


def _value(value: Any) -> str:
    if isinstance(value, list) and any(isinstance(x, dict) for x in value):
        return f"{len(value)} rows"
    text = ascii(value) if isinstance(value, (dict, list)) else str(value)
    return text if len(text) <= 120 else f"{text[:120]}…"


def _head(found: Mapping[str, Any]) -> list[str]:
    against, step, own = found["against"], found["version_step"], found["own"]
    kind = " (itself a what-if run)" if against["what_if"] else ""
    lines = [f"altered: {altered_text(found['altered'])}",
             f"against: {against['file']} of {against['as_of']}, version {against['method_version']}, digest {against['digest'][:12]}{kind}"]
    if own["results"]:
        benches = f", on benchmarks of your own: {', '.join(own['benchmarks'])}" if own["benchmarks"] else ""
        lines.append(f"results of your own: {own['results']}, of {len(own['models'])} models, new among them: {_some(own['new_models'])}{benches}")
    because = f" ({', '.join(step['because'])})" if step["because"] else ""
    return [*lines, f"version step to publish it: {step['step']}{': ' + step['version'] if step['version'] else ''}{because}"]


def _moved(found: Mapping[str, Any]) -> list[str]:
    s = found["summary"]
    if s["digest_same"]:
        return ["nothing moved: the rerun is the same index, byte for byte"]
    lines = [f"models scored: {s['models_before']} → {s['models_after']}; ranked: {s['ranked_before']} → {s['ranked_after']}, "
             f"no longer: {_some([x['slug'] for x in found['no_longer_ranked']])}; newly: {_some(found['newly_ranked'])}",
             f"of {s['scored_in_both']} models in both: {s['scores_moved']} scores moved, {s['shown_scores_moved']} as shown; {s['intervals_moved']} intervals; {s['ranks_moved']} ranks or rank ranges"]
    if s["spearman"] is not None:
        lines.append(f"ranked in both: median change {s['median_change']:.2f} points, largest {s['largest_ranked_change']:.2f}; Spearman's rank correlation {s['spearman']:.6f}")
    if s["line"]:
        lines.append(f"line: after = {s['line']['intercept']:.3f} + {s['line']['slope']:.4f}·before, models lie {s['line']['residual_sd']:.2f} points off it")
    return lines


def _benchmarks(found: Mapping[str, Any]) -> list[str]:
    b, c = found["benchmarks"], found["calibration"]
    joined, left = (", ".join(f"{x['id']} ({word}: {x[key]})" for x in b[name]) or "none" for name, word, key in (("joined", "was out", "before"), ("left", "now", "after")))
    return [f"benchmarks in the index: {b['before']} → {b['after']}; joined: {joined}; left: {left}",
            f"interval factor {c['kappa'][0]:.4f} → {c['kappa'][1]:.4f}; shift {c['shift'][0]:.6f} → {c['shift'][1]:.6f}; scale {c['scale'][0]:.6f} → {c['scale'][1]:.6f}; rounds {c['rounds'][0]} → {c['rounds'][1]}"]


def _acceptance(found: Mapping[str, Any]) -> list[str]:
    would = found["acceptance"]["would_refuse"]
    if not would:
        return ["as a recalibration: C8 and C9 would let it pass (C9 compares both calibrations on the rerun's results)"]
    return ["as a recalibration it would be refused (C9 compares both calibrations on the rerun's results):", *(f"  {said(x)}" for x in would)]


def said(refusal: Mapping[str, Any]) -> str:
    """One refusal of C8 or C9 as a sentence."""
    if refusal["code"] in _C8:
        return _C8[refusal["code"]].format(**{name: ", ".join(x) if isinstance(x, list) else x for name, x in refusal["of"].items()})
    return str(Said(refusal["code"], refusal["of"]))


def _tables(found: Mapping[str, Any]) -> list[str]:
    moved = [m for m in found["models"] if m["change"] and m["before"] and m["after"]]
    ranked = [m for m in moved if m["before"]["rank"] or m["after"]["rank"]]
    others = [m for m in moved if m not in ranked]
    out = []
    for title, models, count in (("ranked before or after", ranked, SHOWN), ("with too little data for a rank", others, SHOWN_UNRANKED)):
        if models:
            out += [f"{title}, the largest move first ({min(count, len(models))} of {len(models)}):", _table(models[:count]), ""]
    new = [m for m in found["models"] if m["before"] is None]
    if new:
        rows = [("model", "SI-IQ", "90 %", "rank"), *((m["slug"], f"{m['after']['siiq']:.2f}", _interval(m["after"]), _rank(m["after"])) for m in new[:SHOWN])]
        out += [f"scored in the rerun alone ({len(new)}):", table(rows), ""]
    gone = [m["slug"] for m in found["models"] if m["after"] is None]
    if gone:
        out += [f"scored before and not in the rerun ({len(gone)}): {_some(gone)}", ""]
    return [*out, "all of it: difference.json in the run folder"]


def _table(models: Sequence[Mapping[str, Any]]) -> str:
    head = ("model", "before", "after", "90 % before", "90 % after", "rank before", "rank after", "change")
    return table([head, *((m["slug"], f"{m['before']['siiq']:.2f}", f"{m['after']['siiq']:.2f}", _interval(m["before"]), _interval(m["after"]),
                           _rank(m["before"]), _rank(m["after"]), f"{m['change']:+.2f}") for m in models)])


def _interval(numbers: Mapping[str, Any]) -> str:
    return f"{numbers['low']:.1f} … {numbers['high']:.1f}"


def _rank(numbers: Mapping[str, Any]) -> str:
    return "–" if numbers["rank"] is None else f"{numbers['rank']} ({numbers['best_rank']}–{numbers['worst_rank']})"


def _some(names: Sequence[str], most: int = 10) -> str:
    return ", ".join([*names[:most], *([f"and {len(names) - most} more"] if len(names) > most else [])]) or "none"
