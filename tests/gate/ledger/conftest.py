"""What the ledger's tests share."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path) -> Path:
    """Where a ledger may be, in a folder that is not there yet."""
    return tmp_path / "dátá" / "ledger.jsonl"


@pytest.fixture
def program(root):
    """Starts killed.py; its answers come line by line."""
    def start(*arguments) -> subprocess.Popen:
        environment = {**os.environ, "PYTHONPATH": str(root)}
        command = [sys.executable, str(Path(__file__).with_name("killed.py")), *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)

    return start
