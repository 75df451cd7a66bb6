"""The three answers as cards, each with what it costs to go a step further, what ties with it, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.site import Site
from siiq_core.publish.value.view import Variant, View

_TIES = 3  # named; the others are counted


def value_cards(site: Site, lang: str) -> str:
    """Which models answer today, and the cards by price (R5)."""
    view = View(site, lang)
    picks = [view.variants[a["variant"]]["model"] for _, a in view.answers() if a["variant"]]
    different = view.say(f"different.{len(set(picks))}") if len(picks) == 3 else view.say("different.missing", n=view.whole(3 - len(picks)))
    counts = view.say("counts", sources=view.some("sources_count", len(view.in_use)), variants=view.some("variants_count", len(view.variants)))
    cards = "\n".join(_card(view, name, answer) for name, answer in view.answers())
    return (f'<div id="value-answers">\n<p class="lead" role="status">{different} <span class="quiet">{counts}</span></p>\n<div class="answers">\n{cards}\n</div>\n'
            f'<p class="warning">{view.say("warning")}</p>\n</div>')


def _card(view: View, name: str, answer: Mapping[str, Any]) -> str:
    head = f'<p class="which">{view.say(f"answer.{name}")}</p>\n<p class="what">{view.say(f"means.{name}")}</p>'
    if answer["variant"] is None:
        return f'<section class="answer missing" data-answer="{name}" data-reason="{answer["reason"]}">\n{head}\n<p class="pick">{view.say("none")}</p>\n<p>{missing(view, name, answer)}</p>\n</section>'
    v = view.variants[answer["variant"]]
    notes = [view.say("repeats", other=view.say(f"answer.{answer['repeats']}"))] if answer["repeats"] else []
    notes += [view.say("low_confidence")] if answer["low_confidence"] else []
    notes += [view.say("estimated_note")] if answer["estimated"] else []
    marks = "".join(f'<p class="note">{note}</p>\n' for note in notes)
    lines = "".join(f"<li>{line}</li>" for line in (*_steps(view, v), _tied(view, v), *_sure(view, name, v)))
    return (f'<section class="answer" data-answer="{name}" data-variant="{format.plain(v["id"])}">\n{head}\n<p class="pick">{view.model(v)} <span class="setting">{view.setting(v["setting"])}</span></p>\n'
            f'<p class="numbers">{view.say("quality_line", points=view.points(v["quality"]), interval=view.interval(v))}<br>{cost_line(view, v)}</p>\n{marks}<ul>{lines}</ul>\n</section>')


def missing(view: View, name: str, answer: Mapping[str, Any]) -> str:
    """Why an answer is missing (R6)."""
    reason = answer["reason"]
    if reason == "few_trade_offs":
        return view.say("reason.few_trade_offs", n=view.whole(answer["points"]), needed=view.whole(answer["needed"]))
    if reason == "below_floor":
        return view.say(f"reason.below_floor_{name}", short=view.points(answer["short"]), floor=view.points(answer["floor"]), quality=view.points(answer["quality"]))
    return view.say(f"reason.{reason}")


def cost_line(view: View, v: Variant) -> str:
    """Cost index, with the range where several sources measured it."""
    if v["cost_low"] is not None and v["cost_low"] != v["cost_high"]:
        return view.say("cost_range_line", cost=view.dollars(v["cost"]), low=view.amount(v["cost_low"]), high=view.amount(v["cost_high"]))
    return view.say("cost_line" if v["cost_kind"] == "measured" else "cost_estimated_line", cost=view.dollars(v["cost"]))


def _steps(view: View, v: Variant) -> list[str]:
    up, down = view.step(v, 1), view.step(v, -1)
    first = view.say("step_up", name=view.name(up), points=view.points(up["quality"] - v["quality"]), times=view.times(up["cost"] / v["cost"])) if up else view.say("no_step_up")
    second = (view.say("step_down", name=view.name(down), points=view.points(v["quality"] - down["quality"]), times=view.times(v["cost"] / down["cost"])) if down else view.say("no_step_down"))
    return [first, second]


def _tied(view: View, v: Variant) -> str:
    others = view.ties(v)
    if not others:
        return view.say("no_ties" if v["low"] is not None else "no_interval")
    names = "; ".join(view.name(w) for w in others[:_TIES])
    return view.say("ties_more", n=view.whole(len(others)), names=names) if len(others) > _TIES else view.some("ties", len(others), names=names)


def _sure(view: View, name: str, v: Variant) -> list[str]:
    """How often it wins, and who wins otherwise."""
    shares = [(x["variant"], x["share"]) for x in view.data["sure"][str(view.data["parameters"]["min_benchmarks"])][name]]
    own = next((share for variant, share in shares if variant == v["id"]), 0.0)
    others = [view.say("sure_other", name=view.say("none") if w is None else view.name(view.variants[w]), share=view.percent(share)) for w, share in shares if w != v["id"]][:2]
    first = view.say("sure", share=view.percent(own), n=view.whole(view.data["parameters"]["draws"]))
    return [first + (" " + view.say("sure_else", names="; ".join(others)) if others else "")]
