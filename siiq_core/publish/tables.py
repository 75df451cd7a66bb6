"""The tables of the book: index → one HTML block each, in one language. Nothing here computes a published number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.publish import figures, format
from siiq_core.publish.words import Words

Index = Mapping[str, Any]
AREAS = ("knowledge", "math", "reasoning", "coding", "agents")
_N_MARK = {"defined": "", "effective": "≈\u202f", "assumed": "*"}
_RULE = re.compile(r"[A-Z]\d+[a-z]?")


def html_table(name: str, caption: str, head: Sequence[str], bodies: Iterable[Sequence[str]], foot: Sequence[str] = (), kind: str = "") -> str:
    """A table in a box of its own that scrolls sideways, reachable by keyboard."""
    body = "\n".join(f"<tbody>{''.join(rows)}</tbody>" for rows in bodies)
    tail = f"<tfoot>{''.join(foot)}</tfoot>" if foot else ""
    return (f'<div class="box" role="region" aria-labelledby="{name}-caption" tabindex="0">\n<table class="data {kind}" id="t-{name}">'
            f'<caption id="{name}-caption">{caption}</caption>\n<thead><tr>{"".join(head)}</tr></thead>\n{body}\n{tail}</table>\n</div>')


def th(label: str, kind: str = "", below: str = "") -> str:
    """A column header; `below` is a second, quieter line."""
    small = f'<span class="below">{below}</span>' if below else ""
    return f'<th scope="col"{_class(kind)}>{label}{small}</th>'


def row(cells: Sequence[str], anchor: str = "", kind: str = "") -> str:
    """A table row, with an address of its own where `anchor` is given."""
    return f'<tr{f""" id="{anchor}" """.rstrip() if anchor else ""}{_class(kind)}>{"".join(cells)}</tr>\n'


def td(markup: str, kind: str = "") -> str:
    """A cell of text or marks."""
    return f"<td{_class(kind)}>{markup}</td>"


def rowhead(markup: str, below: str = "") -> str:
    """The cell that names its row."""
    small = f'<span class="below">{below}</span>' if below else ""
    return f'<th scope="row">{markup}{small}</th>'


def num(shown: str, value: object = None) -> str:
    """A number, right-aligned; `value` is the same number for scripts and tests, in no language."""
    return f'<td class="n"{"" if value is None else f""" data-v="{format.plain(value)}" """.rstrip()}>{shown}</td>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def leading(index: Index) -> list[Mapping[str, Any]]:
    """The ranked models that no other ranked model lies wholly above (K3: best rank 1)."""
    return [m for m in index["models"] if m["ranked"] and m["best_rank"] == 1]


def rank_range(model: Mapping[str, Any], lang: str) -> str:
    """1–3, or 7 where both ends are the same."""
    best, worst = (format.whole(model[k], lang) for k in ("best_rank", "worst_rank"))
    return best if best == worst else format.span(best, worst)


def model_link(model: Mapping[str, Any], folder: str = "models/") -> str:
    """A model's name, linked to its page; `folder` is where models' pages stand, seen from the page."""
    return f'<a href="{folder}{format.plain(model["slug"])}.html">{format.text(model["name"])}</a>'


def score_cells(model: Mapping[str, Any]) -> list[str]:
    """Score and interval as published; `data-v` has the numbers behind them, at full precision."""
    shown = model["shown"]
    return [num(f'<strong>{format.plain(shown["siiq"])}</strong>', model["siiq"]),
            num(format.span(format.plain(shown["low"]), format.plain(shown["high"])), f'{model["low"]} {model["high"]}')]


def figure_title(index: Index, words: Words, lang: str) -> str:
    """What the figure of the leading group finds."""
    n = len(leading(index))
    return words("figure.title_one" if n == 1 else "figure.title_many", lang, n=format.whole(n, lang))


def _pair(label: str, drawing: str) -> str:
    return f'<div class="pair"><span>{label}</span>{drawing}</div>'


def scale_figure(index: Index, words: Words, lang: str) -> str:
    """The leading group on the scale: a figure that is a table, so that it reads aloud and fits a phone."""
    scale, group = figures.scale_of(index), leading(index)
    title = figure_title(index, words, lang)
    head = [th(_pair(words("column.model", lang), figures.axis(scale))), th(words("column.siiq", lang), "n keep"), th(words("column.interval", lang), "n")]
    rows = [row([rowhead(_pair(model_link(m), figures.marks(scale, m["siiq"], m["low"], m["high"]))), *score_cells(m)]) for m in group]
    caption = words("figure.caption", lang, as_of=format.day(index["as_of"], lang), version=format.plain(index["method_version"]),
                    members=format.whole(len(index["reference_group"]["members"]), lang))
    table = html_table("leading", words("figure.measure", lang), head, [rows], kind="scale-table")
    return f'<figure class="scale-figure"><p class="finding">{title}</p>\n{table}\n<figcaption>{caption}</figcaption></figure>'


def reason_unranked(reason: Mapping[str, Any], words: Words, lang: str) -> str:
    """K1 or I5 in words: what there is and what would be needed."""
    return words(f'unranked.{reason["what"]}', lang, have=format.whole(reason["have"], lang), need=format.whole(reason["need"], lang))


def data_enough(model: Mapping[str, Any]) -> bool:
    """Whether a model without a rank has data enough, and only its versions lie too far apart (I5)."""
    return bool(model["not_ranked_because"]) and all(x["rule"] == "I5" for x in model["not_ranked_because"])


def _by_area(index: Index, inside: bool) -> Iterable[tuple[str, list[Mapping[str, Any]]]]:
    for area in AREAS:
        own = sorted((b for b in index["benchmarks"] if b["area"] == area and b["in_index"] is inside), key=lambda b: (b["name"].casefold(), b["id"]))
        if own:
            yield area, own
    unknown = sorted({b["area"] for b in index["benchmarks"]} - set(AREAS))
    if unknown:
        raise PublicationError("unknown area", file="index.json", column="benchmarks.area", value=unknown)


def question_count(bench: Mapping[str, Any], lang: str) -> str:
    """n with its mark: ≈ from published errors, * assumed (T3)."""
    shown = format.whole(bench["n"], lang)
    return shown + _N_MARK["assumed"] if bench["n_kind"] == "assumed" else _N_MARK[bench["n_kind"]] + shown


def _licence(bench: Mapping[str, Any], words: Words, lang: str) -> str:
    basis = words("basis.bundle" if bench["license_basis"] == "bundle" else "basis.evaluator", lang)
    return f'{format.text(bench["license"])}<span class="below">{basis}</span>'


def _benchmark(bench: Mapping[str, Any]) -> str:
    """The cell that names a benchmark, with the way to its page."""
    return rowhead(f'<a href="benchmarks/{format.plain(bench["id"])}.html">{format.text(bench["name"])}</a>', format.text(bench["evaluator"]))


def _area_row(area: str, columns: int, words: Words, lang: str) -> str:
    return row([f'<th scope="rowgroup" colspan="{columns}">{words(f"area.{area}", lang)}</th>'], kind="group")


def benchmarks(index: Index, words: Words, lang: str) -> str:
    """The index set with its parameters, a group of rows per area."""
    def small(key: str) -> str:
        return words(f"column.{key}", lang)

    def parameters(b: Mapping[str, Any]) -> list[str]:
        fixed = [num(format.number(b[k], 4, lang), b[k]) for k in ("g", "c")] + [num(question_count(b, lang), b["n"])]
        return fixed + [num(format.number(b[k], 4, lang), b[k]) for k in ("alpha", "beta", "sigma2", "omega")]

    head = [th(small("benchmark"), below=small("evaluator")), th("<i>g</i>", "n", small("chance")), th("<i>c</i>", "n", small("ceiling")),
            th("<i>n</i>", "n", small("questions")), th("<i>α</i>", "n", small("loading")), th("<i>β</i>", "n", small("intercept")),
            th("<i>σ</i>²", "n", small("residual")), th("<i>ω</i>", "n", small("area_weight")), th(small("models_in_fit"), "n"), th(small("licence"))]
    bodies = [[_area_row(area, len(head), words, lang)]
              + [row([_benchmark(b), *parameters(b),
                      num(format.whole(b["models_in_fit"], lang), b["models_in_fit"]), td(_licence(b, words, lang), "keep")], anchor=f'b-{format.plain(b["id"])}')
                 for b in own] for area, own in _by_area(index, True)]
    return html_table("benchmarks", words("benchmarks.caption", lang, n=format.whole(sum(len(x) - 1 for x in bodies), lang)), head, bodies)


def left_out(index: Index, words: Words, lang: str) -> str:
    """Configured benchmarks outside the index set, each with its reason."""
    head = [th(words("column.benchmark", lang), below=words("column.evaluator", lang)), th(words("column.area", lang)), th(words("column.why_out", lang)),
            th(words("column.licence", lang))]
    rows = [row([_benchmark(b), td(words(f"area.{area}", lang)),
                 td(reason_out(b, words, lang), "wide"), td(_licence(b, words, lang), "keep")], anchor=f'b-{format.plain(b["id"])}')
            for area, own in _by_area(index, False) for b in own]
    return html_table("left-out", words("left_out.caption", lang), head, [rows], kind="quiet")


def reason_out(bench: Mapping[str, Any], words: Words, lang: str) -> str:
    """Why a benchmark is out: the rule that took it out, in words."""
    reason = str(bench["reason"] or "")
    rule = _RULE.match(reason)
    if not reason:
        raise PublicationError("a benchmark is out without a reason", file="index.json", column="reason", value=bench["id"])
    return words("left_out." + (rule[0] if rule else reason.replace(" ", "_")), lang)


def not_configured(index: Index, words: Words, lang: str) -> str:
    """Benchmarks that the sources hold and the method does not use, under the rule that keeps them out; E: each is listed."""
    known = index.get("benchmarks_not_configured", ())
    if not known:
        return ""
    items = []
    for rule in sorted({x["rule"] for x in known}):
        names = sorted((x["name"] for x in known if x["rule"] == rule), key=str.casefold)
        items.append(f'<dt>{words(f"not_configured.{rule}", lang)}</dt><dd>{" · ".join(format.text(name) for name in names)}</dd>')
    return f'<p>{words("not_configured.lead", lang, n=format.whole(len(known), lang))}</p>\n<dl class="rules">{"".join(items)}</dl>'


def not_qualified(index: Index, words: Words, lang: str) -> str:
    """Models named for the reference group that had too little data when it was frozen."""
    names = sorted((x["name"] for x in index["reference_group"]["not_qualified"]), key=str.casefold)
    return '<ul class="names">' + "".join(f"<li>{format.text(name)}</li>" for name in names) + "</ul>"


def sources(index: Index, words: Words, lang: str) -> str:
    """The sources of this index: name and address, licence, snapshot, checksum."""
    head = [th(words("column.source", lang)), th(words("column.licence", lang)), th(words("column.snapshot", lang), "n"), th("SHA-256")]
    def checksum(source: Mapping[str, Any]) -> str:
        return f'<code class="hash">{format.plain(source["sha256"])}</code>' if source["sha256"] else "–"

    rows = [row([rowhead(format.link(s["url"], format.text(s["name"]))), td(format.link(s.get("license_url") or "", format.text(s["license"])), "keep"),
                 num(format.day(s["snapshot"], lang), s["snapshot"] or None), td(checksum(s), "wide")],
                anchor=f's-{format.plain(s["id"])}') for s in sorted(index["sources"], key=lambda s: s["id"])]
    return html_table("sources", words("sources.caption", lang), head, [rows])


def attributions(index: Index, words: Words, lang: str) -> str:
    """The attributions that the licences ask for, word for word (hence in English everywhere)."""
    def licence(x: Mapping[str, Any]) -> str:
        """Beside an attribution that does not name it already."""
        return "" if f"({x['license']})" in x["attribution"] else f' <span class="quiet">({format.link(x.get("license_url") or "", format.text(x["license"]))})</span>'

    items = [f'<li lang="en">{format.link(x.get("url") or "", format.text(x["attribution"]))}{licence(x)}</li>' for x in index["license_and_attribution"]]
    return f'<ul class="attributions">{"".join(items)}</ul>'


BLOCKS: Mapping[str, Callable[[Index, Words, str], str]] = {
    f.__name__: f for f in (scale_figure, benchmarks, left_out, not_configured, not_qualified, sources, attributions)
}
