"""The book: three builds of Jupyter Book, two at a time, checked, then swapped in as a whole (U11).

The sources are copied with their numbers filled in to a folder beside the output, so that a build never writes between
them and Sphinx redoes only the pages whose text changed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from siiq_core.errors import PublicationError, VerificationError
from siiq_core.files import clear_asides, replace_bytes, replace_json, sha256
from siiq_core.publish import book, building, check, datafiles, explore, format, glossary, metadata, prints, releases, scripts, swap, written
from siiq_core.publish.datapackage import data_package
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.pages import generated
from siiq_core.publish.seen import Seen
from siiq_core.publish.shared import Shared, shared_of
from siiq_core.publish.site import Site, load_site
from siiq_core.publish.standing import site_url_of, standing_files
from siiq_core.publish.value import assets as value_assets
from siiq_core.publish.words import Words
from siiq_core.verify import verify_file

Progress = Callable[[str], None]
_AT_A_TIME = 2


def build_book(index: Mapping[str, Any], run_dir: Path, out_dir: Path, root: Path, site_url: str, progress: Progress) -> list[str]:
    """Build, check and swap in the book of `index`; returns its pages.

    Parameters
    ----------
    index : the published index; `run_dir` holds it as a file, with the other data files
    out_dir : the site, e.g. _build/html; the work is done in hidden folders beside it
    root : the project's folder, with book/, _config.yml and _toc.yml
    site_url : where the site will stand, for canonical addresses; "" where that is not known

    Raises
    ------
    PublicationError
        A what-if index, a fault of the sources, a failed build or a faulty page. The earlier site stays as it was.
    """
    if "what_if" in index:
        raise PublicationError("this index is a what-if run", file="index.json", column="what_if", value=index["what_if"],
                               remedy="no page is made from altered parameters; run the method as it is shipped")
    words, pages = Words.load(root), written.read_pages(root)
    site = load_site(index, run_dir, root, words, site_url)
    known = [*book.BLOCKS, *book.SITE_BLOCKS, *book.all_facts(site, "en")]
    written.check_names(pages, known)
    glossary.check_glossary(pages, words)
    _require_own_folder(out_dir, root)
    fresh, work = (out_dir.parent / f".{out_dir.name}-{name}" for name in ("new", "work"))
    swap.repair(out_dir)
    shutil.rmtree(fresh, ignore_errors=True)
    for folder in (work, work / "_static", root / "book" / "_static"):
        clear_asides(folder)
    try:
        _copy_data(index, run_dir, fresh / "data")
        replace_json(fresh / "data" / book.MADE_FILES[0], site.agreement)
        value_assets.write_assets(index, run_dir, fresh / value_assets.FOLDER)
        site = replace(site, files=_complete_data(site, out_dir / "data", fresh, site_url), held_out=releases.held_out(fresh / "data"))
        shared = shared_of(site, site_url)
        names = _make_pages(site, pages, shared, work, fresh, progress)
        progress(f"checking {len(names)} pages in each language, and every link")
        found = check.check_html(fresh, names, site_url, Seen(work / "pages.json", shared))
        replace_if_changed(root / "book" / "_static" / "readme.svg", book.leading_picture(index, words).encode("utf-8"))
        swap.swap(fresh, out_dir)
    except OSError as error:
        _, name, why = error.args[0][0] if isinstance(error, shutil.Error) else ("", error.filename or fresh, error.strerror)  # of a tree: its first file
        raise PublicationError(f"the book cannot be written ({why})", file=Path(name).name, remedy="free some space or permit writing, then run it again; the earlier book stays") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return found


def build_book_from_run(run_dir: Path, out_dir: Path, root: Path, progress: Progress) -> list[str]:
    """`build_book` from the files of a finished run, verified first; the site's address is html.baseurl of _config.yml."""
    try:
        index = json.loads((run_dir / "index.json").read_text(encoding="utf-8"))
        wanted = json.loads((run_dir / "manifest.json").read_text(encoding="utf-8"))["outputs"]
        torn = sorted(name for name, digest in wanted.items() if sha256((run_dir / name).read_bytes()) != digest)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PublicationError(f"no whole run in the folder ({error})", file=run_dir.name, remedy="run the stages first (siiq run)") from error
    if torn:
        raise PublicationError(f"changed since the run: {', '.join(torn)}", file=torn[0], remedy="run the stages again (siiq run)")
    progress("verifying every number of the index from the file alone")
    report = verify_file(run_dir / "index.json")  # U11: every SI-IQ recomputed before anything is published
    if not report.passed:
        raise VerificationError("the index does not follow from itself: " + report.summary, file="index.json", remedy="run the stages again (siiq run)")
    return build_book(index, run_dir, out_dir, root, site_url_of(root), progress)


def replace_if_changed(path: Path, content: bytes) -> None:
    """Write a file as a whole, but leave one alone that says so already: what depends on it then stays up to date."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(path, content)


def _make_pages(site: Site, pages: Mapping[str, Mapping[str, str]], shared: Shared, work: Path, fresh: Path, progress: Progress) -> list[str]:
    """Stage and build every page; returns their names, which are the same in every language."""
    names: dict[str, list[str]] = {}
    progress("building the book in three languages")
    with ThreadPoolExecutor(_AT_A_TIME) as pool, ProcessPoolExecutor(1) as beside:
        drawn, making = beside.submit(prints.prints, site.index, site.words), []
        for lang in LANGUAGES:  # one is built while the next is made ready
            names[lang] = _stage(site, shared, work, pages[lang], lang)
            making.append(pool.submit(_make, site, shared, work, fresh, names[lang], lang))
        for x in making:
            x.result()
    if not names["en"] == names["de"] == names["es"]:
        raise PublicationError("generated pages differ between languages", value=sorted(set(names["en"]) ^ set(names["de"]) | set(names["en"]) ^ set(names["es"])))
    for name, content in drawn.result().items():
        (fresh / prints.FOLDER).mkdir(exist_ok=True)
        replace_bytes(fresh / prints.FOLDER / name, content)
    _write_library(fresh, work)
    _write_choice(fresh / "index.html", site.root, site.index, site.words, site.site_url)
    return names["en"]


def _stage(site: Site, shared: Shared, work: Path, pages: Mapping[str, str], lang: str) -> list[str]:
    """The Markdown of one language with its numbers filled in, and the table of contents; returns the pages' names."""
    values, blocks = {**book.links(), **book.all_facts(site, lang)}, {name: shared.hidden(x) for name, x in book.all_blocks(site, lang).items()}
    texts = {name: book.render(glossary.link_terms(written.split_front(page)[1], name, site.words, lang), values, blocks, f"book/{lang}/{name}.md") for name, page in pages.items()}
    made = generated(site, lang)
    texts |= {name: book.generated_page(replace(page, body=shared.hidden(page.body))) for name, page in made.items()}
    building.write_sources(work / "src" / lang, texts)
    building.write_contents(work, written.with_generated(site.root, made.values()))
    return list(texts)


def _make(site: Site, shared: Shared, work: Path, fresh: Path, names: Sequence[str], lang: str) -> None:
    """One language, built and taken over, with the files beside its pages."""
    building.take_over(building.build(work, site.root, lang, site.site_url), fresh / lang, (*names, "search"), shared)
    replace_bytes(fresh / lang / "_static" / scripts.WORDS, scripts.words_script(site.words, lang))
    if site.site_url:  # a preview has use for an absolute address only
        replace_bytes(fresh / lang / "_static" / metadata.PREVIEW, metadata.preview(book.leading_picture(site.index, site.words, lang)))


def _write_library(fresh: Path, work: Path) -> None:
    """The scripts that draw charts, once for all languages; made anew only where their version changed."""
    kept = work / explore.library_name()
    if not kept.is_file():
        replace_bytes(kept, explore.library())
    (fresh / explore.LIBRARY).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(kept, fresh / explore.LIBRARY)


def _write_choice(path: Path, root: Path, index: Mapping[str, Any], words: Words, site_url: str) -> None:
    """The page above the languages: no guess, no redirect, one line about the index in each."""
    env = Environment(loader=FileSystemLoader(root / "book" / "_templates"), autoescape=True, undefined=StrictUndefined)
    versions = [{"lang": lang, "t": words.group("ui", lang), "as_of": format.day(index["as_of"], lang)} for lang in LANGUAGES]
    text = env.get_template("choice.html").render(policy=metadata.POLICY, versions=versions, method_version=index["method_version"], base=site_url.rstrip("/") + "/" if site_url else "")
    replace_if_changed(path, (text + "\n").encode("utf-8"))


def _copy_data(index: Mapping[str, Any], run_dir: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in book.DATA_FILES:
        if not (run_dir / name).is_file():
            raise PublicationError("a data file is missing", file=name, remedy="run the stages first (siiq run)")
        shutil.copyfile(run_dir / name, folder / name)
    replace_bytes(folder / scripts.INDEX, scripts.index_script((folder / "index.json").read_bytes()))
    for schema in sorted((Path(__file__).parent / "schemas").glob("*.schema.json")):
        shutil.copyfile(schema, folder / schema.name)
    if json.loads((folder / "index.json").read_text(encoding="utf-8")) != index:
        raise PublicationError("the pages would show another index than the file beside them", file="index.json", remedy="build from the index of the run folder")


def _complete_data(site: Site, before: Path, fresh: Path, site_url: str) -> tuple[datafiles.DataFile, ...]:
    """What is made from the data files: releases (those of the site in place, `before`, are kept), status, the description."""
    data = fresh / "data"
    releases.carry_over(before, data)
    releases.archive_major(site.index, before, data)
    releases.make_release(site.index, data, site_url)
    for name, content in standing_files(site.index, site.facts, site_url).items():
        replace_bytes(fresh / name, content)
    replace_json(data / datafiles.DESCRIPTION, data_package(site.index, datafiles.current(datafiles.listing(data)), site_url))
    return datafiles.listing(data)


def _require_own_folder(out_dir: Path, root: Path) -> None:
    """Only an earlier book is ever replaced: a folder with anything else in it is left alone."""
    book_before = out_dir.is_dir() and ((out_dir / "data" / "index.json").is_file() or not any(out_dir.iterdir()))
    if (out_dir.exists() and not book_before) or root.resolve().is_relative_to(out_dir.resolve()):
        raise PublicationError("is no earlier book, and would be replaced as a whole", file=out_dir.name, remedy="name a folder that is empty or not there yet")
