"""Standard streams that are closed, a project that is named and is not there, numbers too long to print."""

import os
import subprocess
import sys

import pytest

from siiq_core.errors import ParameterError, SiiqError, SourceError
from siiq_core.evidence.importing import import_command
from siiq_core.params.loader import project_root


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_the_null_device(root, closed):
    command = f'"{sys.executable}" -m siiq_core.cli gate list {closed}; echo $? >&9'
    reading, writing = os.pipe()
    script = f"exec 9>&{writing}; {command}"
    done = subprocess.run(["bash", "-c", script], cwd=root, pass_fds=(writing,), capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": str(root), "SIIQ_ROOT": str(root)})
    os.close(writing)
    with os.fdopen(reading) as stream:
        assert stream.read().strip() in ("0", "1")
    assert "Traceback" not in done.stdout + done.stderr


def test_what_is_printed_to_a_closed_stream_is_no_failure(root):
    done = subprocess.run(["bash", "-c", f'"{sys.executable}" -m siiq_core.cli names list zzz >&-'], cwd=root, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(root), "SIIQ_ROOT": str(root)})
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.write_text("x"), lambda path: path.mkdir()])
def test_a_project_that_is_named_is_meant(make, tmp_path, monkeypatch):
    """Nothing there, a file, a folder of something else: never the project beside the package."""
    make(tmp_path / "elsewhere")
    monkeypatch.setenv("SIIQ_ROOT", str(tmp_path / "elsewhere"))
    with pytest.raises(ParameterError, match="SIIQ_ROOT"):
        project_root()


@pytest.mark.parametrize("value", [10**5000, [10**5000], {"a": -(10**5000)}], ids=["alone", "in a list", "in a mapping"])
def test_a_number_too_long_to_print(value):
    assert "too many digits" in str(SiiqError("is no such thing", value=value))


def test_a_path_that_is_not_there_is_named_before_its_day(root, tmp_path):
    with pytest.raises(SourceError, match="No such file"):
        import_command("aider", [tmp_path / "2026-01-01"], None, root)
