"""Case files of the project, or of any folder: tests/casefiles.py."""

from pathlib import Path

import pytest
from tests.casefiles import parametrize


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    parametrize(metafunc, "golden_case", Path(__file__).parent / "cases")
