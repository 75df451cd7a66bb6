"""Tables of the method chapter: choices, reference group, rows left out. Its figures stand in fit_figures.py and score_figures.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from siiq_core.publish import figures, format
from siiq_core.publish.method import fit_figures, score_figures
from siiq_core.publish.method.facts import CHOICES, PAGE_OF, reference_members
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, model_link, num, row, rowhead, score_cells, td, th


def method_choices(site: Site, lang: str) -> str:
    """Every choice of the method: the rule, what was chosen, and why."""
    words = site.words
    head = [th(words("method.choices.rule", lang)), th(words("method.choices.what", lang)), th(words("method.choices.why", lang))]
    rows = [row([rowhead(f'<a href="{PAGE_OF[rule]}.html#choice-{name.lower()}">{rule}</a>'), td(words(f"method.choice_what.{name.lower()}", lang), "wide"),
                 td(words(f"method.choice_why.{name.lower()}", lang), "wide")]) for name, rule in CHOICES.items()]
    return html_table("choices", words("method.choices.caption", lang, n=format.whole(len(rows), lang)), head, [rows], kind="quiet text")


def method_reference(site: Site, lang: str) -> str:
    """The reference group on the scale it defines (G1, G2)."""
    words, scale, members = site.words, figures.scale_of(site.index), reference_members(site.index)
    head = [th(words("method.model", lang)), th(words("column.siiq", lang), "n keep"), th(words("column.interval", lang), "n"),
            th(figures.axis(scale) + f'<span class="hidden">{words("column.scale", lang)}</span>', "on-scale")]
    rows = [row([rowhead(model_link(m)), *score_cells(m), td(figures.marks(scale, m["siiq"], m["low"], m["high"]), "on-scale")]) for m in members]
    return html_table("reference", words("method.reference.caption", lang, n=format.whole(len(rows), lang)), head, [rows])


def method_left_rows(site: Site, lang: str) -> str:
    """Rows of the newest snapshots that are read and not used, by rule, most first."""
    words, count = site.words, Counter(x["rule"] for x in site.facts["left_out"])
    head = [th(words("method.left_rows.why", lang)), th(words("method.left_rows.rows", lang), "n")]
    rows = [row([rowhead(words(f"method.left_rows.{rule}", lang)), num(format.whole(n, lang), n)]) for rule, n in sorted(count.items(), key=lambda x: (-x[1], x[0]))]
    return html_table("left-rows", words("method.left_rows.caption", lang), head, [rows], kind="quiet") if rows else ""


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {**{f.__name__: f for f in (method_choices, method_reference, method_left_rows)}, **fit_figures.BLOCKS, **score_figures.BLOCKS}
