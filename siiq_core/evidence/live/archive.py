"""The archive: every distinct parsed file once, compressed, under its SHA-256, with where and when it was seen (U1, U12).

    files/ab/cd/<sha256>.gz           the exact bytes of one parsed file (of a zip: the member), gzip
    files/ab/cd/<sha256>.json         its sidecar: size, places (source, name, address, commit, validators, licence), when
    snapshots/<source>/000001.json    one sighting of a content of the whole source: its members, first and last seen

A sighting ends when another content comes. One that comes back later is a sighting of its own; its files are there already.
Files come before their sidecars and both before the sighting, each is replaced as a whole, so a run that is killed
leaves at most files that no sighting names, and the next run writes on. Writers take a lock, readers need none.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pydantic

from siiq_core.evidence.live.archive_records import Answer, Kept, Place, Sidecar, Sighting
from siiq_core.evidence.live.archive_store import Store
from siiq_core.evidence.live.refusals import ArchiveError
from siiq_core.evidence.live.validators import Validators
from siiq_core.evidence.observations import snapshot_sha256
from siiq_core.files import sha256
from siiq_core.params.live import ArchiveBounds


@dataclass(frozen=True, slots=True)
class Member:
    """A parsed file on its way into the archive."""

    name: str  # inside the snapshot, e.g. "gpqa_diamond.csv"
    address: str  # the publisher's, as asked for; of a zip's member "https://…/bundle.zip#gpqa_diamond.csv"
    content: bytes
    commit: str | None = None  # of the repository it was read at
    pinned: str | None = None  # the SHA-256 it must have, where somebody said (a manifest, an earlier run)
    fixed: bool = False  # the address promises the same bytes for ever (a commit, a dated file)

    @property
    def kept(self) -> Kept:
        """Without the bytes."""
        return Kept(name=self.name, address=self.address, sha256=sha256(self.content), size=len(self.content),
                    commit=self.commit, fixed=self.fixed)


@dataclass(frozen=True)
class Archive:
    """An archive in a folder, which is made when the first file comes.

    Parameters
    ----------
    folder : where it is
    bounds : params/live.yml, archive
    """

    folder: Path
    bounds: ArchiveBounds

    @property
    def _store(self) -> Store:
        return Store(self.folder, self.bounds)

    # --- reading ----------------------------------------------------------------------------------------------------

    def newest(self, source: str) -> Sighting | None:
        """The content of the source seen last; None where it was never read."""
        numbers = self._store.numbers(source)
        return self._sighting(source, numbers[-1]) if numbers else None

    def validators(self, source: str, address: str) -> Validators:
        """What to ask for `address` with: of the newest content, so that a 304 means that this is still there.

        None where a file of that content is damaged or gone, so that the source is read anew and the file mended.
        """
        newest = self.newest(source)
        answer = next((a for a in newest.answers if a.address == address), None) if newest else None
        if newest is None or answer is None:
            return Validators()
        try:
            self.files(newest)
        except ArchiveError:
            return Validators()
        return Validators(answer.etag, answer.last_modified)

    def sightings(self, source: str) -> Iterator[Sighting]:
        """Every sighting in order; a content that came back after another one is there twice."""
        return (self._sighting(source, number) for number in self._store.numbers(source))

    def replay(self, source: str) -> Iterator[Sighting]:
        """Every snapshot of the source once, in order of first seen, `last_seen` being the last of all its sightings."""
        found: dict[str, Sighting] = {}
        for sighting in self.sightings(source):
            first = found.setdefault(sighting.snapshot, sighting)
            found[sighting.snapshot] = first.model_copy(update={"last_seen": max(first.last_seen, sighting.last_seen)})
        return iter(found.values())

    def files(self, sighting: Sighting) -> dict[str, bytes]:
        """The members' bytes by name; ArchiveError where one is damaged or they are not the snapshot they claim to be."""
        found = {member.name: self.read(member.sha256) for member in sighting.members}
        if snapshot_sha256(found) != sighting.snapshot:
            raise ArchiveError("in the archive: the members are not the snapshot they are listed for", file=f"snapshots/{sighting.source}",
                               value=sighting.snapshot, remedy="restore that source's records from a copy of the archive")
        return found

    def read(self, digest: str) -> bytes:
        """One file's bytes, compared with its hash.

        Raises
        ------
        ArchiveError
            It is not there, damaged, or unpacks to more than the bound; names the archive's file.
        """
        path = self._store.path(digest)
        content = self._store.unpacked(path)
        if sha256(content) != digest:
            raise self._store.damaged(path, "its bytes have another SHA-256 than its name")
        return content

    def sidecar(self, digest: str) -> Sidecar:
        """Where and when a file was seen."""
        return self._store.record(self._store.path(digest).with_suffix(".json"), Sidecar)

    def _sighting(self, source: str, number: int) -> Sighting:
        return self._store.record(self._store.sighting(source, number), Sighting)

    # --- writing ----------------------------------------------------------------------------------------------------

    def add(self, source: str, members: Sequence[Member], answers: Sequence[Answer], *, seen_at: str, licence: str) -> Sighting:
        """Archive a content of the whole source; what is there already is not written again.

        Parameters
        ----------
        source : id in params/sources.yml
        members : all its parsed files
        answers : addresses asked, with the validators they came with: what the next run asks with
        seen_at : UTC, ISO 8601 with Z
        licence : of the source's numbers

        Returns
        -------
        The sighting; its `first_seen` is `seen_at` where the content is new or came back.

        Raises
        ------
        ArchiveError
            No licence (E2); a member has other bytes than its pin, or than its fixed address had before; the lock is taken.
        SiiqError
            The disk is full or closed; what was there is untouched.
        """
        if not licence.strip():
            raise ArchiveError(f"no licence is recorded for source {source}", remedy="record one in params/sources.yml, or leave the source out (E2)")
        sighting = _new_sighting(source, members, answers, seen_at, licence)
        for member in members:
            self._check(member)
        store = self._store
        with store.lock():
            numbers = store.numbers(source)
            before = tuple(self.sightings(source)) if any(m.fixed for m in members) else ()
            _check_fixed(sighting, before)
            for member in members:
                self._keep(member)
            self._note(sighting, seen_at)
            number = numbers[-1] if numbers else 0
            newest = self._sighting(source, number) if numbers else None
            if newest is not None and newest.snapshot == sighting.snapshot:
                sighting = sighting.model_copy(update={"first_seen": newest.first_seen, "last_seen": max(newest.last_seen, seen_at)})
            else:
                number += 1
            store.write_record(store.sighting(source, number), sighting)
        return sighting

    def seen_again(self, source: str, seen_at: str) -> Sighting:
        """The newest content is still there (a 304): no snapshot, no new validators; `last_seen` moves on."""
        store = self._store
        with store.lock():
            numbers = store.numbers(source)
            if not numbers:
                raise ArchiveError(f"source {source} was never archived, so nothing of it can be unchanged", remedy="fetch it without a condition")
            sighting = self._sighting(source, numbers[-1])
            sighting = sighting.model_copy(update={"last_seen": max(sighting.last_seen, seen_at)})
            self._note(sighting, seen_at)
            store.write_record(store.sighting(source, numbers[-1]), sighting)
        return sighting

    def _check(self, member: Member) -> None:
        check_pinned(member.content, member.pinned, member.address)
        if len(member.content) > self.bounds.file_bytes:
            raise ArchiveError(f"has {len(member.content):,} bytes, more than the bound archive.file_bytes of {self.bounds.file_bytes:,}",
                               file=member.name, remedy="if it has really grown so much, raise the bound in params/live.yml")

    def _keep(self, member: Member) -> None:
        """The file itself, unless it is there whole; a damaged one is mended with the bytes at hand."""
        path = self._store.path(sha256(member.content))
        with contextlib.suppress(ArchiveError):
            if self._store.unpacked(path) == member.content:
                return
        self._store.write_packed(path, member.content)

    def _note(self, sighting: Sighting, seen_at: str) -> None:
        """The sidecars of the members: these places, seen now. Members of equal bytes share a sidecar."""
        answers = {answer.address: answer for answer in sighting.answers}
        by_digest: dict[str, list[Kept]] = {}
        for member in sighting.members:
            by_digest.setdefault(member.sha256, []).append(member)
        for digest, members in by_digest.items():
            path = self._store.path(digest).with_suffix(".json")
            places: dict[tuple[str, str, str], Place] = {}
            with contextlib.suppress(ArchiveError):  # none yet, or damaged: then what it said of other places is in the sightings
                places = {place.key: place for place in self._store.record(path, Sidecar).places}
            for member in members:
                place = _place(member, answers, sighting, seen_at)
                before = places.get(place.key, place)
                places[place.key] = place.model_copy(update={"first_seen": min(before.first_seen, seen_at),
                                                             "last_seen": max(before.last_seen, seen_at)})
            found = tuple(sorted(places.values(), key=lambda p: (p.first_seen, p.key)))
            self._store.write_record(path, Sidecar(
                sha256=digest, size=members[0].size, first_seen=min(p.first_seen for p in found),
                last_seen=max(p.last_seen for p in found), places=found))


def check_pinned(content: bytes, pinned: str | None, address: str) -> None:
    """Refuse bytes with another SHA-256 than the one that was said (fault kind 22)."""
    if pinned is not None and sha256(content) != pinned.strip().lower():
        raise _other_bytes(address, pinned, sha256(content))


def _check_fixed(sighting: Sighting, before: Sequence[Sighting]) -> None:
    """An address that promises the same bytes for ever keeps its word."""
    fixed: Mapping[str, str] = {member.address: member.sha256 for member in sighting.members if member.fixed}
    for member in (m for earlier in before for m in earlier.members if m.fixed):
        if fixed.get(member.address, member.sha256) != member.sha256:
            raise _other_bytes(member.address, member.sha256, fixed[member.address])


def _other_bytes(address: str, wanted: str, found: str) -> ArchiveError:
    return ArchiveError(f"other bytes than pinned: SHA-256 {found[:16]}… where {ascii(wanted)[1:17]}… was promised", value=address,
                        remedy="nothing of it is used; if the publisher really replaced the file, take it under a new address or pin")


def _new_sighting(source: str, members: Sequence[Member], answers: Sequence[Answer], seen_at: str, licence: str) -> Sighting:
    contents = {member.name: member.content for member in members}
    try:
        if len(contents) != len(members):
            raise ValueError("two members have one name")
        return Sighting(source=source, snapshot=snapshot_sha256(contents), first_seen=seen_at, last_seen=seen_at, licence=licence,
                        members=tuple(sorted((member.kept for member in members), key=lambda m: m.name)),
                        answers=tuple(sorted(answers, key=lambda a: a.address)))
    except ValueError as error:  # pydantic's is one
        what = error.errors()[0]["msg"] if isinstance(error, pydantic.ValidationError) else error
        raise ArchiveError(f"source {source} cannot be archived like this ({what})", remedy="this is a defect in the source's reader") from error


def _place(member: Kept, answers: Mapping[str, Answer], sighting: Sighting, seen_at: str) -> Place:
    answer = answers.get(member.address.partition("#")[0])
    return Place(source=sighting.source, name=member.name, address=member.address, commit=member.commit, licence=sighting.licence,
                 etag=answer.etag if answer else None, last_modified=answer.last_modified if answer else None,
                 first_seen=seen_at, last_seen=seen_at)
