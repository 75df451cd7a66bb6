"""The page of the methods side by side: how far they agree, and the models on which they do not, each with its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from siiq_core.publish import format, newcomers, slopes
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, model_link, num, row, rowhead, td, th


def agreement_pairs(site: Site, lang: str) -> str:
    """Every pair of methods: models on both, Spearman's ρ and Kendall's τ-b with intervals."""
    say = _say(site, lang)
    head = [th(say("column.first")), th(say("column.second")), th(say("column.shared"), "n"), th(say("column.spearman"), "n"), th(say("column.kendall"), "n")]
    rows = [row([rowhead(say(f"method.{p['a']}")), td(say(f"method.{p['b']}")), num(format.whole(p["n"], lang), p["n"]), _correlation(p["spearman"], lang), _correlation(p["kendall"], lang)])
            for p in site.agreement["pairs"]]
    return html_table("agreement-pairs", say("pairs"), head, [rows])


def _correlation(c: Mapping[str, Any] | None, lang: str) -> str:
    if c is None or c["value"] is None:
        return num("–")
    span = "" if c["low"] is None else f'<span class="below">{format.span(format.number(c["low"], 2, lang), format.number(c["high"], 2, lang))}</span>'
    return num(format.number(c["value"], 2, lang) + span, c["value"])


def agreement_cases(site: Site, lang: str) -> str:
    """The largest disagreements with SI-IQ, a model once, and below each what the rows say about it."""
    say, linked = _say(site, lang), {m["slug"] for m in site.index["models"]}
    head = [th(say("column.model")), th(say("column.other")), th("SI-IQ", "n"), th(say("column.there"), "n"), th(say("column.of"), "n")]

    def case(d: Mapping[str, Any]) -> list[str]:
        name = model_link({"slug": d["model"], "name": d["name"]}) if d["model"] in linked else format.text(d["name"])
        places = [num(format.shortest(d["rank_siiq"], lang), d["rank_siiq"]), num(format.shortest(d["rank_other"], lang), d["rank_other"]), num(format.whole(d["n"], lang), d["n"])]
        return [row([f'<th scope="rowgroup">{name}</th>', td(say(f"method.{d['other']}")), *places], anchor=f"case-{format.plain(d['model'])}", kind="over"),
                row([f'<td colspan="{len(head)}">{" ".join(_why(site, d, lang))}</td>'], kind="why")]

    cases = site.agreement["disagreements"]
    return html_table("agreement-cases", say("cases", n=format.whole(len(cases), lang)), head, [case(d) for d in cases])


def _why(site: Site, d: Mapping[str, Any], lang: str) -> list[str]:
    say, names = _say(site, lang), {b["id"]: b["name"] for b in (*site.percentile["boards"], *site.value["benchmarks"], *site.index["benchmarks"])}

    def listed(ids: list[str]) -> str:
        return ", ".join(format.text(names.get(x, x)) for x in ids)

    low, high = (format.whole(x, lang) for x in d["rank_range"])
    out = [say(f"rule.{d['rule']}"), say("within" if d["within"] else "beyond", low=low, high=high)]
    if d["only_siiq"]:
        out.append(say("only_siiq", names=listed(d["only_siiq"])))
    if d["only_other"]:
        out.append(say("only_other", names=listed(d["only_other"])))
    if d["other_effort"]:
        out.append(say("effort", names="; ".join(f'{format.text(names.get(x["benchmark"], x["benchmark"]))}: {format.text(x["siiq"])} / {format.text(x["other"])}' for x in d["other_effort"])))
    row_ = d["decisive"]
    out.append(say("decisive", name=listed([row_["benchmark"]]), rank=format.shortest(row_["rank"], lang)) if row_ else say("no_single"))
    return out


def _say(site: Site, lang: str) -> Callable[..., str]:
    return lambda key, **values: site.words(f"agreement.{key}", lang, **values)


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    found = {(p["a"], p["b"]): p for p in site.agreement["pairs"]}

    def rho(a: str, b: str) -> str:
        c = found[a, b]["spearman"]
        return "–" if c is None or c["value"] is None else f'<data value="{c["value"]}">{format.number(c["value"], 2, lang)}</data>'

    return {"agreement_least": format.whole(site.agreement["least_shared"], lang), "agreement_eci": rho("siiq", "eci"), "agreement_percentile": rho("siiq", "percentile"), "agreement_arena": rho("siiq", "arena"),
            "agreement_arena_n": format.whole(found["siiq", "arena"]["n"], lang), "agreement_percentile_n": format.whole(found["siiq", "percentile"]["n"], lang), **newcomers.facts(site, lang)}


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {**{f.__name__: f for f in (agreement_pairs, agreement_cases)}, **slopes.BLOCKS, **newcomers.BLOCKS}
