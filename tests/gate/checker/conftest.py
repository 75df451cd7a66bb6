"""What tests of the second reader share: a chat endpoint on loopback, a clock that never waits, made-up questions."""

import datetime
import socket

import pytest
from endpoint import Endpoint
from tests.pace import Pace

from siiq_core.evidence.live.network import Network
from siiq_core.gate.checker import Question, open_checker
from siiq_core.params.checker import CheckerParams, load_checker

NOW = datetime.datetime(2026, 9, 1, 12, 0, tzinfo=datetime.UTC)
KEY = "sk-test-0123456789abcdef"


@pytest.fixture(scope="session")
def now():
    return NOW


@pytest.fixture(scope="session")
def key():
    return KEY


@pytest.fixture
def pace():
    return Pace(NOW)


@pytest.fixture(scope="session")
def standing():
    endpoint = Endpoint()
    yield endpoint
    endpoint.close()


@pytest.fixture
def endpoint(standing):
    standing.begin()
    yield standing
    standing.closing.set()


@pytest.fixture
def params(root):
    """The shipped parameters, an AI model fitted, with other values: params(batch=1, attempts=2, base_url=…)."""

    def make(**changes):
        values = load_checker(root).model_dump()
        values |= {"fitting": "ai", "writer_family": "quill"}
        values["ai"] |= {"model": "reader-1", "family": "lens"}
        for name, value in changes.items():
            room = next((room for room in ("ai", "timeouts", "retries") if name in values[room]), None)
            (values[room] if room else values)[name] = value
        return CheckerParams.model_validate(values)

    return make


@pytest.fixture
def opened(params, pace, endpoint, specs, shipped_sources):
    """A reader that asks the endpoint on loopback, and can reach nothing else: opened(batch=1, …)."""

    def make(environment=None, **changes):
        network = Network(only_loopback=True, plain_http=True)
        return open_checker(params(**{"base_url": endpoint.url, **changes}), {"SIIQ_CHECKER_KEY": KEY} if environment is None else environment,
                            benchmarks=specs, sources=shipped_sources, clock=pace.clock, network=network)

    return make


@pytest.fixture(scope="session")
def specs(root):
    """The configured benchmarks, and one more for made-up rows."""
    from naming import benchmark

    from siiq_core.params.benchmarks import load_benchmarks

    return (*load_benchmarks(root), benchmark("quiz", name="Quiz", file="quiz.csv", score_column="Accuracy"))


@pytest.fixture(scope="session")
def shipped_sources(root):
    from siiq_core.params.sources import load_sources

    return load_sources(root)


@pytest.fixture
def question():
    """A made-up question: question("Nova 1", 0.625, id="a", source_cell="…", …)."""

    def make(model="Nova 1", score=0.625, name=None, cell=None, source_cell="Quiz board", **changes):
        name = f"{model.lower().replace(' ', '-')}-2026-02-03" if name is None else name
        row = {"Model version": name, "Accuracy": repr(score) if cell is None else cell, "Accuracy SE": "0.0125", "Source": source_cell}
        facts = dict(id=name, source="epoch", file="quiz.csv", headers=tuple(row), row=row, benchmark="quiz", benchmark_name="Quiz",
                     score_column="Accuracy", scale=1.0, model=model, name=name.strip(), setting="default", score=score,
                     models=("Nova 1", "Nova 1 mini", "Nova 2", "Orbit 3"))
        return Question(**{**facts, **changes})

    return make


@pytest.fixture
def nobody():
    """An address on loopback where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
