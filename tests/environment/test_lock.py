"""The lock, pyproject.toml and environment.yml say the same, for every system and Python named."""

import importlib.util
import re
import tomllib

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PYTHONS = ("3.11.5", "3.12.0", "3.13.0")
SYSTEMS = ("linux", "darwin")


@pytest.fixture(scope="module")
def conda(root):
    spec = importlib.util.spec_from_file_location("requirements_to_conda", root / "scripts" / "requirements_to_conda.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def lock_text(root):
    return (root / "requirements.lock").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def asked(root):
    """Every requirement of pyproject.toml, the build backend included."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    lines = [*project["project"]["dependencies"], *groups["test"], *groups["build"], *project["build-system"]["requires"]]
    return [Requirement(line) for line in lines]


def test_every_package_carries_hashes(lock_text):
    blocks = re.split(r"^(?=\S)", lock_text, flags=re.MULTILINE)[1:]
    assert len(blocks) > 100
    for block in blocks:
        head, *hashes = [line.strip().removesuffix("\\").strip() for line in block.strip().splitlines()]
        assert hashes, f"{head} has no hash"
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", line) for line in hashes), head


def test_no_addresses(lock_text):
    assert "://" not in lock_text and " @ " not in lock_text
    assert not re.search(r"^\s*(-i|--index-url|--extra-index-url|--find-links|-f)\b", lock_text, flags=re.MULTILINE)


def test_a_line_the_lock_should_not_have_is_refused(conda):
    with pytest.raises(ValueError, match="line 2.*make lock"):
        conda.locked("six==1.0 \\\nsix @ file:///somewhere\n")


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_one_version_of_each_and_all_that_pyproject_asks(conda, lock_text, asked, python, system):
    where = {"python_full_version": python, "python_version": python.rsplit(".", 1)[0], "sys_platform": system,
             "implementation_name": "cpython", "platform_system": {"linux": "Linux", "darwin": "Darwin"}[system]}
    versions = {}
    for name, version, marker in conda.locked(lock_text):
        if not marker or Marker(marker).evaluate(where):
            assert name not in versions, f"{name} is locked twice for Python {python} on {system}"
            versions[name] = version
    for requirement in asked:
        name = canonicalize_name(requirement.name)
        assert name in versions, f"{name} is not locked for Python {python} on {system}: make lock"
        assert requirement.specifier.contains(versions[name]), f"{name} {versions[name]} is not {requirement.specifier}: make lock"


def test_environment_yml_agrees_with_the_lock(root, conda, lock_text):
    text = (root / "environment.yml").read_text(encoding="utf-8")
    packages = next(part["pip"] for part in yaml.safe_load(text)["dependencies"] if isinstance(part, dict))
    said = {(r.name, str(r.specifier), str(r.marker or "")) for r in map(Requirement, packages[:-1])}
    locked = {(name, f"=={version}", str(Marker(marker)) if marker else "") for name, version, marker in conda.locked(lock_text)}
    assert said == locked, "environment.yml and requirements.lock disagree: make lock"
    assert packages[-1] == "-e ."
    assert text == conda.environment(lock_text), "environment.yml was edited by hand: make lock"


def test_the_running_environment_is_the_locked_one(conda, lock_text):
    """What is tested is what is locked (a conda environment or another Python is judged by its own markers)."""
    import importlib.metadata

    for name, version, marker in conda.locked(lock_text):
        if not marker or Marker(marker).evaluate():
            assert importlib.metadata.version(name) == version, f"{name}: make env"
