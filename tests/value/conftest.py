"""Small made-up evidence for the value method."""

import math
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from siiq_core.params.value import load_value, with_value_changes  # noqa: E402
from siiq_core.siblings.value.records import Entrant, Evidence, ListPrice, ModelFacts, Row  # noqa: E402


@pytest.fixture(scope="session")
def params(root):
    """The shipped parameters."""
    return load_value(root)


@pytest.fixture
def changed(params):
    """The shipped parameters with some of them altered."""
    return lambda **changes: with_value_changes(params, changes)


class Made:
    """Makes rows, entrants and evidence."""

    @staticmethod
    def rows(scores, costs=None, errors=None, families=None, comparable=None):
        """{benchmark: {"model" or "model@setting": score}} as rows; costs and errors likewise."""
        out = []
        for b, own in scores.items():
            for name, score in own.items():
                model, _, setting = name.partition("@")
                out.append(Row(b, (families or {}).get(b, b), model, setting or "default", score, (errors or {}).get(b, {}).get(name),
                               (costs or {}).get(b, {}).get(name), (comparable or {}).get(b, True), f"{b}/{name}", name))
        return tuple(sorted(out, key=lambda r: (r.benchmark, r.variant)))

    @staticmethod
    def price(input, cache_read, output):
        return ListPrice(input, cache_read, output, "nowhere")

    @staticmethod
    def evidence(rows, prices=None, open_weights=(), developers=None, contexts=None):
        models = {r.model: ModelFacts(r.model, r.model.title(), ((developers or {}).get(r.model, "Nobody"),), r.model in open_weights,
                                      (contexts or {}).get(r.model)) for r in rows}
        return Evidence(rows=rows, models=models, prices=prices or {}, snapshots={}, raw={}, left_out=())

    @staticmethod
    def entrant(name, cost, quality, half=0.0):
        return Entrant(name, float(quality), quality - half, quality + half, float(cost), math.log(cost))

    @classmethod
    def entrants(cls, points, half=0.0):
        """{"id": (cost, quality)} as entrants."""
        return [cls.entrant(name, cost, quality, half) for name, (cost, quality) in points.items()]


@pytest.fixture(scope="session")
def made():
    return Made


@pytest.fixture
def use(params):
    """The shipped parameters over made-up benchmarks, all of them switched on."""
    def over(*ids, **changes):
        sources = [params.sources[0].model_copy(update={"benchmark": b, "family": b, "in_use": True, "definition": None}) for b in ids]
        return with_value_changes(params, changes).model_copy(update={"sources": tuple(sources)})
    return over
