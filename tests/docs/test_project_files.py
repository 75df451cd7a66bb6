"""The files around the code: nothing of one machine in them, versions that agree, a reason for every dependency."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import siiq_core

ROOT = Path(__file__).resolve().parents[2]

# Put together from parts, so that this file passes its own test.
HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("registry", "npmjs", "org"), ("npmjs", "com"),
                                       ("anaconda", "org"), ("deb", "debian", "org"), ("proxy", "golang", "org"), ("crates", "io"))]
PATHS = re.compile(rb"(?<![\w.:/~*-])/(?:%s)/[\w.-]+" % b"|".join([b"work", b"tmp", b"root", b"home", b"Users", b"mnt", b"private"]))
SKIP = {".venv", "_build", ".git", "__pycache__", ".pytest_cache", ".hypothesis", ".ipynb_checkpoints", "_generated"}


def tracked(root):
    """Files under version control; in an unpacked archive, all that is not made."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True)
    if listing.returncode == 0 and listing.stdout:
        paths = [root / os.fsdecode(name) for name in listing.stdout.split(b"\0") if name]
    else:
        paths = list(root.rglob("*"))
    return [path for path in paths if path.is_file() and not SKIP & set(path.relative_to(root).parts)]


def test_no_registry_host_and_no_path_of_a_machine(root):
    found = []
    for path in tracked(root):
        raw = path.read_bytes()
        found += [f"{path.relative_to(root)}: {host}" for host in HOSTS if host.encode() in raw]
        found += [f"{path.relative_to(root)}: {hit.decode()}" for hit in PATHS.findall(raw)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text, hit", [(b'"/wo' + b'rk/main"', True), (b"in /tm" + b"p/x", True), (b"https://a.org/home/page", False), (b"~/home/x", False)])
def test_what_counts_as_a_path_of_a_machine(text, hit):
    assert bool(PATHS.search(text)) is hit


def test_every_dependency_has_its_reason(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    asked = {Requirement(line).name for line in (*project["project"]["dependencies"], *groups["test"], *groups["build"])}
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Why each dependency is there", 1)[1].split("\n## ", 1)[0]
    reasons = dict(re.findall(r"^\| `([\w.-]+)` \| (.+?) \|$", section, flags=re.MULTILINE))
    assert asked - set(reasons) == set(), "dependencies without a reason in CONTRIBUTING.md"
    assert set(reasons) - asked == set(), "reasons for what is no dependency any more"
    assert all(len(reason) > 10 for reason in reasons.values())


@pytest.fixture(scope="module")
def rooms():
    """Every path that 'Where new code goes' names."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Where new code goes", 1)[1].split("\n## ", 1)[0]
    return [name for name in re.findall(r"`([\w./-]+)`", section) if "/" in name or name.endswith((".py", ".yml", ".csv", ".toml"))]


def test_where_new_code_goes_names_files_that_exist(rooms):
    missing = [name for name in rooms if not (ROOT / name).exists()]
    assert not missing, f"CONTRIBUTING.md names what is not there: {missing}"


def test_every_module_and_parameter_file_has_its_room_there(rooms):
    files = [*ROOT.glob("siiq_core/**/*.py"), *ROOT.glob("params/*.*"), *ROOT.glob("scripts/*.py")]
    names = [str(path.relative_to(ROOT)) for path in files if path.name not in ("__init__.py", "requirements_to_conda.py")]
    whole = tuple(name for name in rooms if name.endswith("/") and name != "params/")
    homeless = [name for name in sorted(names) if name not in rooms and not name.startswith(whole)]
    assert len(names) > 30 and not homeless, f"'Where new code goes' in CONTRIBUTING.md does not say what these are for: {homeless}"


def test_one_version_everywhere(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert newest and project["version"] == siiq_core.__version__ == citation["version"] == newest[1]
    assert str(citation["date-released"]) == newest[2]
    assert citation["authors"] == [{"name": "SI-IQ developers"}]


def test_the_licences(root):
    assert (root / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    text = (root / "LICENSE-DATA.md").read_text(encoding="utf-8")
    assert "creativecommons.org/licenses/by/4.0" in text
    for address in ("aider.chat/docs/leaderboards", "lmarena-ai/leaderboard-dataset", "gorilla.cs.berkeley.edu", "epoch.ai/benchmarks",
                    "BerriAI/litellm", "models.dev", "openrouter.ai"):
        assert address in text


def test_make_help_names_every_target(root):
    text = (root / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"^\.PHONY: (.+)$", text, flags=re.MULTILINE)[1].split())
    helped = subprocess.run(["make", "-s"], cwd=root, capture_output=True, text=True, check=True).stdout
    assert targets - {"help"} == set(re.findall(r"^make (\w+)", helped, flags=re.MULTILINE))


def test_ci_calls_make_test(root):
    script = root / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").rstrip().endswith("exec make test")
