"""How each kind of publisher is read: what is asked first, what then, and which files a snapshot of it has.

A plan says what to ask, in which order; it parses no row. Where it begins stands in params/live.yml (`ask`), what the
answers must look like in the source's reader. It returns None where the publisher said that nothing is new.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from siiq_core.errors import SourceError
from siiq_core.evidence.live.archive import Member
from siiq_core.evidence.live.asking import Asking
from siiq_core.evidence.live.refusals import AnswerRefused
from siiq_core.evidence.live.zipread import read_members
from siiq_core.evidence.sources import arena, openrouter
from siiq_core.evidence.sources.jsonfile import a_list, an_object, read_json
from siiq_core.params.live import Ask
from siiq_core.params.sources import SourceSpec

_SMALL = 1_000_000  # bytes of a manifest, a catalogue or a list with one commit
Members = tuple[Member, ...]
Plan = Callable[[Ask, SourceSpec, Asking], Members | None]


def members_of(ask: Ask, spec: SourceSpec, asking: Asking) -> Members | None:
    """The files of the source's content as it is now; None where nothing is new since the newest archived one.

    Raises
    ------
    SourceError
        The publisher cannot be read, or answers in another form than assumed.
    """
    return PLANS[ask.kind](ask, spec, asking)


def _zip(ask: Ask, spec: SourceSpec, asking: Asking) -> Members | None:
    content = asking.look(ask.address)
    if content is None:
        return None
    file = ask.address.rpartition("/")[2]
    found = read_members(content, spec.files, asking.client.params.zip, file)
    if not found:
        raise SourceError("the archive holds no file of the source (U6a)", file=file, remedy="look at the archive; its folders may have changed")
    return tuple(Member(name, f"{ask.address}#{name}", part) for name, part in found.items())


def _file(ask: Ask, spec: SourceSpec, asking: Asking) -> Members | None:
    content = asking.look(ask.address)
    return None if content is None else (Member(ask.file, ask.address, content),)


def _commit(ask: Ask, spec: SourceSpec, asking: Asking) -> Members | None:
    """A file of a repository, at the newest commit that touched it."""
    listing = asking.look(ask.address, _SMALL)
    if listing is None:
        return None
    commit = newest_commit(listing, spec)
    address = (spec.pinned or "").format(commit=commit, name=ask.file)
    return (Member(ask.file, address, asking.fixed(address), commit=commit, fixed=True),)


def newest_commit(listing: bytes, spec: SourceSpec) -> str:
    """The first commit of GitHub's list: [{"sha": 40 hexadecimal digits, …}, …]."""
    name = "commits.json"
    commits = a_list(read_json(name, listing, spec), name, "the list of commits")
    if not commits:
        raise SourceError("no commit touches the file any more (U6a)", file=name, remedy="the file may have moved; look in the repository, then mend params/live.yml")
    commit = an_object(commits[0], name, "a commit", 1).get("sha")
    if not isinstance(commit, str) or not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise SourceError("is no commit's hash (U6a)", file=name, row=1, column="sha", value=commit, remedy="look at the list in a browser")
    return commit


def _manifest(ask: Ask, spec: SourceSpec, asking: Asking) -> Members | None:
    """U1: manifest → immutable dated file → its SHA-256 as the manifest states it."""
    try:
        manifest = asking.look(ask.address, _SMALL)
    except AnswerRefused as refusal:  # moved away: the catalogue may say where to
        if refusal.status not in (404, 410) or ask.catalogue is None:
            raise
        catalogue = asking.client.fetch(spec.id, ask.catalogue, max_bytes=_SMALL).content or b""
        manifest = asking.look(openrouter.manifest_address(catalogue, spec), _SMALL)
    if manifest is None:
        return None
    dated = openrouter.plan(manifest, spec)
    content = openrouter.verified(asking.fixed(dated.address), dated)
    return (Member(openrouter.DATASET, dated.address, content, pinned=dated.sha256, fixed=True),)


def _pages(ask: Ask, spec: SourceSpec, asking: Asking) -> Members | None:
    """All pages of a board. One that changed its length while it was read is refused: its pages do not fit together."""
    name, address = arena.page(ask.address, 0)
    found = [Member(name, address, asking.file(address))]
    rows, read = arena.counts(found[0].content, spec, name)
    for offset in arena.offsets(rows, spec)[1:]:
        name, address = arena.page(ask.address, offset)
        found.append(Member(name, address, asking.file(address)))
        total, here = arena.counts(found[-1].content, spec, name)
        read += here
        if total != rows:
            raise SourceError("the board changed while its pages were read", file=name, column="num_rows_total", value=total, remedy="the next run reads it anew")
    if read != rows:
        raise SourceError(f"the pages hold {read} rows where {rows} are stated (U6a)", file=name, column="rows", remedy="the next run reads them anew")
    return tuple(found) if asking.news else None


PLANS: dict[str, Plan] = {"zip": _zip, "file": _file, "commit": _commit, "manifest": _manifest, "pages": _pages}
