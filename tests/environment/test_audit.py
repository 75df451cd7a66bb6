"""Licences of the packages: the list is closed, and a package outside it is named."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_SPEC = importlib.util.spec_from_file_location("audit", ROOT / "scripts" / "audit.py")
audit = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(audit)


@pytest.mark.parametrize(("licence", "fine"), [
    ("MIT", True), ("mit", True), ("MIT AND BSD-3-Clause", True), ("(MIT OR Apache-2.0)", True), ("MIT; BSD License", True),
    ("", False), ("GPL-3.0", False), ("MIT AND GPL-3.0", False), ("Proprietary", False), ("MITIGATED", False)])
def test_a_licence_is_accepted_as_a_whole(licence, fine):
    assert (audit.refused([("made-up", licence)], ["MIT", "BSD-3-Clause", "BSD License", "Apache-2.0"], {}) == {}) is fine


def test_one_that_somebody_looked_at_is_let_pass_by_name():
    assert audit.refused([("Made-Up", ""), ("other", "")], ["MIT"], {"made-up": "MIT, in its README"}) == {"other": "states none"}


def test_every_installed_package_has_an_accepted_licence():
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "audit.py"), "--licences"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "numpy" in done.stdout and " 0 with a licence that is not on the list" in done.stdout
