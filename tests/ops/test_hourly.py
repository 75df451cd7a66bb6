"""The ready-made hourly set-ups: well formed, of commands that exist, and with the exit codes they promise."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from siiq_core.cli import app

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ".github/workflows/hourly.yml"
FILES = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "ops").iterdir()) + [WORKFLOW]
KEY = "SIIQ_CHECKER_KEY"
BASH = shutil.which("bash")

USED = {"gate", "replay", "update"}  # the commands that these files name, in one list
NOT_YET: set[str] = set()  # promised by the list of commands, still to come; struck off as they come
DECISIONS = {"list", "show", "release", "approve", "reject", "retract", "rebase"}  # of `siiq gate`


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands() -> set[str]:
    return set(get_command(app).commands)


def test_only_commands_that_exist_are_named():
    named = {name for file in FILES for name in re.findall(r"(?:\bbin/|[`'\" ])siiq ([a-z]+)\b", text(file))}
    assert named == USED
    assert USED - commands() <= NOT_YET, "named in ops/, yet no command of siiq"
    assert not NOT_YET & commands(), "is there now: strike it off NOT_YET"


def test_only_decisions_that_exist_are_named():
    line = next(x for x in text("ops/README.md").splitlines() if x.startswith("- **`siiq gate list`**"))
    named = set(re.findall(r"`(?:siiq gate )?([a-z]+)`", line))
    assert named == DECISIONS
    gate = get_command(app).commands.get("gate")
    assert gate is None or DECISIONS <= set(gate.commands)


def test_the_key_has_one_name_and_no_value():
    for file in FILES:
        names = set(re.findall(r"\bSIIQ_[A-Z]*KEY\b", text(file)))
        assert names <= {KEY} and not re.search(rf"{KEY}=[\w\"']", text(file)), file
    assert yaml.safe_load(text(WORKFLOW))["jobs"]["update"]["steps"][4]["env"] == {KEY: "${{ secrets.SIIQ_CHECKER_KEY }}"}


# --- systemd -----------------------------------------------------------------------------------------------------------


def unit(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text(f"ops/{name}").splitlines():
        if line and not line.startswith(("#", "[")):
            key, value = line.split("=", 1)
            found.setdefault(key, []).append(value)
    return found


def test_the_service_runs_one_cycle_and_takes_three_as_said():
    service = unit("siiq-update.service")
    assert service["ExecStart"] == ["/srv/siiq/.venv/bin/siiq update"] and service["Type"] == ["oneshot"] and service["SuccessExitStatus"] == ["3"]
    assert service["ProtectSystem"] == ["strict"] and service["PrivateTmp"] == ["yes"] and service["NoNewPrivileges"] == ["yes"] and service["CapabilityBoundingSet"] == [""]
    assert service["EnvironmentFile"] == ["-/etc/siiq/checker.env"] and service["User"] == ["siiq"]
    written = [Path(x).relative_to("/srv/siiq") for x in service["ReadWritePaths"][0].split()]
    assert {str(x) for x in written} == {"data", "_build", "params", "book"} and all((ROOT / x).is_dir() for x in written if str(x) != "_build")


def test_the_timer_catches_up_and_spreads():
    timer = unit("siiq-update.timer")
    assert timer["Persistent"] == ["yes"] and timer["RandomizedDelaySec"] == ["2min"] and timer["Unit"] == ["siiq-update.service"]
    assert re.fullmatch(r"\*-\*-\* \*:\d\d:00", timer["OnCalendar"][0])


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_finds_nothing_wrong(tmp_path):
    there = tmp_path / ".venv" / "bin"
    there.mkdir(parents=True)
    stub(there / "siiq", 0)
    for name in ("siiq-update.service", "siiq-update.timer"):
        (tmp_path / name).write_text(text(f"ops/{name}").replace("/srv/siiq", str(tmp_path)), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", "siiq-update.service", "siiq-update.timer"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "siiq" not in done.stderr, done.stderr


# --- stand-ins for siiq ------------------------------------------------------------------------------------------------


def stub(path: Path, code: int) -> None:
    path.write_text(f'#!/bin/sh\n[ "$1" = update ] || exit 2\necho "key: ${KEY}"\necho "what went wrong" >&2\nexit {code}\n', encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def home(tmp_path) -> Path:
    """A project's folder with a siiq that is still to be put there."""
    here = tmp_path / "a größer place"
    for name in (".venv/bin", "_build"):
        (here / name).mkdir(parents=True)
    return here


@pytest.mark.parametrize("code, after, said", [(0, 0, ""), (3, 0, ""), (1, 1, "what went wrong"), (2, 1, "what went wrong"), (137, 1, "what went wrong")])
def test_cron_speaks_up_for_failures_only(code, after, said, home):
    stub(home / ".venv" / "bin" / "siiq", code)
    (home / "checker.env").write_text(f"{KEY}=abc\n", encoding="utf-8")
    lines = [x for x in text("ops/cron.example").splitlines() if x and not x.startswith("#")]
    jobs = [x for x in lines if not re.match(r"[A-Z_]+=", x)]
    assert len(jobs) == 1 and "SIIQ_HOME=/srv/siiq" in lines and "SHELL=/bin/sh" in lines
    schedule, command = re.fullmatch(r"((?:\S+ ){5})(.+)", jobs[0]).groups()
    assert re.fullmatch(r"[1-5]?\d \* \* \* \* ", schedule) and "%" not in command, "cron would take a percent sign for a line end"
    done = subprocess.run(["/bin/sh", "-c", command], env={"PATH": os.environ["PATH"], "SIIQ_HOME": str(home)}, capture_output=True, text=True)
    assert done.returncode == after and (said in done.stdout if said else not done.stdout) and not done.stderr
    assert "key: abc" in (home / "_build" / "update.log").read_text(encoding="utf-8")
    (home / "checker.env").unlink()
    assert subprocess.run(["/bin/sh", "-c", command], env={"PATH": os.environ["PATH"], "SIIQ_HOME": str(home)}, capture_output=True).returncode == after


# --- GitHub Actions ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def workflow() -> dict:
    return yaml.safe_load(text(WORKFLOW))


def test_the_workflow_runs_hourly_one_at_a_time_with_few_rights(workflow):
    when = workflow[True]  # YAML 1.1 reads the key `on` so
    assert re.fullmatch(r"[1-5]?\d \* \* \* \*", when["schedule"][0]["cron"]) and "workflow_dispatch" in when
    assert workflow["concurrency"] == {"group": "siiq-hourly", "cancel-in-progress": False} and workflow["permissions"] == {}
    rights = {name: job["permissions"] for name, job in workflow["jobs"].items()}
    assert rights == {"update": {"contents": "write"}, "publish": {"pages": "write", "id-token": "write"}}
    assert all(job["timeout-minutes"] < 60 for job in workflow["jobs"].values())


def test_actions_are_githubs_own_and_named_by_major_version(workflow):
    used = [step["uses"] for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step]
    assert len(used) == 4 and all(re.fullmatch(r"actions/[a-z-]+@(v\d+|[0-9a-f]{40})", x) for x in used)


def test_what_is_kept_is_kept_before_anything_is_published(workflow):
    update = workflow["jobs"]["update"]["steps"]
    order = [step.get("id") or step.get("uses", step.get("run", "")).split("@")[0].split()[0] for step in update]
    assert order.index("restore") < order.index("update") < order.index("store") < order.index("site") < order.index("actions/upload-pages-artifact")
    named = {step["id"]: step for step in update if "id" in step}
    assert named["restore"]["run"] == "ops/kept.sh restore" and named["store"]["run"] == "ops/kept.sh store"
    assert "always()" in named["store"]["if"] and "steps.restore.outcome == 'success'" in named["store"]["if"]
    assert "steps.store.outcome == 'success'" in named["site"]["if"] and workflow["jobs"]["publish"]["needs"] == "update"
    assert "outputs.site == 'yes'" in workflow["jobs"]["publish"]["if"]


def test_no_expression_is_written_into_a_script(workflow):
    """What an expression holds would run as a part of the script; it comes through the environment."""
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            for name in re.findall(r"steps\.(\w+)\.", str(step)):
                assert name in {x.get("id") for x in job["steps"]}


@pytest.mark.skipif(not BASH, reason="no bash here")
@pytest.mark.parametrize("code, told, job", [(0, "", 0), (3, "::warning", 0), (1, "::error", 1), (137, "::error", 1)])
def test_the_workflows_exit_codes(code, told, job, home, workflow):
    """Three is reported and no failure; the cycle's own step never fails, so that what it made is kept."""
    stub(home / ".venv" / "bin" / "siiq", code)
    steps = workflow["jobs"]["update"]["steps"]
    cycle, last = next(x for x in steps if x.get("id") == "update"), steps[-1]
    environment = {"PATH": os.environ["PATH"], "GITHUB_OUTPUT": str(home / "output"), "GITHUB_STEP_SUMMARY": str(home / "summary"), KEY: "abc"}
    shell = [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    done = subprocess.run([*shell, cycle["run"]], cwd=home, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and (told in done.stdout if told else "::" not in done.stdout)
    assert (home / "output").read_text(encoding="utf-8") == f"code={code}\n" and "Update cycle: " in (home / "summary").read_text(encoding="utf-8")
    assert last["env"] == {"CODE": "${{ steps.update.outputs.code }}"}
    assert subprocess.run([*shell, last["run"]], cwd=home, env={"CODE": str(code)}).returncode == job
