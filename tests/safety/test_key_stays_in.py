"""The checker's key comes from the environment and goes into one header: after whole cycles and a notebook, no file, log, line or refusal holds it.

The endpoint is the worst there is: it echoes the key in every place of its answers and refusals.
"""

import gzip
import json
import logging
import re
import shutil
import sys
import zlib
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
for _folder in (TESTS / "gate" / "checker", TESTS / "book"):
    sys.path.append(str(_folder))

from endpoint import Endpoint, given, honest, is_control, say, send  # noqa: E402
from made_up import made_up_index, write_run  # noqa: E402
from tests.gate.village import Publisher, Village, ledger_kinds  # noqa: E402

from siiq_core.files import canonical_bytes  # noqa: E402
from siiq_core.notebooks import run_notebook  # noqa: E402
from siiq_core.params import checker as checker_params  # noqa: E402

KEY = "sk-made-up-Zq7Rk2Lw9Xv4Tn8B"
VARIABLE = "SIIQ_CHECKER_KEY"


@pytest.fixture(scope="module")
def publisher():
    one = Publisher()
    yield one
    one.close()


@pytest.fixture(scope="module")
def endpoint():
    one = Endpoint()
    yield one
    one.close()


def echoed(handler, request):
    """Right about the control and most rows; about two models the key in every field."""
    key = handler.headers["Authorization"]
    asked = given(request)
    answers = [honest(task, asked["benchmarks"]) for task in asked["tasks"]]
    for task, answer in zip(asked["tasks"], answers, strict=True):
        if not is_control(request) and ("nova-3" in task["row"] or "nova-4" in task["row"]):
            answer |= dict.fromkeys(("name", "model", "benchmark", "column", "number", "out_of"), key)
    say(handler, json.dumps({"answers": answers, "key": key}), id=key, model="reader-1", usage={key: key})


def holds(content: bytes) -> bool:
    """Is the key in it, plain or packed?"""
    for unpack in (lambda x: x, gzip.decompress, zlib.decompress):
        try:
            if KEY.encode() in unpack(content):
                return True
        except (OSError, EOFError, zlib.error):
            pass
    return False


def published(root: Path):
    """A site, so that the status and the feeds of every run are written beside it."""

    def publish(folder: Path) -> None:
        index = made_up_index(root)
        write_run(folder / "_build" / "run", index)
        site = folder / "_build" / "html" / "data"
        site.mkdir(parents=True, exist_ok=True)
        (site / "index.json").write_bytes(canonical_bytes(index))

    return publish


@pytest.fixture(scope="module")
def lived(root, tmp_path_factory, publisher, endpoint):
    """Cycles with a reader that echoes, one that refuses, one that fails; all that they said and wrote."""
    patch, village = pytest.MonkeyPatch(), Village(root, tmp_path_factory.mktemp("key"), publisher, sources=("aider", "epoch"))
    said, codes = [], []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage() + str(record.__dict__))
    logging.getLogger().addHandler(handler)
    level = logging.getLogger().level
    logging.getLogger().setLevel(logging.DEBUG)
    values = checker_params.load_checker(root).model_dump()
    values |= {"fitting": "ai", "writer_family": "quill"}
    values["ai"] |= {"model": "reader-1", "family": "lens", "base_url": endpoint.url}
    values["retries"] |= {"attempts": 1}
    patch.setattr(checker_params, "load_checker", lambda folder: checker_params.CheckerParams.model_validate(values))
    patch.setenv(VARIABLE, KEY)
    publish = published(root)
    shutil.copyfile(root / "_config.yml", village.root / "_config.yml")
    try:
        for whole in (echoed, lambda h, request: send(h, h.headers["Authorization"].encode(), 401), lambda h, request: send(h, h.headers["Authorization"].encode(), 500),
                      lambda h, request: say(h, h.headers["Authorization"]), echoed):
            endpoint.begin()
            endpoint.whole = whole
            village.scores["gpqa-diamond-epoch"]["nova-3"] = round(village.scores["gpqa-diamond-epoch"]["nova-3"] + 0.01, 3)
            village.scores["aider-polyglot"]["nova-4"] = round(village.scores["aider-polyglot"]["nova-4"] + 0.01, 3)
            codes.append(village.turn(publish=publish))
            said += [*village.said, *(name for _, headers, _ in endpoint.asked for name in headers if KEY in headers[name])]
        run_notebook(root, "fetch", {"out_dir": str(village.root / "_build" / "noted")}, village.root / "_build" / "notebooks", 300)
    finally:
        logging.getLogger().removeHandler(handler)
        logging.getLogger().setLevel(level)
        patch.undo()
    return village, said, codes, list(endpoint.asked)


def test_the_key_was_used(lived):
    village, said, codes, asked = lived
    assert asked and all(headers["authorization"] == f"Bearer {KEY}" for _, headers, _ in asked)
    assert "authorization" in said and "start" in ledger_kinds(village.root) and "cycle" in ledger_kinds(village.root)


def test_no_line_log_or_refusal_holds_it(lived, capfd):
    _, said, codes, _ = lived
    assert codes[1:4] == [1, 1, 1] and len(said) > 20 and any("no second reader" in x for x in said)  # three refusals were told
    assert not [x for x in said if KEY in x]
    out = capfd.readouterr()
    assert KEY not in out.out + out.err


def test_no_file_holds_it(lived):
    """The ledger, the checkpoint, the archive of the publishers' files, status, feeds, the notebook that was run, and what lies beside them."""
    village = lived[0]
    files = [path for path in village.root.parent.rglob("*") if path.is_file() and not path.is_symlink()]
    names = {path.name for path in files}
    assert {"ledger.jsonl", "status.json", "feed.xml", "fetch.ipynb"} <= names and any(path.suffix == ".gz" for path in files)
    assert not [path for path in files if holds(path.read_bytes()) or KEY in str(path)]


def test_a_verdict_tells_that_something_was_hidden(lived):
    text = (lived[0].root / "data" / "ledger.jsonl").read_text(encoding="utf-8")
    assert "(key)" in text and "Bearer (key)" in text


@pytest.mark.parametrize("pack", [lambda x: x, gzip.compress, zlib.compress])
def test_the_look_finds_a_key_plain_and_packed(pack):
    assert holds(pack(f"a {KEY} b".encode())) and not holds(pack(b"a b"))


def test_no_file_of_the_project_gives_the_key_a_value(root):
    """It has a name there, and comes from the environment alone."""
    for name in ("params", "ops", "siiq_core", "notebooks", ".github"):
        for path in (root / name).rglob("*"):
            if path.is_file() and path.suffix not in (".pyc",):
                text = path.read_text(encoding="utf-8", errors="replace")
                assert not re.search(rf"{VARIABLE}\s*[=:]\s*[\"']?[A-Za-z0-9-]{{8}}", text) and not re.search(r"\bsk-[A-Za-z0-9-]{12,}", text), path


def test_notebooks_are_saved_without_the_environment(root):
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        text = path.read_text(encoding="utf-8")
        assert VARIABLE not in text and "os.environ" not in text, path.name

