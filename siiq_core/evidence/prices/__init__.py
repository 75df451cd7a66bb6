"""Developers' own list prices by model, from two sources side by side. They never enter SI-IQ.

    statements.py    what each source says of a day's prices, in its own words and units
    amounts.py       cells → US dollars per million tokens; another unit is refused
    here             whose price it is, which model it is of, and whether the sources agree
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from siiq_core.evidence.identity import Match, NameIndex, canonical_developers
from siiq_core.evidence.observations import load_snapshot, snapshots
from siiq_core.evidence.prices.amounts import PriceList, Refused, price_list
from siiq_core.evidence.prices.statements import Statement, statements
from siiq_core.params.prices import SOURCES, PriceParams, load_prices
from siiq_core.records import LeftOut, Price, SourceFile, Tier

DIFFERS, ANOTHER_VERSION, DOUBTFUL = "differs", "another_version", "unit_in_doubt"  # flags
_SAME = 1e-9  # relative


@dataclass(frozen=True, slots=True)
class Prices:
    """All prices of a day, and every name and row that gave none."""

    prices: tuple[Price, ...]  # by model, source; a model's plain name before its other versions
    refused: tuple[LeftOut, ...]  # rows whose amounts are none (rule "price"), by source, file, line
    unmatched: tuple[tuple[str, str, str], ...]  # (source, name, reason) of developers' own services, sorted


@dataclass(frozen=True, slots=True)
class _Offer:
    statement: Statement
    name: str  # without what the source puts before it
    match: Match
    told: PriceList
    page: str

    def rank(self) -> tuple:
        """The plain name of a model first: the shortest, then the newest version, then by code point."""
        age = -datetime.date.fromisoformat(self.match.released).toordinal() if self.match.released else 0
        return len(self.name), age, self.name, self.statement.name


def prices(root: Path, index: NameIndex, as_of: str) -> tuple[Price, ...]:
    """The price records of a day; see `read_prices` for what gave none."""
    return read_prices(root, index, as_of).prices


def read_prices(root: Path, index: NameIndex, as_of: str) -> Prices:
    """Every developer's own list price that the stored snapshots state for `as_of`, or last stated before it.

    Parameters
    ----------
    index : the models that names may mean
    as_of : ISO day

    Raises
    ------
    SourceError, ParameterError
        The store or params/prices.yml is damaged.
    """
    params = load_prices(root)
    files: dict[tuple[str, str, str], SourceFile] = {}
    offers: list[_Offer] = []
    refused: list[LeftOut] = []
    unmatched: set[tuple[str, str, str]] = set()
    for source in SOURCES:
        read: list[Statement] = []
        for day in snapshots(source, root):
            snapshot = load_snapshot(source, day, root)
            files |= {(source, day, name): file for name, file in snapshot.files.items()}
            read += statements(snapshot, as_of)
        for told in _by_name(read):
            owner = params.owner(source, told[0].provider)
            if owner is None:
                continue  # a service that sells models: no developer's own
            found = _offer(told, owner, index, params, refused)
            if isinstance(found, str):
                unmatched |= {(source, told[0].name, found)} if found else set()
            elif found is not None:
                offers.append(found)
    return Prices(_compared(_records(offers, files), params),
                  tuple(sorted(refused, key=lambda x: (x.observation.source, x.observation.snapshot, x.observation.file, x.observation.line))),
                  tuple(sorted(unmatched)))


def as_published(price: Price) -> dict[str, Any]:
    """A price as a plain value, for JSON."""
    return {**asdict(price), "names": list(price.names), "tiers": [asdict(tier) for tier in price.tiers], "flags": list(price.flags)}


def _by_name(read: Iterable[Statement]) -> list[list[Statement]]:
    """The statements of one provider and name, the newest day first; of one day a history before a table."""
    found: dict[tuple[str, str], list[Statement]] = {}
    for statement in read:
        found.setdefault((statement.provider, statement.name), []).append(statement)
    return [sorted(found[key], key=lambda s: (s.day, s.since or "", s.observation.snapshot), reverse=True) for key in sorted(found)]


def _offer(told: Sequence[Statement], owner: tuple[str, str], index: NameIndex, params: PriceParams, refused: list[LeftOut]) -> _Offer | str | None:
    """The price of a name; or why the name means no model of its developer ("": it is another developer's); or None."""
    developer, prefix = owner
    newest = told[0]
    name = newest.name.removeprefix(prefix)
    if name in params.floating:
        return "means another model from time to time"
    decided = (newest.source, newest.name.strip()) in index.decisions  # a person decides about the name as the source writes it
    found = index.match(newest.source, newest.name if decided else name)
    if not isinstance(found, Match):
        return found.reason
    if developer not in canonical_developers(index.models[found.slug].developer, index.names):
        return ""
    for statement in told:  # the newest that is a price; what is refused leaves the last good one standing
        if found.released and found.released > statement.day:
            return "the model it would mean was released later"
        try:
            own = price_list(statement.amounts, name in params.free, params)
        except Refused as refusal:
            refused.append(LeftOut("price", f"{statement.name}: {refusal}", statement.observation))
            continue
        refused += [LeftOut("price", f"{statement.name}: {part}", statement.observation) for part in own.refused]
        context = next((s.context for s in told if s.context is not None), None)
        weights = next((s.open_weights for s in told if s.open_weights is not None), None)
        return _Offer(replace(statement, context=context, open_weights=weights), name, found, own, params.developers[developer].pricing_page)
    return None


def _records(offers: Sequence[_Offer], files: Mapping[tuple[str, str, str], SourceFile]) -> list[Price]:
    """One record a model, source and price list: the first is that of the model's plain name."""
    groups: dict[tuple[str, str], list[_Offer]] = {}
    for offer in offers:
        groups.setdefault((offer.match.slug, offer.statement.source), []).append(offer)
    out = []
    for (slug, source), group in sorted(groups.items()):
        lists: dict[tuple[Tier, ...], list[_Offer]] = {}
        for offer in sorted(group, key=_Offer.rank):
            lists.setdefault(offer.told.tiers, []).append(offer)
        for position, (own, same) in enumerate(lists.items()):
            best = same[0]
            seen = best.statement.observation
            file = files[source, seen.snapshot, seen.file]
            flags = [*([ANOTHER_VERSION] if position else []), *best.told.flags, *best.statement.flags]
            flags += [f"setting:{best.match.setting}"] if best.match.setting else []
            out.append(Price(
                model=slug, source=source, date=best.statement.day, since=best.statement.since, url=best.statement.url, pricing_page=best.page,
                names=tuple(dict.fromkeys(offer.statement.name for offer in same)), tiers=own, context=best.statement.context,
                open_weights=best.statement.open_weights, flags=tuple(flags),
                file=file.name, snapshot=seen.snapshot, sha256=file.sha256))
    return out


def _compared(records: Sequence[Price], params: PriceParams) -> tuple[Price, ...]:
    """The plain names' records with a flag where two sources disagree; both stay."""
    plain: dict[str, list[Price]] = {}
    for price in records:
        if ANOTHER_VERSION not in price.flags:
            plain.setdefault(price.model, []).append(price)
    flags: dict[tuple[str, str], tuple[str, ...]] = {}
    for model, told in plain.items():
        apart = [(a, b, ratio) for i, a in enumerate(told) for b in told[i + 1:] if (ratio := _ratio(a, b)) > 1 + _SAME]
        for a, b, ratio in apart:
            more = (DIFFERS, *([DOUBTFUL] if ratio >= params.doubtful_ratio else []))
            for price in (a, b):
                flags[model, price.source] = tuple(dict.fromkeys((*flags.get((model, price.source), ()), *more)))
    return tuple(price if ANOTHER_VERSION in price.flags else replace(price, flags=(*flags.get((price.model, price.source), ()), *price.flags))
                 for price in records)


def _ratio(one: Price, other: Price) -> float:
    """The largest factor between amounts that both state for one tier; 1 where they agree in all. Free against paid: infinite."""
    theirs = {tier.name: tier for tier in other.tiers}
    worst = 1.0
    for tier in one.tiers:
        twin = theirs.get(tier.name)
        for a, b in ((tier.input, twin.input), (tier.cached_input, twin.cached_input), (tier.output, twin.output)) if twin else ():
            if a is not None and b is not None and a != b:
                worst = max(worst, max(a, b) / min(a, b) if min(a, b) else float("inf"))
    return worst
