"""Add a model: who moves? Each percentile score with the arrivals that move it most, and each arrival with what it moves, SI-IQ beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.figures import change_axis, change_bar
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, model_link, num, row, rowhead, td, th

Json = Mapping[str, Any]


class View:
    """The words and names of this part in one language."""

    def __init__(self, site: Site, lang: str) -> None:
        self.site, self.lang, self.data = site, lang, site.agreement["newcomers"]
        self._linked = {m["slug"] for m in site.index["models"]}
        self.names = {c["model"]: c["name"] for c in site.percentile["configurations"]}
        self.model_of = {c["id"]: c["model"] for c in site.percentile["configurations"]}

    def say(self, key: str, **values: str) -> str:
        """A text of this part, as HTML."""
        return self.site.words(f"agreement.newcomers.{key}", self.lang, **values)

    def whole(self, value: int) -> str:
        """A count."""
        return format.whole(value, self.lang)

    def signed(self, value: float) -> str:
        """A move in points of a score; nothing moved is a plain 0, little is not."""
        return "0" if value == 0 else format.signed(value, 2, self.lang)

    def model(self, slug: str) -> str:
        """A model by its slug, as a link where it has a page."""
        return model_link({"slug": slug, "name": self.names[slug]}) if slug in self._linked else format.text(self.names[slug])

    def name(self, configuration: str) -> str:
        """The model of a configuration, as text."""
        return format.text(self.names[self.model_of[configuration]])


def newcomers_figure(site: Site, lang: str) -> str:
    """Every percentile score and how far one arrival moves it: a figure that is a table, so that it reads aloud and fits a phone."""
    view = View(site, lang)
    rows = sorted(view.data["moved"], key=lambda m: (-m["score"], m["configuration"]))
    if not rows:
        return f'<p>{view.say("none")}</p>'
    moves = [m[end]["move"] for m in rows for end in ("down", "up") if m[end]]
    most = math.ceil(max(map(abs, moves), default=1))
    siiq = max([m["siiq"] for m in rows if m["siiq"] is not None] + [abs(view.data["all_at_once"]["siiq"]["largest"] or 0)])
    head = [th(view.say("model"), below=view.say("effort")), th(change_axis(most, lang) + f'<span class="hidden">{view.say("points")}</span>', "on-scale"),
            th("SI-IQ", "n", view.say("most")), th(view.say("down"), "n", view.say("by")), th(view.say("up"), "n", view.say("by")), th(view.say("score"), "n")]
    body = [row([rowhead(view.model(m["model"]), f"<code>{format.plain(m['configuration'].partition('@')[2])}</code>"), td(change_bar(*(m[end]["move"] if m[end] else 0.0 for end in ("down", "up")), most), "on-scale"),
                 num("–") if m["siiq"] is None else num(view.signed(m["siiq"]), m["siiq"]), _end(m["down"], view), _end(m["up"], view), num(format.number(m["score"], 1, lang), m["score"])]) for m in rows]
    title = view.say("title", most=format.number(max(map(abs, moves), default=0), 1, lang), siiq=format.shortest(siiq, lang, 6))
    edition = site.words("method.caption", lang, as_of=format.day(site.index["as_of"], lang), version=format.plain(site.index["method_version"]))
    table = html_table("moved", view.say("figure", models=view.whole(view.data["models"])), head, [body])
    return f'<figure class="plotted" id="figure-newcomers"><p class="finding">{title}</p>\n<p class="measure">{view.say("measure")}</p>\n{table}\n<figcaption>{edition}</figcaption></figure>'


def _end(end: Json | None, view: View) -> str:
    return num("–") if end is None else num(f'{view.signed(end["move"])}<span class="below">{view.model(end["by"])}</span>', end["move"])


def newcomers_table(site: Site, lang: str) -> str:
    """Who arrives, and what it does to the scores of all others by either method."""
    view = View(site, lang)
    score = view.say("score")
    head = [th(view.say("who")), th(view.say("moved"), "n", score), th(view.say("moved"), "n", "SI-IQ"), th(view.say("largest"), "n", score), th(view.say("largest"), "n", "SI-IQ"),
            th(view.say("median"), "n", score), th(view.say("swaps"), "n", "SI-IQ"), th(view.say("swaps"), "", score)]

    def group(key: str, **values: str) -> str:
        return row([f'<th scope="rowgroup" colspan="{len(head)}">{view.say(key, **values)}</th>'], kind="group")

    invented = [row([rowhead(view.say(f"kind.{x['kind']}", n=view.whole(x["size"]))), *_cells(x, view)]) for x in view.data["invented"]]
    arrivals = [row([rowhead(view.model(x["model"]), view.say("rows", rows=view.whole(x["rows"]), boards=view.whole(x["boards"]))), *_cells(x, view)]) for x in view.data["arrivals"]]
    return html_table("newcomers", view.say("table"), head, [[group("invented"), *invented], [group("arrivals", n=view.whole(len(arrivals))), *arrivals]])


def _cells(x: Json, view: View) -> list[str]:
    p, s = x["percentile"], x["siiq"]
    pairs = "; ".join(f"{view.name(a)} / {view.name(b)}" for a, b in p["swaps"])
    return [_share(p, view), _share(s, view), _largest(p, view, view.name(p["of"]) if p["of"] else ""), _largest(s, view),
            num("–" if p["median"] is None else format.number(p["median"], 2, view.lang), p["median"]), num(view.whole(len(s["swaps"])), len(s["swaps"])),
            td(view.whole(len(p["swaps"])) + (f'<span class="below">{pairs}</span>' if pairs else ""), "wide")]


def _largest(x: Json, view: View, whose: str = "") -> str:
    shown = "–" if x["largest"] is None else view.signed(x["largest"])
    return num(shown + (f'<span class="below">{whose}</span>' if whose else ""), x["largest"])


def _share(x: Json, view: View) -> str:
    return num(view.say("share", moved=view.whole(x["moved"]), others=view.whole(x["others"])), x["moved"])


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    data = site.agreement["newcomers"]
    crowd = data["all_at_once"]
    counts = {"models": data["models"], "moving": data["moving"], "moving_all": data["moving_all"], "swapping": data["swapping"], "scored": len(data["moved"]),
              "crowd": crowd["size"], "crowd_others": crowd["siiq"]["others"], "crowd_moved": crowd["siiq"]["moved"]}
    return {f"newcomers_{key}": f'<data value="{x}">{format.whole(x, lang)}</data>' for key, x in counts.items()}


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (newcomers_figure, newcomers_table)}
