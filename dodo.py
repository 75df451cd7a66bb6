"""What depends on what: fetch → calibrate → score → method → value → percentile → prediction → simulation → intervals → criticism → sweep → book → verify. `make book` runs it; `doit list` shows it.

A stage runs when an input has changed, or when something else has touched what it made (a what-if run by hand, say).
Stages hand on data files only; the executed notebooks in _build/run are there to be read.
"""

import hashlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
BUILD = Path("_build")
RUN, HTML = BUILD / "run", BUILD / "html"
PUBLISHED = [HTML / "data" / "index.json", HTML / "data" / "calibration_inputs.csv"]
BUILD.mkdir(exist_ok=True)

DOIT_CONFIG = {"default_tasks": ["book", "verify"], "backend": "json", "dep_file": str(BUILD / ".doit.json"), "verbosity": 2}

SIIQ = str(Path(sys.executable).with_name("siiq"))


def files(*patterns):
    """Files of the project by glob, sorted; caches and generated pages are no inputs."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(str(path.relative_to(ROOT)) for path in found
                  if not {"__pycache__", "_generated", ".ipynb_checkpoints"} & set(path.parts))


# Every stage depends on the whole package: finer would be quicker to rebuild and easier to get wrong.
CODE = files("siiq_core/**/*", "params/**/*", "requirements.lock")


def as_left(task, values):
    """Up to date only while the targets are what this task left behind."""
    def digest():
        made = (Path(name) for name in sorted(task.targets))
        return [hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None for path in made]

    task.value_savers.append(lambda: {"made": digest()})
    return values.get("made") == digest()


def stage(name, inputs, targets):
    """A task that runs `siiq NAME`; the terminal is handed on, so that it can show its progress."""
    return {
        "actions": [[SIIQ, name]],
        "io": {"capture": False},
        "file_dep": [*CODE, *(str(path) for path in inputs)],
        "targets": [str(path) for path in targets],
        "uptodate": [as_left],
    }


def task_fetch():
    """shipped observations → accepted results with their evidence, and history of all days"""
    return stage("fetch", files("notebooks/fetch.ipynb", "data/observations/**/*"),
                 [RUN / name for name in ("results.csv", "evidence.jsonl", "history.json", "prices.json", "fetch.json")])


def task_calibrate():
    """accepted results → the parameters of every benchmark"""
    return stage("calibrate", [*files("notebooks/calibrate.ipynb"), RUN / "results.csv"],
                 [RUN / "calibration.json", RUN / "calibration_inputs.csv"])


def task_score():
    """results and parameters → index.json: scores, intervals, ranks"""
    made = ["results.csv", "evidence.jsonl", "history.json", "fetch.json", "calibration.json", "calibration_inputs.csv"]
    return stage("score", [*files("notebooks/score.ipynb"), *(RUN / name for name in made)],
                 [RUN / "index.json", RUN / "history_scores.json", RUN / "manifest.json"])


def task_method():
    """the calibration from inside → the figures of the method chapter"""
    made = ["results.csv", "history.json", "fetch.json", "calibration.json", "calibration_inputs.csv"]
    task = stage("method", [*files("notebooks/method.ipynb"), *(RUN / name for name in made)], [RUN / "method_figures.json"])
    return {**task, "task_dep": ["score"]}  # the same order every time


def task_value():
    """shipped observations, every setting apart → quality against cost"""
    task = stage("value", files("notebooks/value.ipynb", "data/observations/**/*"), [RUN / "value.json", RUN / "value_states.json"])
    return {**task, "task_dep": ["method"]}


def task_percentile():
    """shipped observations, every board in its own snapshot → percentiles by dimension"""
    task = stage("percentile", files("notebooks/percentile.ipynb", "data/observations/**/*"), [RUN / "percentile.json"])
    return {**task, "task_dep": ["value"]}


def task_prediction():
    """accepted results hidden by a fixed rule → how far off their predictions are"""
    made = ["results.csv", "history.json", "fetch.json", "calibration.json"]
    task = stage("predict", [*files("notebooks/prediction.ipynb"), *(RUN / name for name in made)], [RUN / "prediction.json"])
    return {**task, "task_dep": ["percentile"]}


def task_simulation():
    """made-up worlds with known abilities → which method finds them again"""
    task = stage("simulation", files("notebooks/simulation.ipynb"), [RUN / "simulation.json"])
    return {**task, "task_dep": ["prediction"]}


def task_intervals():
    """the calibration → coverage in worlds where its model holds, errors with parameters in them, κ over other folds"""
    made = ["results.csv", "fetch.json", "calibration.json"]
    task = stage("intervals", [*files("notebooks/intervals.ipynb"), *(RUN / name for name in made)], [RUN / "intervals.json"])
    return {**task, "task_dep": ["simulation"]}


def task_criticism():
    """the calibration → where its model fails"""
    made = ["results.csv", "fetch.json", "calibration.json"]
    task = stage("criticism", [*files("notebooks/criticism.ipynb"), *(RUN / name for name in made)], [RUN / "criticism.json"])
    return {**task, "task_dep": ["intervals"]}


def task_sweep():
    """accepted results → the method under every combination of other choices; cells computed before are not computed again"""
    task = stage("sweep", [RUN / "results.csv", RUN / "fetch.json"], [RUN / "multiverse.json"])
    return {**task, "task_dep": ["criticism"]}


def task_book():
    """index.json → the book in three languages, beside the data it shows"""
    made = ["index.json", "method_figures.json", "manifest.json", "results.csv", "evidence.jsonl", "history.json", "history_scores.json", "prices.json", "fetch.json", "calibration_inputs.csv",
            "value.json", "value_states.json", "percentile.json", "prediction.json", "simulation.json", "intervals.json", "criticism.json", "multiverse.json"]
    return stage("book", [*files("book/**/*", "_config.yml", "_toc.yml", "notebooks/method.ipynb", "data/performance.json"), *(RUN / name for name in made)],
                 [HTML / "index.html", HTML / "status.json", HTML / "data" / "datapackage.json", *PUBLISHED])


def task_verify():
    """the published index, recomputed from itself"""
    return stage("verify", PUBLISHED, [])
