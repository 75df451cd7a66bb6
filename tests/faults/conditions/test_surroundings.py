"""Other surroundings, same bytes: locales, time zones, no home, folders with spaces and umlauts, 1 GB of memory.

Commands run as people run them, kernels included, in "Müllers Ordner/ñ x"; what they make is compared with the shipped run.
The book's own tests build their small book in such a folder too (tests/book/conftest.py).
"""

import os
import resource
import shutil
import subprocess
import sys

import pytest

from siiq_core import cli

OUTPUTS = {"fetch": ("results.csv", "evidence.jsonl", "history.json", "prices.json", "fetch.json"), "calibrate": ("calibration.json", "calibration_inputs.csv"),
           "score": ("index.json", "history_scores.json")}
GIGABYTE = 1 << 30


@pytest.fixture(scope="module")
def project(root, tmp_path_factory):
    """A copy of what a run reads, in an awkward folder."""
    copy = tmp_path_factory.mktemp("odd") / "Müllers Ordner" / "ñ x"
    for name in ("params", "data", "notebooks"):
        shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("live", "snapshots", "ledger*"))
    return copy


@pytest.fixture(scope="module")
def latin_1(tmp_path_factory):
    """Variables of a German Latin-1 locale, made here; skipped where its sources are not installed."""
    folder = tmp_path_factory.mktemp("locales")
    if not shutil.which("localedef"):
        pytest.skip("localedef is not there")
    subprocess.run(["localedef", "-c", "-i", "de_DE", "-f", "ISO-8859-1", str(folder / "de_DE.ISO-8859-1")], capture_output=True)
    if not (folder / "de_DE.ISO-8859-1").is_dir():
        pytest.skip("no sources of locales to make one from")
    return {"LOCPATH": str(folder), "LC_ALL": "de_DE.ISO-8859-1"}


def siiq(root, project, *words, limit=0, **surroundings):
    """The command in an environment that has nothing but PATH and `surroundings`; `limit`: bytes of private memory per process."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", **surroundings}
    return subprocess.run([sys.executable, "-m", "siiq_core.cli", *words], cwd=project, env=environment, capture_output=True, timeout=600,
                          preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))) if limit else None)


def same(shipped, folder, stage):
    for name in OUTPUTS[stage]:
        assert (folder / name).read_bytes() == (shipped.folder / name).read_bytes(), name


def test_ascii_locale_no_home_farthest_time_zone_and_little_memory_at_once(root, project, shipped, tmp_path):
    """Fetch, calibrate, score and verify, all at once; HOME is a file, so nothing can be made there even by root."""
    (tmp_path / "home").touch()
    odd = {"LC_ALL": "POSIX", "TZ": "Pacific/Kiritimati", "HOME": str(tmp_path / "home")}
    for stage in OUTPUTS:
        done = siiq(root, project, stage, limit=GIGABYTE, **odd)
        assert done.returncode == 0, done.stderr
        same(shipped, project / "_build" / "run", stage)
    done = siiq(root, project, "verify", "_build/run/index.json", limit=GIGABYTE, **odd)
    assert done.returncode == 0 and b"all passed" in done.stdout
    (project / "Ergebnisse für ñ.csv").write_text("model,benchmark,score\nMüller 1,gpqa-diamond-epoch,0.9\nMüller 1,simpleqa-verified,0.5\n", encoding="utf-8")
    done = siiq(root, project, "score", "--add", "Ergebnisse für ñ.csv", "--against", "_build/run", limit=GIGABYTE, **odd)
    assert done.returncode == 0 and "Müller 1".encode() in done.stdout and "θ₀".encode() in done.stdout, done.stderr


@pytest.mark.parametrize(("zone", "home"), [("America/Los_Angeles", None), ("Asia/Kolkata", "/nowhere/at all")], ids=["Los Angeles", "Kolkata"])
def test_time_zones_without_a_home(zone, home, root, shipped, tmp_path):
    """The first stage, which reads days and times, in a process of its own; HOME unset, or pointing nowhere."""
    code = "import sys; from pathlib import Path; from siiq_core import pipeline; pipeline.fetch(pipeline.prepare({}, sys.argv[1], Path(sys.argv[2]))).save()"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "TZ": zone, **({"HOME": home} if home else {})}
    subprocess.run([sys.executable, "-c", code, str(tmp_path), str(root)], env=environment, check=True, timeout=300)
    same(shipped, tmp_path, "fetch")


def test_a_latin_1_locale_without_a_home(latin_1, root, project, shipped):
    """A command with its kernel, HOME unset; what it makes and says is UTF-8 all the same."""
    done = siiq(root, project, "calibrate", **latin_1)
    assert done.returncode == 0, done.stderr
    assert "calibrate …".encode() in done.stderr
    same(shipped, project / "_build" / "run", "calibrate")


def test_too_little_memory_is_said(monkeypatch, capsys):
    def exhausted(*_, **__):
        raise MemoryError

    monkeypatch.setattr(cli, "app", exhausted)
    monkeypatch.setattr(cli, "_speak_utf8", lambda: None)
    with pytest.raises(SystemExit, match="1"):
        cli.main()
    assert "not enough memory. Remedy:" in capsys.readouterr().err


def test_a_locale_without_letters_is_left_where_utf8_was_asked_for(root, project):
    """`siiq` starts anew in UTF-8 mode once and not for ever, however Python was told otherwise."""
    done = subprocess.run([sys.executable, "-X", "utf8=0", "-m", "siiq_core.cli", "--version"], cwd=project, capture_output=True, text=True, timeout=60,
                          env={"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"})
    assert done.returncode == 0 and done.stdout == "1.0.0\n"
