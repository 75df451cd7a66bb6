"""What prose of the value page may name inside a line: the dearest case of ignoring effort, shares, floors."""

from __future__ import annotations

from siiq_core.publish import format
from siiq_core.publish.site import Site
from siiq_core.publish.value.view import View


def facts(site: Site, lang: str) -> dict[str, str]:
    """Every such number, as HTML."""
    view, p = View(site, lang), site.value["parameters"]
    effort = site.value["dearest_effort"]
    share = {"value_cache": p["mix"]["cache_read"], "value_input": p["mix"]["input"], "value_output": p["mix"]["output"], "value_cheap_floor": p["floors"]["cheap"],
             "value_everyday_floor": p["floors"]["everyday"], "value_cheap_share": p["cheap_share"]}
    out = {name: f'<data value="{x:.12g}">{format.percent(x, lang)}</data>' for name, x in share.items()}
    out["value_draws"] = view.whole(p["draws"])
    out["value_seed"] = f'<code>{p["seed"]}</code>'
    if effort is None:
        return {**out, "value_effort": view.say("effort_none")}
    low, high = view.variants[effort["from"]], view.variants[effort["to"]]
    return {**out, "value_effort": view.say("effort", model=view.model(low), low=view.setting(low["setting"]), high=view.setting(high["setting"]),
                                            points=view.points(effort["gained"]), times=view.times(effort["times"]))}
