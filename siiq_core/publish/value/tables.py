"""The tables of the value page: who may answer, who cannot yet and why, what it all rests on, the sources."""

from __future__ import annotations

from siiq_core.publish import format
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th
from siiq_core.publish.value.tools import hole
from siiq_core.publish.value.view import Variant, View


def value_table(site: Site, lang: str) -> str:
    """Every variant that may answer, the best first."""
    view = View(site, lang)
    rows = [row([rowhead(view.model(v), view.setting(v["setting"])), *_score(view, v), *_cost(view, v), td(view.say("frontier") if v["frontier"] else "–")],
                anchor=anchor(v)) for v in view.competing]
    head = [*_head(view), th(view.say("column.kind")), th(view.say("column.frontier"))]
    table = html_table("value", view.say("table", n=view.whole(len(rows))), head, [rows])
    return f'<div id="value-table">\n{table}\n<p class="warning">{view.say("warning")}</p>\n</div>'


def value_waiting(site: Site, lang: str) -> str:
    """Those that are scored and cannot answer yet, with the reason, and a link that lets more of them compete."""
    view = View(site, lang)
    models = {v["model"]: v["open_weights"] for v in view.waiting}
    lead = view.say("waiting.lead", variants=view.some("variants_count", len(view.waiting)), models=view.some("models_count", len(models)),
                    open=view.whole(sum(models.values())), closed=view.whole(len(models) - sum(models.values())))
    lower = f'<a id="value-lower" href="#min=1">{view.say("waiting.lower")}</a>' if any(v["cannot_answer"] == "families" for v in view.waiting) else ""
    rows = [row([rowhead(view.model(v), view.setting(v["setting"])), *_score(view, v), _amount(view, v), td(view.say(f"why.{v['cannot_answer']}"), "wide")]) for v in view.waiting]
    table = html_table("value-waiting", view.say("waiting.table", n=view.whole(len(rows))), [*_head(view), th(view.say("column.why"))], [rows], kind="quiet")
    return f'<div id="value-waiting">\n<p>{lead} {lower}</p>\n<details class="fold list"><summary>{view.say("waiting.show")}</summary>\n{table}\n</details>\n<p class="warning">{view.say("warning")}</p>\n</div>'


def value_rests(site: Site, lang: str) -> str:
    """r, centre, worst pair, widest band, mean quality by number of benchmarks, price factor: today's numbers in words."""
    view = View(site, lang)
    s, pair, band, price = (view.data[k] for k in ("shrink", "worst_pair", "widest_band", "price_factor"))
    anchor = next((b for b in view.data["benchmarks"] if b["anchor"]), None)
    items = [(view.say("rests.anchor"), format.text(anchor["name"]) if anchor else "–"),
             (view.say("rests.r"), "–" if s["r"] is None else format.number(s["r"], 3, lang)),
             (view.say("rests.centre"), "–" if s["centre"] is None else view.points(s["centre"])),
             (view.say("rests.pair"), "–" if pair is None else view.say("rests.pair_is", a=view.benchmark(pair["a"]), b=view.benchmark(pair["b"]), n=view.some("shared", pair["shared"]),
                                                                     difference=format.number(abs(pair["difference"]), 1, lang))),
             (view.say("rests.band"), "–" if band is None else view.say("rests.band_is", name=view.name(view.variants[band["variant"]]), low=view.points(band["low"]), high=view.points(band["high"]))),
             (view.say("rests.by_k"), "; ".join(view.some("rests.by_k_is", int(k), points=view.points(x)) for k, x in s["mean_quality_by_k"].items()) or "–"),
             (view.say("rests.factor"), "–" if price["factor"] is None else view.say("rests.factor_is", factor=format.number(price["factor"], 2, lang), n=view.some("pairs", price["pairs"])))]
    return '<div id="value-rests"><dl class="rules">' + "".join(f"<dt>{label}</dt><dd>{text}</dd>" for label, text in items) + "</dl></div>"


def value_sources(site: Site, lang: str) -> str:
    """Per source: in use or not, what it measured, its level and cost factor, what it cannot measure."""
    view = View(site, lang)
    head = [th(view.say("column.source"), below=view.say("column.harness")), th(view.say("column.in_use")), th(view.say("column.variants"), "n"), th(view.say("column.models"), "n"),
            th(view.say("column.open"), "n"), th(view.say("column.offset"), "n", view.say("column.points")), th(view.say("column.factor"), "n"), th(view.say("column.note"))]
    rows = []
    for b in view.data["benchmarks"]:
        notes = [view.say("cost_none")] if not b["cost_comparable"] else []
        notes += [hole(view, b, h) for h in b["known_holes"]]
        notes += [view.say(f"left_out.{b['reason']}")] if b["reason"] else []
        notes += [view.some("unmatched", b["waiting_rows"])] if b["waiting_rows"] else []
        rows.append(row([rowhead(format.link(b["address"], format.text(b["name"])), format.text(b["harness"])), td(view.say("yes" if b["in_use"] else "no")),
                         num(view.whole(b["variants"]), b["variants"]), num(view.whole(b["models"]), b["models"]), num(view.whole(b["open_weights_models"]), b["open_weights_models"]),
                         num("–" if b["offset"] is None else format.number(b["offset"], 1, lang)), num("–" if b["cost_factor"] is None else format.number(b["cost_factor"], 2, lang)),
                         td(" ".join(notes), "wide")], anchor=f"source-{b['id']}"))
    return f'<div id="value-sources">\n{html_table("value-sources", view.say("sources_table"), head, [rows])}\n</div>'


def anchor(v: Variant) -> str:
    """The address of a variant's row."""
    return "v-" + "-".join(format.plain(v["id"]).split())


def _head(view: View) -> list[str]:
    return [th(view.say("column.variant"), below=view.say("column.effort")), th(view.say("column.quality"), "n", view.say("column.points")), th(view.say("column.interval"), "n"),
            th(view.say("column.k"), "n"), th(view.say("column.cost"), "n", view.say("column.index"))]


def _score(view: View, v: Variant) -> list[str]:
    return [num(view.points(v["quality"]), v["quality"]), num(view.interval(v)), num(view.whole(v["k"]), v["k"])]


def _amount(view: View, v: Variant) -> str:
    if v["cost"] is None:
        return num("–")
    own_range = f'<span class="below">{format.span(view.amount(v["cost_low"]), view.amount(v["cost_high"]))}</span>' if v["cost_low"] is not None and v["cost_low"] != v["cost_high"] else ""
    return num(view.amount(v["cost"]) + own_range, v["cost"])


def _cost(view: View, v: Variant) -> list[str]:
    kind = view.say(f"kind.{v['cost_kind']}") + (f' <span class="below">{view.say("cache_missing")}</span>' if v["cost_kind"] == "estimated" and v["cache_price_missing"] else "")
    return [_amount(view, v), td(kind)]
