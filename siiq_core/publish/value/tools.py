"""What a reader can switch: sources, minimum, filters. Hidden until a script shows it; its state stands in the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.scripts import json_in_page
from siiq_core.publish.site import Site
from siiq_core.publish.value.view import View

CONTEXTS = (128_000, 200_000, 1_000_000)  # tokens that a reader may ask for


def value_tools(site: Site, lang: str) -> str:
    """The form, and the words of the page for its script."""
    view = View(site, lang)
    developers = sorted(set(view.data["developers"]), key=lambda x: (x.casefold(), x))
    options = "".join(f'<option value="{format.plain(x)}">{format.plain(x)}</option>' for x in developers)
    contexts = "".join(f'<option value="{n}">{view.say("tools.tokens", n=view.whole(n))}</option>' for n in CONTEXTS)
    sources = "".join(_switch(view, b) for b in view.data["benchmarks"])
    everything = view.say("tools.all")
    words = json_in_page({f"value.{key}": text for key, text in site.words.group("value", lang).items()})
    return (f'<link rel="stylesheet" href="_static/value.css">\n<form id="value-tools" hidden>\n<fieldset class="switches"><legend>{view.say("tools.sources")}</legend>\n<ul>{sources}</ul></fieldset>\n'
            f'<div class="tools">\n<label class="tick"><input type="checkbox" name="min" autocomplete="off"> {view.say("tools.min")}</label>\n'
            f'<label class="tick"><input type="checkbox" name="open" autocomplete="off"> {view.say("tools.open")}</label>\n'
            f'<label>{view.say("tools.developer")} <select name="developer" autocomplete="off"><option value="">{everything}</option>{options}</select></label>\n'
            f'<label>{view.say("tools.context")} <select name="context" autocomplete="off"><option value="">{everything}</option>{contexts}</select></label>\n'
            f'<label>{view.say("tools.cost")} <input type="number" name="cost" min="0" step="any" inputmode="decimal" autocomplete="off"></label>\n'
            f'<button type="reset">{view.say("tools.reset")}</button>\n</div>\n<p class="quiet">{view.say("tools.what")}</p>\n</form>\n'
            f'<script type="application/json" id="value-words">{words}</script>')


def _switch(view: View, b: Mapping[str, Any]) -> str:
    note = "".join(f' <span class="below">{hole(view, b, h)}</span>' for h in b["known_holes"])
    return (f'<li><label><input type="checkbox" name="source" value="{b["id"]}"{" checked" if b["in_use"] else ""} autocomplete="off"> <bdi>{format.plain(b["name"])}</bdi> '
            f'<span class="quiet">{view.say("tools.measured", variants=view.some("variants_count", b["variants"]), models=view.some("models_count", b["models"]), open=view.whole(b["open_weights_models"]))}</span></label>{note}</li>')


def hole(view: View, b: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """What a version of a benchmark cannot measure, and whether the rows here are of that version (Q8)."""
    return view.say(f"hole.{known['code']}" if known["version"] == b["version"] else f"other_version.{known['code']}", version=format.plain(known["version"]))
