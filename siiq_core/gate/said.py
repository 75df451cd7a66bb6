"""What the gate says, as a code and what it speaks of: files carry the English sentence, pages their own language's.

The code is the key of a text (below, and under `said` in book/translations/said.yml); a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ENGLISH: Mapping[str, str] = {
    # what something waits for
    "another_snapshot": "another snapshot of its source that still has it, and {hours} hours between",
    "snapshot_age": "the snapshot of {observed} to be {hours} hours old",
    "source_again": "its source to be read again",
    "readable": "a content that can be read",
    "smaller_file": "{hours} hours in which it stays no larger, or a person",
    "approval": "a person's approval",
    "all_confirmed": "every changed value confirmed, and a recalibration that passes",
    "newcomer": "all its new results confirmed, {hours} hours after they appeared",
    "read_the_same": "a row that the second reader reads the same",
    "another_value": "another value in its source",
    "given_back": "its source to list it no more, or a person",
    "next_try": "another try after {hours} hours",
    "recalibration": "a recalibration that passes",
    "reader": "a second reader in reach",
    "runs": "{runs} hourly runs in which it lasts ({counted} so far), or a person",
    "person": "a person",
    # what was found
    "text": "{what}",
    "rows_lost": "fewer rows: {parts}",
    "rows_and_share_lost": "fewer rows: {parts}; the share kept fell from {before} to {now}, so only a person can accept it",
    "moved": "{moved} of {of} results moved",
    "superseded": "superseded by {by}",
    "redefined": "{name} changed from {before} to {now}",
    "defined_otherwise": "defined otherwise: {now}",
    "scores_unreadable": "its scores cannot be read as configured",
    "no_reader": "no second reader can be reached",
    "lost_rank": "no longer ranked: {lost}",
    "moved_far": "{moved} of {ranked} ranked models moved by more than {points} points",
    "lost_and_moved": "no longer ranked: {lost}; {moved} of {ranked} ranked models moved by more than {points} points",
    "held_long": "{model} on {benchmark} has been held for {days} days",
    "not_switched": "{benchmark} has not switched for {days} days",
    # what a person may do
    "release_or_reject": "release or reject it (siiq gate)",
    "approve_it": "approve it (siiq gate)",
    # why a recalibration was tried, and why it was refused
    "monthly": "monthly",
    "switch": "switch of {benchmark}",
    "baseline": "new baseline of {source}",
    "refused_fit": "{what}",
    "benchmark_leaves": "C9: would leave the index set: {benchmarks}",
    "ranked_changes": "C9: ranked models {before} → {after}, more than {limit}",
    "nothing_compared": "C9: fewer than two models are ranked before and after, so nothing can be compared",
    "order_changes": "C9: rank correlation {found} of scores before and after is below {limit}",
    "scores_change": "C9: median change {found} SI-IQ points is more than {limit}",
}
_PERCENT = {("ranked_changes", "limit")}
_NOT_ITS_INPUTS = "; not all of it from changed inputs, so only a person can let it go on"


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence.

    Parameters
    ----------
    code : key of ENGLISH
    of : what its slots stand for: texts, numbers, lists of texts; `parts`: [benchmark or "", rows before, rows now]
    """

    code: str
    of: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        text = ENGLISH[self.code].format(**{name: _shown(self.code, name, x) for name, x in self.of.items()})
        return text + _NOT_ITS_INPUTS if self.of.get("own_inputs") is False else text

    @property
    def plain(self) -> dict[str, Any]:
        """As files carry it, beside the sentence."""
        return {"code": self.code, "of": dict(self.of)}


def as_said(what: Said | str) -> Said:
    """The same; a bare text says what it says."""
    return what if isinstance(what, Said) else Said("text", {"what": what})


def said_in(told: Any) -> Said:
    """What a file says: a text, or `plain`."""
    return Said("text", {"what": told}) if isinstance(told, str) else Said(told["code"], told["of"])


def _shown(code: str, name: str, value: Any) -> str:
    if name == "parts":
        return ", ".join(f"{benchmark or 'the source'} {had} → {has}" for benchmark, had, has in value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:.0%}" if (code, name) in _PERCENT else f"{value:.4g}"
    return str(value)
