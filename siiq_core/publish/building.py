"""One language of the book: its sources through Jupyter Book, upon what an earlier build left, and the built pages taken over.

Sphinx redoes only pages whose source or frame changed (sphinx_pace.py). What a build left behind that was killed, or that
failed, is not built upon: a mark is set while nothing is in the making.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import yaml

from siiq_core.errors import PublicationError
from siiq_core.files import sha256
from siiq_core.publish.shared import VERSION, Shared, dataset_sign, day_sign
from siiq_core.publish.words import word_files

# Files of the builder that no page uses.
_NOT_SHIPPED = shutil.ignore_patterns(".buildinfo", "objects.inv", "_sources", "*.map", "basic.css", "pygments.css", "mystnb.*.css", "*.png", "readme.svg",
                                      "translations.js")


def write_sources(folder: Path, texts: Mapping[str, str]) -> None:
    """The Markdown of one language, by page; what is there already is left alone, and pages that are no more leave."""
    for name, text in texts.items():
        _put(folder / f"{name}.md", text)
    for left in folder.rglob("*.md"):
        if left.relative_to(folder).with_suffix("").as_posix() not in texts:
            left.unlink()


def write_contents(work: Path, toc: Mapping[str, object]) -> None:
    """The table of contents, the same in every language."""
    _put(work / "_toc.yml", yaml.safe_dump(toc, allow_unicode=True, sort_keys=False))


def build(work: Path, root: Path, lang: str, site_url: str) -> Path:
    """Jupyter Book over the sources of one language; returns the folder of the built pages, with signs in them (shared.py).

    Raises
    ------
    PublicationError
        A warning or an error of the builder.
    """
    made, whole = work / "out" / lang, work / f".{lang}-whole"
    if not whole.is_file():
        shutil.rmtree(made, ignore_errors=True)  # pages half written that a later build would take for good
    whole.unlink(missing_ok=True)
    config = work / f"_config_{lang}.yml"
    _put(config, yaml.safe_dump(_config(root, lang, site_url), allow_unicode=True))
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", str(work / "src" / lang), "--path-output", str(made),
               "--config", str(config), "--toc", str(work / "_toc.yml"), "--warningiserror", "--keep-going", "--quiet"]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "NO_COLOR": "1", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace")
    if done.returncode:
        said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).splitlines()
        lines = [x for x in said if "WARNING" in x or "ERROR" in x.upper()] or said[-10:]
        raise PublicationError("the book does not build: " + " | ".join(lines[:10]), file=f"book/{lang}", remedy="mend the page named; the earlier book stays")
    whole.touch()
    return made / "_build" / "html"


def take_over(built: Path, folder: Path, names: Collection[str], shared: Shared) -> None:
    """The built pages of one language with what their signs stand for, and the files beside them; no page that is none any more."""
    shutil.copytree(built, folder, ignore=lambda at, names: {*_NOT_SHIPPED(at, names), *(name for name in names if name.endswith(".html"))})
    for name in names:
        page = folder / f"{name}.html"
        if (built / f"{name}.html").is_file():  # else the check says so
            page.write_text(shared.shown((built / f"{name}.html").read_text(encoding="utf-8")), encoding="utf-8", newline="")


def _put(path: Path, text: str) -> None:
    """Into the working folder: what is lost there is made again, so nothing waits for the disk."""
    content = text.encode("utf-8")
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _config(root: Path, lang: str, site_url: str) -> dict[str, Any]:
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    config.pop("dispute_url", None)  # ours (site.py), not Jupyter Book's
    config["html"]["baseurl"] = f"{site_url.rstrip('/')}/{lang}/" if site_url else ""
    config["sphinx"]["config"] |= {
        "language": lang, "templates_path": [str(root / "book" / "_templates")], "html_static_path": [str(root / "book" / "_static")],
        "siiq_root": str(root), "siiq_site_url": site_url, "siiq_made_by": _made_by(root),
        "siiq_edition": {"method_version": VERSION, "as_of": day_sign(lang)}, "siiq_dataset": dataset_sign(lang),
    }
    return config


def _made_by(root: Path) -> str:
    """Changes when words, looks or code of the pages change: Sphinx, which sees none of these, then writes every page again."""
    book_files = [p for name in ("_static", "_templates") for p in (root / "book" / name).rglob("*") if p.is_file() and p.name != "readme.svg"]
    parts = [*word_files(root), *sorted(book_files), *sorted(Path(__file__).parent.rglob("*.py"))]
    return sha256(b"".join(p.read_bytes() for p in parts))
