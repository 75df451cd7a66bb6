"""`make audit`: the licence of every installed package against the accepted list in pyproject.toml, then known vulnerabilities.

    .venv/bin/python scripts/audit.py            both; exit code 1 where a licence is not accepted or a vulnerability is known
    .venv/bin/python scripts/audit.py --licences only the list

Licences are read from what is installed, without a network. Vulnerabilities need one: pip-audit asks a public service
about the versions of requirements.lock; where none is reached, that is said, and nothing is called safe.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN = "siiq"
TOOL = ROOT / "_build" / "audit"  # pip-audit and what it needs, apart from the environment whose versions are locked
_SPLIT = re.compile(r"\s+(?:AND|OR)\s+|\s*;\s*", re.IGNORECASE)


def licence_of(package: Distribution) -> str:
    """As the package states it: its expression, else its classifiers, else the first line of its licence field; "" where it states none."""
    said = package.metadata
    classes = [x.rpartition("::")[2].strip() for x in said.get_all("Classifier", []) if x.startswith("License ::") and not x.endswith("OSI Approved")]
    return said.get("License-Expression") or "; ".join(classes) or next(iter((said.get("License") or "").strip().splitlines()), "")


def refused(packages: Iterable[tuple[str, str]], accepted: Iterable[str], looked_at: Mapping[str, str]) -> dict[str, str]:
    """Package → licence for each whose licence is not on the list as a whole, and which nobody has looked at by hand.

    Parameters
    ----------
    packages : (name, licence)
    looked_at : name → what a person found
    """
    known = {x.casefold() for x in accepted}
    return {name: licence or "states none" for name, licence in packages
            if name.casefold() not in {x.casefold() for x in looked_at} and not (licence and all(known & {part.strip().casefold(), part.strip("() ").casefold()} for part in _SPLIT.split(licence)))}


def vulnerabilities() -> int:
    """1 where a locked version has a known vulnerability. What was not looked up is said, and not called safe."""
    try:
        done = subprocess.run([sys.executable, "-m", "pip_audit", "--requirement", str(ROOT / "requirements.lock"), "--disable-pip", "--progress-spinner", "off", "--format", "json"],
                              capture_output=True, text=True, timeout=600, env={**os.environ, "PYTHONPATH": str(TOOL)})
        told = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
        print("vulnerabilities: NOT LOOKED UP, no pip-audit or no vulnerability service within reach; run make audit where there is a network")
        return 0
    known = [(x["name"], x["version"], v["id"], ", ".join(v["fix_versions"])) for x in told for v in x.get("vulns", [])]
    skipped = [x["name"] for x in told if "skip_reason" in x]
    print(f"vulnerabilities: {len(told) - len(skipped)} packages looked up, {len(known)} known" + (f"; NOT LOOKED UP: {len(skipped)}" if skipped else ""))
    for name, version, what, mended in known:
        print(f"  {name} {version}: {what}, mended in {mended or 'no version yet'}")
    return int(bool(known))


def main() -> int:
    """The list, what is refused, and the vulnerabilities."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--licences", action="store_true")
    wanted = parser.parse_args()
    policy = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["siiq"]["audit"]
    found = sorted({(x.metadata["Name"], x.version, licence_of(x)) for x in distributions() if x.metadata["Name"] != OWN}, key=lambda x: x[0].casefold())
    for name, version, licence in found:
        print(f"{name:<32}{version:<18}{policy['looked_at'].get(name) or licence or 'states none'}")
    bad = refused([(name, licence) for name, _, licence in found], policy["accepted"], policy["looked_at"])
    print(f"\n{len(found)} packages, {len(bad)} with a licence that is not on the list" + "".join(f"\n  {name}: {licence}" for name, licence in bad.items()))
    if bad:
        print("Remedy: another package; or the licence on tool.siiq.audit.accepted; or, after a look at it, the package under looked_at (pyproject.toml)")
    return max(int(bool(bad)), 0 if wanted.licences else vulnerabilities())


if __name__ == "__main__":
    sys.exit(main())
