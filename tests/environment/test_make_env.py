"""scripts/environment.py refuses with a remedy, and knows when there is nothing to do."""

import importlib.util
import os
import subprocess
import sys

import pytest


@pytest.fixture
def environment(root, tmp_path, monkeypatch):
    """The script, with a made-up project in a folder with a blank and an umlaut as its root."""
    spec = importlib.util.spec_from_file_location("environment", root / "scripts" / "environment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    project = tmp_path / "a größer place"
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / "requirements.lock").write_text("six==1.0\n", encoding="utf-8")
    (project / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    monkeypatch.setattr(module, "ROOT", project)
    monkeypatch.setattr(module, "VENV", project / ".venv")
    monkeypatch.setattr(module, "PYTHON", project / ".venv" / "bin" / "python")
    monkeypatch.setattr(module, "STAMP", project / ".venv" / "installed")
    return module


def fake_python(folder, name, version, has_venv=True):
    """A program that answers like a Python of that version."""
    path = folder / name
    path.write_text(f'#!/bin/sh\ncase "$2" in *ensurepip*) exit {0 if has_venv else 1};; *) echo {version};; esac\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_an_old_python_is_refused_with_the_remedy(environment, tmp_path):
    with pytest.raises(environment.Refused, match=r"3\.11\.5 or newer is needed, but .* is 3\.11\.4\. Remedy: install .*PYTHON="):
        environment.choose(fake_python(tmp_path, "old", "3.11.4"))


def test_an_old_python3_gives_way_to_a_newer_one_by_name(environment, tmp_path, monkeypatch):
    monkeypatch.setattr(environment.sys, "executable", fake_python(tmp_path, "python3", "3.9.18"))
    fake_python(tmp_path, "python3.12", "3.12.1")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    assert environment.choose("") == "python3.12"


def test_a_python_without_venv_is_refused_with_the_remedy(environment, tmp_path):
    with pytest.raises(environment.Refused, match="without its module venv.*apt install python3-venv"):
        environment.choose(fake_python(tmp_path, "bare", "3.11.9", has_venv=False))


def test_a_python_that_is_not_there_is_refused(environment):
    with pytest.raises(environment.Refused, match="no-such-python does not run"):
        environment.choose("no-such-python")


def test_nothing_to_do_until_the_lock_or_the_folder_changes(environment):
    environment.PYTHON.symlink_to(sys.executable)
    assert not environment.stands("")
    environment.STAMP.write_text(environment.stamp(), encoding="utf-8")
    assert environment.stands("")
    environment.STAMP.write_text(environment.stamp().replace("größer", "former"), encoding="utf-8")
    assert not environment.stands("")
    environment.STAMP.write_text(environment.stamp(), encoding="utf-8")
    (environment.ROOT / "requirements.lock").write_text("six==1.1\n", encoding="utf-8")
    assert not environment.stands("")


def test_another_python_asked_for_means_another_environment(environment, tmp_path):
    environment.PYTHON.symlink_to(sys.executable)
    environment.STAMP.write_text(environment.stamp(), encoding="utf-8")
    assert environment.stands(sys.executable)
    assert not environment.stands(fake_python(tmp_path, "other", "3.99.0"))


def test_a_failed_install_leaves_no_stamp_and_says_why(environment, capfd):
    environment.PYTHON.symlink_to(sys.executable)
    environment.STAMP.write_text(f"{environment.ROOT}\nearlier\n", encoding="utf-8")
    environment.pip = lambda *_: environment.run([sys.executable, "-c", "print('no route'); raise SystemExit(3)"], remedy="a network")
    with pytest.raises(environment.Refused, match="failed.*Remedy: a network"):
        environment.build(sys.executable)
    assert not environment.STAMP.exists()
    assert "no route" in capfd.readouterr().err


def test_make_names_a_missing_python(root):
    answer = subprocess.run(["make", "-s", "env", "PYTHON=no-such-python"], cwd=root, capture_output=True, text=True)
    assert answer.returncode != 0
    assert "no-such-python was not found. Remedy:" in answer.stderr
