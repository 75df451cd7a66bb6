"""All publishers on loopback, each in its own way, under the project's own parameters with other hosts."""

from __future__ import annotations

import io
import json
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loopback import File, Publisher

from siiq_core.evidence.live.desk import Desk, open_desk
from siiq_core.evidence.live.network import Network
from siiq_core.evidence.live.reading import LiveReport, read_live
from siiq_core.evidence.live.status import LiveStatus, load_status, next_status, write_status
from siiq_core.files import sha256
from siiq_core.params.live import LiveParams, load_live
from siiq_core.params.sources import SourceSpec, load_sources

SOURCES = ("aider", "arena", "bfcl", "epoch", "litellm", "modelsdev", "openrouter")
NETWORK = Network(only_loopback=True, plain_http=True, resolve=lambda host, port: [host])
LICENCE = {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}


class World:
    """A project's desk in a folder of its own, and publishers that are asked instead of the real ones.

    Parameters
    ----------
    publishers : by source; several sources may have the same
    only : sources that are asked at all; all where it is empty
    changes : bounds and times of params/live.yml by name, such as read=0.5, first_wait=0, member_bytes=10_000
    """

    def __init__(self, root: Path, folder: Path, publishers: Mapping[str, Publisher], only: Sequence[str] = (), **changes: Any) -> None:
        self.publishers = publishers
        (folder / "params").symlink_to(root / "params")
        shipped, sources = load_live(root).model_dump(), load_sources(root)
        for name, value in {"first_wait": 0, **changes}.items():
            room = next((room for room in ("timeouts", "retries", "zip", "archive") if name in shipped[room]), None)
            (shipped[room] if room else shipped)[name] = value
        if only:
            shipped["sources"] = {source: shipped["sources"][source] for source in only}
        for source, publisher in publishers.items():
            place = shipped["sources"][source]
            place["hosts"] = [publisher.host]
            place["ask"] |= {key: self.moved(source, place["ask"][key]) for key in ("address", "catalogue") if place["ask"][key]}
            sources[source] = sources[source].model_copy(update={
                key: self.moved(source, address) for key in ("address", "pinned") if (address := getattr(sources[source], key))})
        self.desk: Desk = open_desk(folder, LiveParams.model_validate(shipped), sources)

    def moved(self, source: str, address: str) -> str:
        """A publisher's address on loopback."""
        return self.publishers[source].url(f"/{source}/{address.split('/', 3)[3]}")

    def route(self, source: str, address: str, answer: Any) -> None:
        """What `address` (already on loopback) answers."""
        self.publishers[source].routes[address.split("#")[0].removeprefix(self.publishers[source].url(""))] = answer

    def ask(self, source: str) -> str:
        """The address that a check of the source asks first."""
        return self.desk.params.sources[source].ask.address

    def spec(self, source: str) -> SourceSpec:
        return self.desk.sources[source]

    # --- serving --------------------------------------------------------------------------------------------------------

    def serve(self, source: str, content: Any, etag: str | None = "") -> None:
        """Let a publisher have this content: of epoch {member: bytes}, of arena the board's rows, of the others the file's bytes.

        `etag`: "" stands for one that follows from the content, None for none.
        """
        {"epoch": self._zip, "modelsdev": self._file, "openrouter": self._manifest, "arena": self._pages}.get(source, self._commit)(
            source, content, (lambda made: f'W/"{sha256(made)[:20]}"') if etag == "" else lambda made: etag)

    def _zip(self, source, files, etag):
        packed = zipped(files)
        self.route(source, self.ask(source), File(packed, etag(packed)))

    def _file(self, source, content, etag):
        self.route(source, self.ask(source), File(content, etag(content)))

    def _commit(self, source, content, etag):
        commit = sha256(content)[:40]
        listing = json.dumps([{"sha": commit, "node_id": "x", "commit": {"message": "m"}}]).encode()
        self.route(source, self.ask(source), File(listing, etag(listing)))
        name = self.desk.params.sources[source].ask.file
        self.route(source, self.spec(source).pinned.format(commit=commit, name=name), File(content))

    def _manifest(self, source, content, etag):
        try:
            day = json.loads(content)["snapshot_date"]
        except (ValueError, KeyError, TypeError, RecursionError):
            day = "2026-12-31"
        address = self.spec(source).file_address(day, "benchmark-leaderboard")
        manifest = json.dumps({"dataset": "benchmark-leaderboard", "schema_version": "v1", "snapshot_date": day, "license": LICENCE,
                               "files": {"json": {"url": address, "sha256": sha256(content), "bytes": len(content)}}}).encode()
        self.route(source, self.ask(source), File(manifest, etag(manifest)))
        self.route(source, address, File(content))

    def _pages(self, source, rows, etag):
        for offset in range(0, max(len(rows), 1), 100):
            page = json.dumps({"features": [], "rows": [{"row_idx": k, "row": row, "truncated_cells": []} for k, row in
                                                        enumerate(rows[offset:offset + 100], start=offset)],
                               "num_rows_total": len(rows), "num_rows_per_page": 100, "partial": False}).encode()
            self.route(source, f"{self.ask(source)}&offset={offset}&length=100", File(page, etag(page)))

    # --- reading --------------------------------------------------------------------------------------------------------

    def read(self, clock: Any, *only: str, progress=lambda text: None, network: Network = NETWORK) -> LiveReport:
        """A check, as the command line does it."""
        with self.desk.alone(progress):
            report = read_live(self.desk, network, clock, only, progress)
            write_status(self.desk.folder, next_status(self.status, report, self.desk.sources))
        return report

    @property
    def status(self) -> LiveStatus | None:
        return load_status(self.desk.folder)

    def state(self, source: str):
        """What status.json says of a source."""
        return next(x for x in self.status.sources if x.id == source)

    def kept(self, source: str) -> dict[str, bytes]:
        """The stored observations of a source: name → bytes."""
        return {path.name: path.read_bytes() for path in sorted((self.desk.folder / "observations" / source).glob("*"))}

    def everything(self) -> dict[str, bytes]:
        """All files that live reading wrote, but for the lock."""
        folder = self.desk.folder.parent
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock"}


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """One archive of these members, with others that nobody asks for."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in {"README.md": b"words", **files}.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, method)
    return stream.getvalue()


# --- the publishers' real files, as each of them serves them ------------------------------------------------------------------

def epoch_bundle(shared: Path, day: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((shared / "epoch" / day).iterdir()) if path.is_file()}


def new_layout(shared: Path) -> dict[str, bytes]:
    """A bundle of the newer layout: the transcribed samples of its two tables beside score files of the older one."""
    folder = shared / "epoch" / "metadata_layout_2026-09"
    files = {name: content for name, content in epoch_bundle(shared, "2026-07-31").items() if name != "epoch_capabilities_index.csv"}
    return {**files, "model_metadata.csv": (folder / "model_metadata.sample5.transcribed.csv").read_bytes(),
            "benchmark_metadata.csv": (folder / "benchmark_metadata.sample6.transcribed.csv").read_bytes()}


def arena_rows(shared: Path, day: str = "2025-12-17") -> list[dict[str, Any]]:
    """The catalogue's text board, in the words of the dataset."""
    board = json.loads((shared / "arena" / day / "leaderboard-text-style-control.json").read_bytes())["full"]
    return [{"model_name": name, "organization": "o", "rating": x["rating"], "rating_lower": x["rating_q025"], "rating_upper": x["rating_q975"], "vote_count": 1,
             "rank": k, "category": "overall", "leaderboard_publish_date": day} for k, (name, x) in enumerate(board.items(), start=1)]


def modelsdev_table(shared: Path, day: str = "2026-07-02") -> bytes:
    """The repository's files as the one table that models.dev serves."""
    table: dict[str, Any] = {}
    for path in sorted((shared / "modelsdev" / day).glob("providers/*/models/*.toml")):
        text = path.read_text(encoding="utf-8")
        if not text.startswith("../"):  # a link to another provider's file
            table.setdefault(path.parts[-3], {"id": path.parts[-3], "models": {}})["models"][path.stem] = tomllib.loads(text)
    return json.dumps(table, default=str).encode()


def openrouter_row(model: str = "nova-lab/nova-1-20260101", provider: str = "Hoster A", accuracy: Any = 0.6, runs: int = 1, **more: Any) -> dict[str, Any]:
    return {"benchmark": "gpqa_diamond", "model_permaslug": model, "model_slug": "nova-lab/nova-1", "model_name": "Nova One", "provider_name": provider,
            "accuracy": accuracy, "accuracy_std_dev": None, "run_count": runs, "total_questions": 198 * runs, "avg_cost_per_task_usd": 0.01, **more}


def openrouter_export(*rows: dict[str, Any], day: str = "2026-11-21", **changes: Any) -> bytes:
    """An export as OpenRouter writes it; rows made for the test."""
    return json.dumps({"dataset": "benchmark-leaderboard", "schema_version": "v1", "snapshot_date": day, "license": LICENCE,
                       "columns": [{"name": column} for column in rows[0]] if rows else [], "rows": list(rows), **changes}).encode()


def real_content(shared: Path) -> dict[str, Any]:
    """The newest content of every publisher."""
    return {
        "epoch": epoch_bundle(shared, "2026-07-31"), "aider": (shared / "aider/2025-10-04/polyglot_leaderboard.yml").read_bytes(),
        "bfcl": (shared / "bfcl/2025-12-16/data_overall.csv").read_bytes(), "arena": arena_rows(shared), "modelsdev": modelsdev_table(shared),
        "litellm": (shared / "litellm/v1.110.2/model_prices_and_context_window_backup.json").read_bytes(),
        "openrouter": openrouter_export(openrouter_row(), openrouter_row(provider="Hoster B", accuracy=0.5), openrouter_row("echo/echo-2", runs=3)),
    }
