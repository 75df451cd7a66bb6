"""`siiq score --add`: where results of one's own would land, told with the whole arithmetic; nothing is written."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from siiq_core.commands.fetch import table
from siiq_core.errors import harmless

_MOST = 10  # other models named whose ranks move
_MOSTLY_PULL = 0.25  # share of D from which a reader is told that the score is the pull's in good part


def score_added(root: Path, rows: Path, against: str, as_json: bool) -> str:
    """What `siiq score --add` prints.

    Raises
    ------
    ParameterError, PublicationError, VerificationError
        A row that can be none, nothing to score against, or an index that does not follow from itself.
    """
    from siiq_core.evidence.own import read_rows
    from siiq_core.workbench.adding import added
    from siiq_core.workbench.published import find, open_published

    found = added(open_published(find(root, against)), read_rows(rows))
    return json.dumps(found, sort_keys=True, indent=1, ensure_ascii=True) if as_json else told(found)


def told(found: Mapping[str, Any]) -> str:
    """The outcome for people: every row, every model with its arithmetic, and the others."""
    against = found["against"]
    parts = [f"under the calibration {against['calibration']}, frozen, of {against['file']} of {found['as_of']} (version {found['method_version']}, digest {against['digest'][:12]}){' (itself a what-if run)' if against['what_if'] else ''}",
             "\n".join(_rows(found["rows"])), *("\n".join(_model(m, found["ranked"])) for m in found["models"]), "\n".join(_others(found["others"]))]
    return "\n\n".join(parts)


def _rows(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    noted = [(f"row {x['row']}", x["model"], x["benchmark"], f"{x['score']:g}", "; ".join(notes)) for x in rows if (notes := _notes(x))]
    return [f"{len(rows)} rows of {harmless(rows[0]['file'])}; {sum(x['counts'] for x in rows)} count", *([table(noted)] if noted else [])]


def _notes(x: Mapping[str, Any]) -> list[str]:
    notes = [f"does not count: {x['why']}"] if x["why"] else []
    notes += [f"in place of the published {x['in_place_of']:g}"] if x["in_place_of"] is not None else []
    notes += [f"{x['clipped']}, counts as at it (T)"] if x["clipped"] else []
    return notes + ([f"counted among the runs of {x['counted_as']}; runs of your own are a benchmark of their own (add_benchmarks)"] if x["counted_as"] else [])


def _model(m: Mapping[str, Any], ranked: int) -> list[str]:
    like = f", like {harmless(m['nearest'])} but another name" if m["nearest"] else ""
    head = f"== {harmless(m['name'])} ({m['slug']}, {'new' if m['new'] else 'known'}{like}) =="
    if m["after"] is None:
        return [head, "no score: none of its results is on a benchmark of the index"]
    a = m["after"]
    lines = [head, f"SI-IQ {a['shown']['siiq']}, 90 % interval {a['shown']['low']} … {a['shown']['high']}; {_place(a, ranked)}"]
    if m["before"]:
        b = m["before"]
        lines.append(f"before: SI-IQ {b['shown']['siiq']}, {b['shown']['low']} … {b['shown']['high']}; {_place(b)}; change {a['siiq'] - b['siiq']:+.2f} points")
    lines += [f"not ranked, {x['rule']}: {x['what'].replace('_', ' ')} {x['have']}, {'at most' if x['rule'] == 'I5' else 'at least'} {x['need']}" for x in m["not_ranked_because"]]
    areas = ", ".join(f"{area} {x['shown']['siiq']} ({x['shown']['low']} … {x['shown']['high']})" for area, x in m["areas"].items())
    lines.append(f"areas: {areas or 'none with enough question sets (A1)'}")
    pull = m["arithmetic"]["lam"] / m["arithmetic"]["d"]
    lines += [f"the results say little: {pull:.0%} of D is the pull towards the middle (λ), which the interval does not tell"] if pull > _MOSTLY_PULL else []
    return [*lines, "", *_arithmetic(m["arithmetic"])]


def _place(numbers: Mapping[str, Any], ranked: int | None = None) -> str:
    if not numbers["ranked"]:
        return "provisional, no rank"
    return f"rank {numbers['rank']}{f' of {ranked}' if ranked else ''}, ranks {numbers['best_rank']}–{numbers['worst_rank']} within the interval"


def _arithmetic(a: Mapping[str, Any]) -> list[str]:
    """S1–S3 as the model pages show them: rows with their sums, then four lines."""
    first = [("benchmark", "s", "g", "c", "n", "p*", "y", "v"),
             *((_own(x), *(f"{x[k]:.4f}" for k in ("score", "g", "c")), str(x["n"]), *(_f(x[k]) for k in ("p_star", "y", "v"))) for x in a["rows"])]
    terms = ("alpha", "beta", "sigma2", "omega", "f", "w", "information", "pull", "noise")
    second = [("benchmark", "α", "β", "σ²", "ω", "f", "w", "wα²", "wα(y−β)", "w²α²(σ²+v)", "share"),
              *((_own(x), *(_f(x[k]) for k in terms), f"{x['share']:.1%}") for x in a["rows"]),
              ("sum", *[""] * 6, *(_f(a[k]) for k in ("information", "pull", "noise")), "100.0%")]
    ends = " … ".join(f"{a[k]:.1f}" for k in ("low", "high"))
    root = math.sqrt(a["noise"]) / a["d"] / a["scale"]
    return [table(first), "", table(second), "",
            f"D = {a['lam']:.2f} + {_f(a['information'])} = {_f(a['d'])}",
            f"θ₀ = {_f(a['pull'])}/{_f(a['d'])} = {_f(a['theta0'])};  θ = ({_f(a['theta0'])} − {_bracketed(a['shift'])})/{a['scale']:.6f} = {_f(a['theta'])}",
            f"SE = {a['kappa']:.4f}·√{_f(a['noise'])}/{_f(a['d'])}/{a['scale']:.6f} = {_f(a['kappa'] * root)}",
            f"SI-IQ = {a['mean']:g} + {a['sd']:g}·{_f(a['theta'])} = {a['siiq']:.2f} → {round(a['siiq'])};  {ends} → {round(a['low'])} … {round(a['high'])}"]


def _f(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")  # a minus of its own: a spreadsheet runs nothing that begins with it


def _bracketed(value: float) -> str:
    return f"{value:.6f}" if value >= 0 else f"(−{-value:.6f})"


def _own(x: Mapping[str, Any]) -> str:
    return f"{x['benchmark']} *" if x["own"] else x["benchmark"]


def _others(o: Mapping[str, Any]) -> list[str]:
    moved = [f"{x['slug']} {x['before'][0]} ({x['before'][1]}–{x['before'][2]}) → {x['after'][0]} ({x['after'][1]}–{x['after'][2]})" for x in o["ranks_moved"]]
    more = f" and {len(moved) - _MOST} more" if len(moved) > _MOST else ""
    return [f"C10: {o['models']} other models computed again, {o['numbers']} numbers compared with the published ones: {o['moved']} differ",
            f"ranks or rank ranges of others that move: {len(moved)}{': ' + ', '.join(moved[:_MOST]) + more if moved else ''}", "* a row of your own; nothing was written"]
