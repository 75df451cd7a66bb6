"""Which model a name means (I1–I4, I6): an index of Epoch's newest model table, asked exactly, never by likeness."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from siiq_core.errors import IdentityError, ParameterError
from siiq_core.evidence.folding import as_it_stands, fold, hyphen_suffixes, product_words, slug_of, with_suffix
from siiq_core.params.names import Decision, Names, Registered, Registry
from siiq_core.records import Model, ModelVersion

TABLE_SOURCE = "epoch"  # the source whose rows name versions by the ids of the model table itself


@dataclass(frozen=True, slots=True)
class Match:
    """The model a name means."""

    slug: str
    version: str | None  # version id of the model table; None where the name tells the model only
    released: str | None  # ISO day of that version; of all it could be, where they share one day
    setting: str  # settings in the name, ", " between; "" where there is none
    how: str  # "version id", "folded", "hyphen suffix" or "decision"


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Why a name means no model. Waiting names go to the inbox (I4), the others are simply out."""

    rule: str  # I1, I2, I3 or I4
    reason: str
    waits: bool


@dataclass(frozen=True, slots=True)
class OddVersion:
    """A version whose product words differ from its group's (I1)."""

    version: str
    group: str
    more: tuple[str, ...]  # words the version has and the group lacks
    fewer: tuple[str, ...]  # words the group has and the version lacks

    def reason(self) -> str:
        parts = [f"has {', '.join(map(repr, self.more))}"] * bool(self.more)
        parts += [f"lacks {', '.join(map(repr, self.fewer))}"] * bool(self.fewer)
        return f"version {' and '.join(parts)}, unlike its group {self.group!r}"


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Everything a name can be looked up in. Built by `build_index`; asking changes nothing."""

    names: Names
    models: Mapping[str, Model]  # by slug
    versions: Mapping[str, tuple[str, ModelVersion] | Unmatched]  # version id → (slug, line), or why it is out
    keys: Mapping[str, str | Unmatched]  # folded key → slug, or why it names none
    versions_of_key: Mapping[str, tuple[ModelVersion, ...]]
    settings_of: Mapping[str, frozenset[str]]  # slug → settings its own versions carry (I3)
    decisions: Mapping[tuple[str, str], Decision]
    odd_versions: tuple[OddVersion, ...]  # I1
    void_keys: Mapping[str, tuple[str, ...]]  # key → the groups (or versions without one) it would name

    def match(self, source: str, name: str) -> Match | Unmatched:
        """The model that `name` means in `source`; trimmed for matching. Never raises, whatever the name."""
        written = name.strip()
        decided = self.decisions.get((source, written))
        if decided is not None:
            return self._decided(decided, written)
        if not written:
            return Unmatched("I4", "the row names no model", waits=True)
        if len(written) > self.names.max_name_characters:
            return Unmatched("I4", f"longer than {self.names.max_name_characters} characters", waits=True)
        if source == TABLE_SOURCE and written in self.versions:
            found = self.versions[written]
            if isinstance(found, Unmatched):
                return found
            slug, line = found
            return Match(slug, line.version, line.released, _text(fold(written, self.names)[1]), "version id")
        return self._by_folding(written)

    def _decided(self, decision: Decision, written: str) -> Match | Unmatched:
        if decision.decision == "rejected":  # at once, whatever the rules would say (I4)
            return Unmatched("I4", f"rejected on {decision.when}: {decision.why}", waits=False)
        folded, settings = fold(written[: self.names.max_name_characters], self.names)
        version, released = self._version(folded, settings, decision.model)
        return Match(decision.model, version, released, _text(settings), "decision")

    def _by_folding(self, written: str) -> Match | Unmatched:
        folded, settings = fold(written, self.names)
        if folded in self.void_keys:
            return self.keys[folded]
        for rest, suffix in hyphen_suffixes(folded, self.names):  # I3, step 1
            slug = self._slug(rest)
            if slug is None or suffix not in self.settings_of[slug]:
                continue
            if suffix in self.names.thinking_words and self._slug(folded) not in (None, slug):
                continue  # registered apart: never folded
            carried = (suffix, *settings)
            version, released = self._version(rest, carried, slug)
            return Match(slug, version, released, _text(carried), "hyphen suffix")
        slug = self._slug(folded)  # I3, step 2
        if slug is None:  # step 3
            found = self.keys.get(folded)
            return found if isinstance(found, Unmatched) else Unmatched("I2", "no registered name folds to this", waits=True)
        for setting in settings:  # the name with the setting as a tier may be another model
            apart = self._slug(with_suffix(folded, setting))
            if apart not in (None, slug) and (
                    setting in self.names.thinking_words or setting not in self.settings_of[slug]):
                return Unmatched("I3", f"could be {slug} at {setting!r} or {apart}", waits=True)
        version, released = self._version(folded, settings, slug)
        return Match(slug, version, released, _text(settings), "folded")

    def _slug(self, key: str) -> str | None:
        found = self.keys.get(key)
        return found if isinstance(found, str) else None

    def _version(self, key: str, settings: tuple[str, ...], slug: str) -> tuple[str | None, str | None]:
        """The version a key and settings point to: the same settings first, else the bare one, else the shared day."""
        lines = [line for line in self.versions_of_key.get(key, ()) if self.versions[line.version][0] == slug]
        for wanted in (sorted(settings), []):
            same = [line for line in lines if sorted(fold(line.version, self.names)[1]) == wanted]
            if same:  # the id without a prefix before the others
                best = min(same, key=lambda line: (not as_it_stands(line.version).startswith(key), line.version))
                return best.version, best.released
        days = {line.released for line in lines}
        return None, days.pop() if len(days) == 1 else None


def _text(settings: tuple[str, ...]) -> str:
    return ", ".join(settings)


def build_index(model_table: Iterable[ModelVersion], names: Names, registry: Registry,
                decisions: Iterable[Decision] = ()) -> NameIndex:
    """Index of the newest model table: it names the models of every day (data.md, "Identity over time").

    Raises
    ------
    IdentityError
        Two groups of the table share a slug (I6).
    ParameterError
        A decision confirms a slug that is not registered.
    """
    table = tuple(sorted(model_table, key=lambda v: (v.version, v.group, v.released or "")))
    slugs = slugs_of_groups(registry, (v.group for v in table))
    odd = odd_versions(table, names)
    versions = _versions(table, slugs, {o.version: o for o in odd})
    keys: dict[str, set[str]] = {}  # key → what it names: a slug, or "\0" and a version that is out
    lines: dict[str, dict[str, ModelVersion]] = {}
    settings: dict[str, set[str]] = {slug: set() for slug in slugs.values() if slug}
    for version, found in versions.items():
        if len(version) > names.max_name_characters:
            continue
        folded, carried = fold(version, names)
        for key in (folded, as_it_stands(version)):
            keys.setdefault(key, set()).add("\0" + version if isinstance(found, Unmatched) else found[0])
            if not isinstance(found, Unmatched):
                lines.setdefault(key, {})[version] = found[1]
        if not isinstance(found, Unmatched):
            settings[found[0]].update(carried)
    for group, slug in slugs.items():
        if slug:
            for key in (fold(group, names)[0], as_it_stands(group)):
                keys.setdefault(key, set()).add(slug)
    decided = {(d.source, d.name): d for d in decisions}  # a later line replaces an earlier
    for d in decided.values():
        if d.decision == "confirmed" and d.model not in settings:
            raise ParameterError("a decision names a model that is not in the newest model table", file="decisions.csv",
                                 column="model", value=d.model, remedy="use a slug of params/models.csv")
    plain, void = _keys(keys, versions)
    return NameIndex(
        names=names, models=models(table, registry, names), versions=versions, keys=plain,
        versions_of_key={key: tuple(found[v] for v in sorted(found)) for key, found in sorted(lines.items())},
        settings_of={slug: frozenset(found) for slug, found in settings.items()},
        decisions=decided, odd_versions=odd, void_keys=void,
    )


def _versions(table: tuple[ModelVersion, ...], slugs: Mapping[str, str | None],
              odd: Mapping[str, OddVersion]) -> dict[str, tuple[str, ModelVersion] | Unmatched]:
    groups: dict[str, set[str]] = {}
    for line in table:
        groups.setdefault(line.version.strip(), set()).add(line.group.strip())
    versions: dict[str, tuple[str, ModelVersion] | Unmatched] = {}
    for line in table:
        version, group = line.version.strip(), line.group.strip()
        if not version:
            continue
        if len(groups[version]) > 1:
            versions[version] = Unmatched("I2", "the model table puts this version in two groups", waits=True)
        elif not group:
            versions[version] = Unmatched("I4", "the model table names no group for this version", waits=True)
        elif slugs[group] is None:
            versions[version] = Unmatched("I6", "its group has no slug yet", waits=True)
        elif version in odd:
            versions[version] = Unmatched("I1", odd[version].reason(), waits=False)
        else:  # a version listed twice keeps its first line in canonical order
            versions.setdefault(version, (slugs[group], ModelVersion(
                version, group, line.released, line.developer, line.access, line.eci)))
    return versions


def _keys(keys: Mapping[str, set[str]], versions: Mapping[str, tuple[str, ModelVersion] | Unmatched],
          ) -> tuple[dict[str, str | Unmatched], dict[str, tuple[str, ...]]]:
    """A key that would name two things is void (data.md, "Names")."""
    plain: dict[str, str | Unmatched] = {}
    void: dict[str, tuple[str, ...]] = {}
    for key, named in sorted(keys.items()):
        inside = sorted(n for n in named if not n.startswith("\0"))
        outside = sorted(n[1:] for n in named if n.startswith("\0"))
        if len(inside) == 1 and not outside:
            plain[key] = inside[0]
        elif not inside and len({versions[v] for v in outside}) == 1:
            plain[key] = versions[outside[0]]
        elif key:
            void[key] = (*inside, *outside)
            plain[key] = Unmatched("I2", f"could be any of {', '.join(void[key])}", waits=True)
    return plain, void


def odd_versions(model_table: Iterable[ModelVersion], names: Names) -> tuple[OddVersion, ...]:
    """Versions whose product words differ from their group's (I1), sorted by version id.

    A group's words are those of its name, and the modalities that all its versions share (names.yml says why).
    """
    words: dict[str, dict[str, frozenset[str]]] = {}
    for line in model_table:
        version, group = line.version.strip(), line.group.strip()
        if group and max(len(version), len(group)) <= names.max_name_characters:
            words.setdefault(group, {})[version] = product_words(fold(version, names)[0], names)
    odd = []
    for group, versions in words.items():
        shared = frozenset.intersection(*versions.values()) & set(names.modality_words)
        theirs = product_words(fold(group, names)[0], names) | shared
        odd += [OddVersion(version, group, tuple(sorted(mine - theirs)), tuple(sorted(theirs - mine)))
                for version, mine in versions.items() if mine != theirs]
    return tuple(sorted(odd, key=lambda o: (o.version, o.group)))


def slugs_of_groups(registry: Registry, groups: Iterable[str]) -> dict[str, str | None]:
    """Group name → registered slug; None where it has none yet. "" is no group.

    A group spelt anew (another dash, another case) keeps the slug given to its old spelling.
    """
    wanted = sorted({group.strip() for group in groups} - {""})
    given, by_slug = {row.name: row.slug for row in registry}, {row.slug: row.name for row in registry}
    slugs: dict[str, str | None] = {}
    taken: dict[str, str] = {}
    for group in wanted:
        slug = given.get(group) or slug_of(group)
        slugs[group] = slug if slug in by_slug else None
        if slug and slug in taken:
            raise IdentityError(f"groups {taken[slug]!r} and {group!r} would share a slug (I6)", file="models.csv",
                                column="slug", value=slug, remedy="give one of them another slug in params/models.csv")
        if slug:
            taken[slug] = group
    return slugs


def extend_registry(registry: Registry, model_table: Iterable[ModelVersion], day: str) -> Registry:
    """The registry with a slug for every group of the table; slugs are given once and never change (I6).

    A group whose name makes no slug (nothing usable in it, or over 100 characters) gets none; its versions wait.
    """
    groups = {version.group.strip() for version in model_table}
    new = [Registered(slug=slug_of(group), name=group, first_seen=datetime.date.fromisoformat(day))
           for group, slug in slugs_of_groups(registry, groups).items() if slug is None and slug_of(group)]
    return tuple(sorted((*registry, *new), key=lambda row: row.slug))


def canonical_developers(cell: str, names: Names) -> tuple[str, ...]:
    """The developers in an "Organization" cell, after the aliases, each once, in the cell's order."""
    found = (part.strip() for part in cell.split(","))
    return tuple(dict.fromkeys(names.developer_aliases.get(part, part) for part in found if part))


def models(model_table: Iterable[ModelVersion], registry: Registry, names: Names) -> dict[str, Model]:
    """Slug → model. Developer, access and first release day are those of the earliest dated version that counts (I1)."""
    table = sorted(model_table, key=lambda v: (v.released is None, v.released or "", v.version))
    slugs = slugs_of_groups(registry, (v.group for v in table))
    odd = {o.version for o in odd_versions(table, names)}
    found: dict[str, Model] = {}
    for line in sorted(table, key=lambda v: v.version.strip() in odd):  # odd versions speak only where no other does
        slug = slugs.get(line.group.strip())
        if slug and slug not in found:
            developer = ", ".join(canonical_developers(line.developer, names))
            found[slug] = Model(slug, line.group.strip(), developer, line.released, line.access)
    return dict(sorted(found.items()))
