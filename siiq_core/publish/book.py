"""Results → what the pages of the book may say: one set of numbers and blocks, formatted for each language.

A page says `{{ name }}`; the names are the facts below (inside a line) and the blocks of tables.py and worked.py (alone on
a line). Imports nothing but the published index, so that no page can say what the data files do not.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.publish import agreement, changes, compare, data_blocks, explore, faults, figures, format, gate_blocks, glossary, multiverse, prediction, ranking, simulation, status_blocks, tables, worked
from siiq_core.publish.method import blocks as method_blocks
from siiq_core.publish.method import facts as method_facts
from siiq_core.publish.percentile import blocks as percentile_blocks
from siiq_core.publish.performance import blocks as performance_blocks
from siiq_core.publish.site import Generated, Site
from siiq_core.publish.studies import criticism, intervals
from siiq_core.publish.value import blocks as value_blocks
from siiq_core.publish.value import facts as value_facts
from siiq_core.publish.words import Words

Index = Mapping[str, Any]
SLOT = re.compile(r"\{\{\s*([a-z0-9_]+)\s*\}\}")
BLOCKS = {**tables.BLOCKS, **ranking.BLOCKS, **compare.BLOCKS, **explore.BLOCKS, **worked.BLOCKS}
# blocks that show more than the index
SITE_BLOCKS: Mapping[str, Callable[[Site, str], str]] = {**data_blocks.BLOCKS, **status_blocks.BLOCKS, **gate_blocks.BLOCKS, **changes.BLOCKS, **glossary.BLOCKS, **method_blocks.BLOCKS, **value_blocks.BLOCKS,
                                                            **percentile_blocks.BLOCKS, **agreement.BLOCKS, **prediction.BLOCKS, **simulation.BLOCKS, **intervals.BLOCKS, **criticism.BLOCKS, **multiverse.BLOCKS, **performance_blocks.BLOCKS, **faults.BLOCKS}
SITE_FACTS: tuple[Callable[[Site, str], dict[str, str]], ...] = (method_facts.facts, value_facts.facts, percentile_blocks.facts, agreement.facts, prediction.facts, simulation.facts, intervals.facts, criticism.facts, multiverse.facts, performance_blocks.facts, faults.facts)  # likewise what stands inside a line
DATA_FILES = ("index.json", "evidence.jsonl", "history.json", "history_scores.json", "prices.json", "calibration_inputs.csv", "results.csv", "method_figures.json", "value.json", "percentile.json", "prediction.json", "simulation.json", "intervals.json", "criticism.json", "multiverse.json")
MADE_FILES = ("agreement.json",)  # made from those while the book is built


def counts(index: Index) -> dict[str, int]:
    """Every whole number that prose may name."""
    models, inside = index["models"], [b for b in index["benchmarks"] if b["in_index"]]
    ids, constants, at = {b["id"] for b in inside}, index["constants"], index["calibration"]
    used = [r for m in models for r in m["results"] if r["benchmark"] in ids]
    ranked = sum(m["ranked"] for m in models)
    return {
        "models": len(models), "ranked": ranked, "unranked": len(models) - ranked,
        "too_little": sum(not m["ranked"] and not tables.data_enough(m) for m in models), "too_far": sum(not m["ranked"] and tables.data_enough(m) for m in models),
        "reference": len(index["reference_group"]["members"]), "not_qualified_count": len(index["reference_group"]["not_qualified"]),
        "benchmarks_in": len(inside), "results": len(used),
        "evaluators": len({b["evaluator"] for b in inside}), "from_bundle": sum(b["license_basis"] == "bundle" for b in inside),
        "effective_n": sum(b["n_kind"] == "effective" for b in inside), "assumed_n": sum(b["n_kind"] == "assumed" for b in inside),
        "fitted": len(at["models_in_fit"]), "rounds": at["rounds"], "pairs": at["pairs"],
        "mean": constants["mean"], "sd": constants["sd"], "two_sd": constants["mean"] + 2 * constants["sd"],
        "min_families": constants["min_families_ranked"], "min_areas": constants["min_areas_ranked"],
        "min_evaluators": constants["min_evaluators_ranked"], "max_span_days": constants["max_version_span_days"],
        "min_results": constants["min_results_per_model"], "min_models": constants["min_models_per_benchmark"],
        "min_reference": constants["min_reference_per_benchmark"], "assumed_value": constants["assumed_n"],
        "max_median_change": constants["max_median_change"],
    }


def facts(index: Index, words: Words, lang: str) -> dict[str, str]:
    """What stands inside a line, as HTML."""
    at, constants = index["calibration"], index["constants"]
    out = {name: _data(value, format.whole(int(value), lang)) for name, value in counts(index).items()}
    out |= {name: _data(at[name], format.number(at[name], places, lang)) for name, places in (("shift", 6), ("scale", 6), ("kappa", 4))}
    out |= {"z90": _data(constants["z90"], format.number(constants["z90"], 6, lang)),
            "ninety": _data(0.9, format.percent(0.9, lang)), "max_ranked_change": _data(constants["max_ranked_change"], format.percent(constants["max_ranked_change"], lang)),
            "loading_floor": _data(constants["loading_floor"], format.number(constants["loading_floor"], 2, lang)),
            "as_of": f'<time datetime="{format.plain(index["as_of"])}">{format.day(index["as_of"], lang)}</time>',
            "method_version": format.plain(index["method_version"]), "top_model": format.text(worked.top_model(index)["name"])}
    return out | {"file_" + name.partition(".")[0]: f'<a href="../data/{name}"><code>{name}</code></a>' for name in (*DATA_FILES, *MADE_FILES)}


def all_facts(site: Site, lang: str) -> dict[str, str]:
    """`facts`, and those that need more than the index."""
    out = facts(site.index, site.words, lang)
    for more in SITE_FACTS:
        out |= more(site, lang)
    return out


def links() -> dict[str, str]:
    """Links that a page may name and need not."""
    return method_facts.links()


def all_blocks(site: Site, lang: str) -> dict[str, str]:
    """Every block, as HTML."""
    return {**{name: make(site.index, site.words, lang) for name, make in BLOCKS.items()}, **{name: make(site, lang) for name, make in SITE_BLOCKS.items()}}


def _data(value: float, shown: str) -> str:
    return f'<data value="{value:.12g}">{shown}</data>'


def render(page: str, values: Mapping[str, str], blocks: Mapping[str, str], name: str) -> str:
    """A page's Markdown with its slots filled in.

    Raises
    ------
    PublicationError
        A slot that nothing fills; a block inside a line.
    """
    lines = []
    for number, line in enumerate(page.split("\n"), start=1):
        alone = SLOT.fullmatch(line.strip())
        if alone and alone[1] in blocks:
            lines += _raw(blocks[alone[1]])
            continue
        for slot in SLOT.findall(line):
            if slot not in values:
                what = "a block stands alone on its line" if slot in blocks else "undefined number"
                raise PublicationError(what, file=name, row=number, value=slot, remedy="see siiq_core/publish/book.py for the names")
        lines.append(SLOT.sub(lambda m: format.inline(values[m[1]]), line))
    return "\n".join(lines)


def _raw(block: str) -> list[str]:
    if not block:
        return [""]
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", block)), default=0))
    return ["", f"{fence}{{raw}} html", block, fence, ""]


def generated_page(page: Generated) -> str:
    """A generated page as Markdown: a heading, then one block of HTML."""
    title = format.inline(format.plain(page.title))
    return "\n".join([f"# {title}", *_raw(page.body)])


def slots(page: str) -> set[str]:
    """The names a page uses."""
    return set(SLOT.findall(page))


def leading_picture(index: Index, words: Words, lang: str = "en") -> str:
    """The leading models on the scale as one SVG file: the picture of the README, and of previews in each language."""
    group, scale = tables.leading(index), figures.scale_of(index)
    alternative = "; ".join(f'{m["name"]}: {m["shown"]["siiq"]} ({m["shown"]["low"]} to {m["shown"]["high"]})' for m in group)
    title = tables.figure_title(index, words, lang)
    source = words("figure.source", lang, as_of=format.day(index["as_of"], lang), version=format.plain(index["method_version"]))
    return figures.picture(scale, group, html.unescape(title), words.raw("figure.measure", lang), words.raw("figure.reference", lang),
                           html.unescape(source), alternative)
