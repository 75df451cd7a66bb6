"""What macOS and other file systems do otherwise, as far as it can be tried without them: names that fold, flushes, tools of GNU alone.

Not tried here, since it needs a Mac: F_FULLFSYNC and renamex_np on its own file systems, and file names that APFS stores.
"""

import ctypes
import re
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest
from naming import table

from siiq_core import files
from siiq_core.errors import IdentityError
from siiq_core.evidence.identity import extend_registry
from siiq_core.params.names import load_registry
from siiq_core.publish import swap

# Options and tools that GNU has and BSD, so macOS, has not.
GNU_ONLY = re.compile(r"""\bsed\s+(-[a-zA-Z]*\s+)*(-i\b(?!\s*'')|--in-place|-[a-zA-Z]*r\b)|\breadlink\s+-[fem]|\bdate\s+(-d|--date|-I)|\bstat\s+(-c|--format|--printf)|\bgrep\s+-[a-zA-Z]*P"""
                      r"""|\bsort\s+-[a-zA-Z]*V|\bxargs\s+(-r|-d)|\bcp\s+(-[a-zA-Z]*\s+)*--|\bmktemp\s+--|\btimeout\s+[0-9]|\bnproc\b|\bsha256sum\b|\bfind\b.*-printf|\btac\b|\bbase64\s+-w|\bhead\s+-n\s*-|\bls\s+--""")


def folded(name: str) -> str:
    """As a file system compares that heeds neither case nor Unicode normal form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def clashes(names) -> list[str]:
    seen: dict[str, str] = {}
    return [f"{seen[folded(x)]} and {x}" for x in names if seen.setdefault(folded(x), x) != x]


@pytest.mark.parametrize("pair", [("Nova", "NOVA"), ("Ñova", unicodedata.normalize("NFD", "Ñova")), ("Straße", "STRASSE"), ("Nova", "Ｎova"), ("ﬁn", "fin")],
                         ids=["case", "normal form", "sharp s", "full width", "ligature"])
def test_two_names_that_a_file_system_may_take_for_one_share_no_slug(pair):
    with pytest.raises(IdentityError, match="would share a slug.*another slug"):
        extend_registry((), table(("v1", pair[0]), ("v2", pair[1])), "2026-07-31")


def test_slugs_are_the_same_on_every_file_system(root):
    for row in load_registry(root):
        assert re.fullmatch(r"[a-z0-9]+([.-][a-z0-9]+)*", row.slug), row.slug


def test_no_two_files_of_the_project_or_its_book_fold_to_one(root):
    kept = [x for x in root.rglob("*") if not {".venv", ".git", "__pycache__", "_build"} & set(x.relative_to(root).parts)]
    built = list((root / "_build" / "html").rglob("*"))
    for folder, found in ((root, kept), (root / "_build" / "html", built)):
        assert not clashes(x.relative_to(folder).as_posix() for x in found)
    assert clashes(["a/Ñ", "a/" + unicodedata.normalize("NFD", "ñ")]) and not clashes(["a", "b"])


def test_a_folder_in_the_decomposed_form(tmp_path):
    """As older Macs store names: written, swapped and cleared where it is, under the name that was given."""
    path = tmp_path / unicodedata.normalize("NFD", "Müllers ñ") / "ä.json"
    files.replace_bytes(path, b"{}")
    (path.parent / f".{path.name}.x.aside").touch()
    files.clear_asides(path.parent)
    assert [x.name for x in path.parent.iterdir()] == [path.name] and path.read_bytes() == b"{}"


def test_a_flush_goes_through_the_drives_own_memory_where_the_system_has_a_call_for_it(tmp_path, monkeypatch):
    """F_FULLFSYNC of macOS; fsync where the file system does not know it."""
    told = []
    monkeypatch.setattr(files, "fcntl", SimpleNamespace(F_FULLFSYNC=51, fcntl=lambda handle, what: told.append(what)))
    monkeypatch.setattr(files.os, "fsync", lambda handle: told.append("fsync"))
    files.to_disk(1)
    assert told == [51]

    def refuse(handle, what):
        raise OSError(45, "Operation not supported")

    monkeypatch.setattr(files, "fcntl", SimpleNamespace(F_FULLFSYNC=51, fcntl=refuse))
    files.to_disk(1)
    assert told == [51, "fsync"]


def test_folders_change_places_by_the_call_of_macos(monkeypatch):
    told = []
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: SimpleNamespace(renamex_np=lambda *arguments: told.append(arguments) or 0))
    monkeypatch.setattr(swap.sys, "platform", "darwin")
    assert swap.exchange(Path("/a"), Path("/b")) and told == [(b"/a", b"/b", 2)]
    monkeypatch.setattr(swap.sys, "platform", "linux")
    assert not swap.exchange(Path("/a"), Path("/b"))  # a C library without renameat2: two renames


def test_no_tool_of_gnu_alone_and_no_proc(root):
    """Makefile and scripts that an owner of a Mac runs; units and workflows run on Linux."""
    scripts = [root / "Makefile", *(root / "ops").glob("*.sh"), *(root / "scripts").iterdir()]
    for path in (x for x in scripts if x.is_file()):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            assert not GNU_ONLY.search(line), f"{path.name}, line {number}: {line}"
    for path in (*(root / "siiq_core").rglob("*.py"), *(root / "scripts").glob("*.py")):
        assert "/proc/" not in path.read_text(encoding="utf-8"), path.name
    assert GNU_ONLY.search("sed -i s/a/b/ x") and GNU_ONLY.search("readlink -f x") and not GNU_ONLY.search("sed -n 1p x")
