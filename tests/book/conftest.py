"""A made-up index, and a small book built from it once."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from made_up import copy_book, made_up_index, write_run  # noqa: E402

from siiq_core.publish.bookbuild import build_book  # noqa: E402
from siiq_core.publish.words import Words  # noqa: E402


@pytest.fixture(scope="session")
def index(root):
    """The made-up index; tests do not change it."""
    return made_up_index(root)


@pytest.fixture(scope="session")
def words(root):
    """The words of the book."""
    return Words.load(root)


@pytest.fixture(scope="session")
def small_book(root, index, tmp_path_factory):
    """A book of the made-up index: where it is, its pages, and what it was built from."""
    base = tmp_path_factory.mktemp("small") / "Müllers Ordner" / "ñ x"  # a folder as people have them
    base.mkdir(parents=True)
    copy_book(root, base)
    run = write_run(base / "_build" / "run", index)
    pages = build_book(index, run, base / "_build" / "html", base, "https://example.org/siiq", lambda text: None)
    return SimpleNamespace(root=base, run=run, site=base / "_build" / "html", pages=pages)


@pytest.fixture(scope="session")
def site(root, request):
    """The built book of the project where it stands, else the small one."""
    built = root / "_build" / "html"
    return built if (built / "en" / "index.html").is_file() else request.getfixturevalue("small_book").site
