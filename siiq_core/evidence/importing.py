"""`siiq import`: a publisher's files become a snapshot of the evidence store, once all that the index would read of them was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from siiq_core.errors import SourceError
from siiq_core.evidence.identity import slugs_of_groups
from siiq_core.evidence.numbers import iso_day
from siiq_core.evidence.observations import build_snapshot, load_snapshot, write_snapshot
from siiq_core.evidence.sources import adapter
from siiq_core.evidence.sources.base import Adapter
from siiq_core.evidence.sources.epoch import Epoch
from siiq_core.evidence.sources.table import member_name
from siiq_core.params.benchmarks import BenchmarkSpec, load_benchmarks
from siiq_core.params.names import load_registry
from siiq_core.params.sources import SourceSpec, load_sources, source_spec
from siiq_core.records import Snapshot


def import_files(source: str, paths: Sequence[Path], snapshot_day: str, root: Path) -> Path:
    """The files as a snapshot of the store; the path of its CSV. Same files in any order: same bytes.

    Raises
    ------
    SourceError, DefinitionChange, DataError
        A file cannot be read, is another benchmark, or holds an impossible score; nothing is written then.
    """
    if iso_day(snapshot_day) is None:
        raise SourceError("is no ISO day", value=snapshot_day, remedy="name the snapshot by its day, such as 2026-07-31")
    reader = adapter(source, load_sources(root))
    snapshot = build_snapshot(reader, read_files(paths, reader.spec), snapshot_day)
    check_snapshot(reader, snapshot, load_benchmarks(root))
    if isinstance(reader, Epoch):
        slugs_of_groups(load_registry(root), (line.group for line in reader.model_table(snapshot)))  # I6: a clash is refused before it is stored
    return write_snapshot(snapshot, root)


def read_files(paths: Sequence[Path], spec: SourceSpec) -> dict[str, bytes]:
    """The files' bytes by name. Each must be one that params/sources.yml names, within its bound, and given once."""
    contents: dict[str, bytes] = {}
    for path in paths:
        name = member_name(path, spec)
        if name in contents:
            raise SourceError("is given twice", file=name, remedy="import one snapshot at a time")
        try:
            with path.open("rb") as stream:  # one byte over the bound is enough to refuse it
                contents[name] = stream.read(spec.common.bounds.file_bytes + 1)
        except OSError as error:
            raise SourceError(f"cannot be read ({error.strerror})", file=path.name, remedy="check the path") from error
    if not contents:
        raise SourceError(f"no file of source {spec.id} given", remedy="name files among: " + ", ".join(spec.files))
    return contents


def check_snapshot(reader: Adapter, snapshot: Snapshot, benchmarks: Sequence[BenchmarkSpec]) -> None:
    """Reads everything that the index would read, so that a snapshot is refused before it is stored."""
    reader.readings(snapshot, benchmarks)
    if isinstance(reader, Epoch):
        reader.model_table(snapshot)
        reader.definitions(snapshot)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did; as text, one line for a person."""

    path: Path  # the store's CSV; the sidecar stands beside it
    snapshot: Snapshot
    ignored: tuple[str, ...]  # files of a given folder that the source does not import

    def __str__(self) -> str:
        s = self.snapshot
        return (f"{s.source} {s.day}: {len(s.observations)} rows of {len(s.files)} files, {self.path.stat().st_size} bytes, "
                f"SHA-256 {s.sha256[:12]}…; {len(self.ignored)} other files of the folder not imported")


def import_command(source: str, files: Sequence[Path], day: str | None, root: Path) -> Imported:
    """`siiq import SOURCE FILE…`: files, or one folder of which the files named in params/sources.yml are taken.

    `day` is the snapshot's ISO day; None: the name of the folder that is given, or that the files stand in.
    """
    spec = source_spec(source, load_sources(root))
    paths, ignored = list(files), ()
    if len(files) == 1 and files[0].is_dir():
        day = day if day is not None else iso_day(files[0].resolve().name)
        inside = sorted(path for path in files[0].glob("**/*" if any("/" in name for name in spec.files) else "*") if path.is_file())
        paths = [path for path in inside if spec.member(path) is not None]
        ignored = tuple(path.relative_to(files[0]).as_posix() for path in inside if spec.member(path) is None)
        if not paths:
            raise SourceError(f"the folder holds no file of source {source}", file=files[0].name,
                              remedy="it should hold some of: " + ", ".join(spec.files))
    elif any(path.is_dir() for path in files):
        raise SourceError("several folders, or a folder beside files", remedy="import one snapshot at a time")
    path = import_files(source, paths, day if day is not None else _day_of(paths), root)
    return Imported(path, load_snapshot(source, path.stem, root), ignored)


def _day_of(paths: Sequence[Path]) -> str:
    for path in paths:
        if not path.exists():
            raise SourceError("cannot be read (No such file or directory)", file=path.name, remedy="check the path")
    days = {iso_day(path.resolve().parent.name) for path in paths}
    if len(days) != 1 or None in days:
        raise SourceError("the day of the snapshot is not known", file=paths[0].name if paths else None,
                          remedy="give it, such as 2026-07-31, or keep the files in a folder named by it")
    return days.pop()
