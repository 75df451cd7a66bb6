"""What holds a model's score up, and its results one by one: score, setting, weight, and what was predicted."""

from __future__ import annotations

from siiq_core.publish import format
from siiq_core.publish.holding import Support, predict
from siiq_core.publish.pages.model_view import Bench, Result, View, percentage
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th


_NO_BAR = '<svg class="bars" aria-hidden="true" focusable="false"></svg>'  # keeps a number in line with those that have one


def support(view: View) -> str:
    """A bar per result: its share of the weight, and how far it pulls; the sum is the score."""
    m, lang, say = view.model, view.lang, view.say
    head = [th(view.site.words("column.benchmark", lang), below=view.site.words("column.score", lang)), th(say("support.share"), "n"),
            th(say("support.pull"), "n", say("support.pull_below")), th(say("support.alone"), "n", "SI-IQ"),
            th(say("support.carried"), "n", say("support.carried_below"))]
    most = max(abs(x.pull) for x in view.supports) or 1.0
    longest = max(x.share for x in view.supports)
    rows = [row([_name(view, x), num(_beside(format.percent(x.share, lang, 1)) + _bar(x.share / longest), f"{x.share:.12g}"),
                 num(_beside(format.signed(x.pull, 2, lang)) + _pull(x.pull / most), f"{x.pull:.12g}"),
                 num(format.number(x.alone, 1, lang), f"{x.alone:.12g}"), num(format.number(x.carried, 2, lang), f"{x.carried:.12g}")]) for x in view.supports]
    foot = [row([rowhead(view.site.words("worked.sum", lang)), td(_beside(format.percent(1, lang)) + _NO_BAR, "n"), td(_beside(format.number(0, 2, lang)) + _NO_BAR, "n"), td(""),
                 td(format.number(m["siiq"], 2, lang), "n")])]
    lead = say("support.lead", siiq=f'<strong>{format.number(m["siiq"], 2, lang)}</strong>')
    used = len(view.supports) - 1
    return f'<p>{lead}</p>\n{html_table("support", view.count("support.caption", used), head, [rows], foot, "bars")}'


def _name(view: View, support: Support) -> str:
    if support.line is None:
        return rowhead(view.say("support.start") + " <i>λ</i>", view.say("support.start_below"))
    return rowhead(view.benchmark(support.line.bench), percentage(support.line.result["score"], view.lang))


def _beside(shown: str) -> str:
    """A number in a width of its own, so that the bars beside it begin below one another."""
    return f'<span class="beside">{shown}</span>'


def _bar(part: float) -> str:
    return f'<svg class="bars" aria-hidden="true" focusable="false"><rect width="{100 * part:.1f}%" height="100%"/></svg>'


def _pull(part: float) -> str:
    """To the right of the middle where the result pulls the score up, to the left where it pulls it down."""
    half = 50 * abs(part)
    x, kind = (50.0, "up") if part >= 0 else (50 - half, "down")
    return (f'<svg class="bars" aria-hidden="true" focusable="false"><rect class="{kind}" x="{x:.1f}%" width="{half:.1f}%" height="100%"/>'
            '<line x1="50%" x2="50%" y1="-3" y2="100%"/></svg>')


def results(view: View) -> str:
    """The results by area, those outside the index set last and marked as such."""
    lang, say, words = view.lang, view.say, view.site.words
    head = [th(words("column.benchmark", lang), below=words("column.evaluator", lang)), th(say("results.score"), "n"), th(say("results.predicted"), "n"),
            th(say("results.difference"), "n", say("results.difference_below")), th(say("results.deviations"), "n", say("results.deviations_below")),
            th(say("support.share"), "n"), th(say("results.evidence")), th(say("results.since"), "n"),
            th(say("results.version"), below=say("results.version_below"))]
    shares = {x.line.bench["id"]: x.share for x in view.supports if x.line}
    bodies = []
    for area, own in view.by_area():
        label = words(f"area.{area}", lang) if area else say("results.outside")
        bodies.append([row([f'<th scope="rowgroup" colspan="{len(head)}">{label}</th>'], kind="group")] + [_result(view, r, shares) for r in own])
    table = html_table("results", view.count("results.caption", len(view.model["results"])), head, bodies)
    many_runs = any("impossible for n" in r.get("flags", ()) for r in view.model["results"])
    more = f'\n<p class="small">{say("results.whole_number")}</p>' if many_runs else ""
    return f'<p>{say("results.lead")}</p>\n{table}{more}'


def _result(view: View, result: Result, shares: dict[str, float]) -> str:
    bench, lang = view.benches[result["benchmark"]], view.lang
    ident = format.plain(bench["id"])
    if bench["id"] in shares:
        found, share = predict(view.model, result, bench), shares[bench["id"]]
        numbers = [num(percentage(found.score, lang), f"{found.score:.12g}"), num(format.signed(100 * found.points, 1, lang), f"{found.points:.12g}"),
                   num(format.signed(found.deviations, 1, lang), f"{found.deviations:.12g}"), num(format.percent(share, lang, 1), f"{share:.12g}")]
    else:
        numbers = [td("–", "n")] * 4
    label = view.say("results.show_for", name=format.plain(bench["name"]))
    card = f'<a href="#evidence-{ident}" aria-label="{label}">{view.say("results.show")}</a>'
    run = f'{format.text(result["version"])}<span class="below">{" · ".join([setting(view, result), *notes(view, result)])}</span>'
    since = evidence(view, result)["since"]
    return row([rowhead(view.benchmark(bench), format.text(bench["evaluator"])), num(f'<strong>{percentage(result["score"], lang)}</strong>', result["score"]),
                *numbers, td(card), num(view.day(since), since), td(run, "run")], anchor=f"result-{ident}")


def setting(view: View, result: Result) -> str:
    """How the evaluator ran the model; what is no setting at all is said in words."""
    name = result["setting"]
    return view.say(f"results.{name}") if name in ("default", "unknown") else format.text(name) if name else view.say("results.default")


def notes(view: View, result: Result) -> list[str]:
    """The flags of a result in words."""
    texts = [view.say("flag." + flag.replace(" ", "_")) for flag in result.get("flags", ())]
    return texts if result["version_released"] else [*texts, view.say("results.undated")]


def evidence(view: View, result: Result) -> Bench:
    """The line of evidence.jsonl behind a result."""
    return view.site.evidence[result["evidence"], result["benchmark"]]
