"""The workflow to copy names commands and targets that exist, and asks for no more than it needs."""

import re
import subprocess
import sys

import yaml


def test_the_recheck_workflow(root):
    text = (root / ".github" / "workflows" / "recheck.yml").read_text(encoding="utf-8")
    flow = yaml.safe_load(text)
    assert flow["permissions"] == {"contents": "read"}
    steps = [step for job in flow["jobs"].values() for step in job["steps"]]
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]) for step in steps if "uses" in step)
    commands = "\n".join(step.get("run", "") for step in steps)
    assert {x for x in re.findall(r"make (\w+)", commands)} <= set(re.findall(r"^(\w+):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    (command,) = set(re.findall(r"siiq (\w+)", commands))
    done = subprocess.run([sys.executable, "-m", "siiq_core.cli", command, "--help"], cwd=root, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert (root / flow["env"]["NOTEBOOKS"]).is_dir()
