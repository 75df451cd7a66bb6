"""The nearest models of girth and py-irt on one panel: `python tests/performance/others.py girth PANEL.npz` prints the version and seconds as JSON.

scripts/bench.py runs this with the Python of an environment of its own, made for the purpose; nothing of the project is imported.
Both fit right and wrong answers, so a result counts as right where it lies above its benchmark's median: one bit of what SI-IQ reads.

    girth    twopl_mml: two-parameter curves by marginal maximum likelihood; at most 25 iterations, or until no slope moves by a thousandth
    py-irt   "2pl": the same curves by variational Bayes; 2,000 steps of Adam, which do not ask whether anything moves any more

These are the packages' own settings: neither stops where SI-IQ's fit does (1e-8), and neither would come as far in this time.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np


def right(b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """(N,) is a score above its benchmark's median?"""
    out = np.zeros(len(s), dtype=int)
    for k in np.unique(b):
        rows = b == k
        out[rows] = s[rows] > np.median(s[rows])
    return out


def girth(m: np.ndarray, b: np.ndarray, answers: np.ndarray) -> Callable[[], object]:
    """A matrix of benchmarks × models; what nobody measured is tagged as missing."""
    from girth import INVALID_RESPONSE, twopl_mml

    told = np.full((int(b.max()) + 1, int(m.max()) + 1), INVALID_RESPONSE, dtype=int)
    told[b, m] = answers
    return lambda: twopl_mml(told)


def py_irt(m: np.ndarray, b: np.ndarray, answers: np.ndarray) -> Callable[[], object]:
    """A line a model, as the package reads them."""
    from py_irt.config import IrtConfig
    from py_irt.training import IrtModelTrainer

    own: dict[int, dict[str, int]] = {}
    for model, bench, answer in zip(m.tolist(), b.tolist(), answers.tolist(), strict=True):
        own.setdefault(model, {})[f"b{bench}"] = answer
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonlines"
        path.write_text("".join(json.dumps({"subject_id": f"m{model}", "responses": x}) + "\n" for model, x in own.items()), encoding="utf-8")
        trainer = IrtModelTrainer(data_path=path, config=IrtConfig(model_type="2pl", seed=1), verbose=False)
    return lambda: trainer.train(device="cpu")


MODELS = {"girth": girth, "py-irt": py_irt}


def main() -> None:
    name, path = sys.argv[1:]
    with np.load(path) as panel:
        m, b, s = (panel[key] for key in ("m", "b", "s"))
    call = MODELS[name](m, b, right(b, s))
    begun = time.perf_counter()
    call()
    print(json.dumps({"version": importlib.metadata.version(name), "seconds": time.perf_counter() - begun}))


if __name__ == "__main__":
    main()
