"""What no code of the project does: no pickle, no code made of data, no shell, no guessable temporary file, no archive unpacked unseen.

Read from the syntax, so that a call shows under whatever name it was imported.
"""

import ast
import json
import stat

import pytest

from siiq_core import files

BANNED_MODULES = {"pickle", "_pickle", "cPickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "dbm", "xml.etree.ElementTree", "xml.dom.minidom", "xml.sax", "telnetlib", "ftplib"}
BANNED_CALLS = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.startfile", "tempfile.mktemp", "tempfile.gettempdir", "subprocess.getoutput", "subprocess.getstatusoutput",
                "yaml.unsafe_load", "yaml.full_load", "yaml.load_all", "yaml.unsafe_load_all", "yaml.full_load_all", "shutil.unpack_archive", "pandas.read_pickle", "numpy.load", "pty.spawn", "code.interact",
                "random.seed", "numpy.random.seed"}
BANNED_METHODS = {"to_pickle", "read_pickle", "extractall", "from_pickle"}  # of any object
ALLOWED = {("siiq_core/cli.py", "os.execv")}  # siiq starts itself again, in UTF-8 mode, with the words it was given
SAFE_LOADERS = {"yaml.SafeLoader", "yaml.CSafeLoader", "yaml.BaseLoader", "yaml.CBaseLoader"}


def places(root):
    """Every code of the project: modules, scripts, tests' helpers apart, and the code cells of the notebooks."""
    for folder in ("siiq_core", "scripts"):
        for path in sorted((root / folder).rglob("*.py")):
            yield str(path.relative_to(root)), path.read_text(encoding="utf-8")
    yield "dodo.py", (root / "dodo.py").read_text(encoding="utf-8")
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
            if cell["cell_type"] == "code":
                yield f"{path.name}[{number}]", "".join(cell["source"])


def unsafe(text):
    """(line, what) of every unsafe thing in a code."""
    tree = ast.parse(text)
    known, assigned, found = {}, {}, []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                known[name.asname or name.name.split(".")[0]] = name.name if name.asname else name.name.split(".")[0]
                found += [(node.lineno, f"import {name.name}")] * (name.name in BANNED_MODULES or name.name.split(".")[0] in BANNED_MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                known[name.asname or name.name] = f"{node.module}.{name.name}"
            found += [(node.lineno, f"from {node.module}")] * (node.module in BANNED_MODULES or node.module.split(".")[0] in BANNED_MODULES)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            assigned[node.targets[0].id] = node.value

    def called(node):
        if isinstance(node, ast.Name):
            return known.get(node.id, node.id)
        return f"{called(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else "?"

    def safe_loader(node):
        if isinstance(node, ast.Name) and node.id in assigned:
            node = assigned[node.id]
        if isinstance(node, ast.Call) and called(node.func) == "getattr":  # getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            return f"{called(node.args[0])}.{ast.literal_eval(node.args[1])}" in SAFE_LOADERS and safe_loader(node.args[2])
        return called(node) in SAFE_LOADERS

    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (node.value == "/tmp" or node.value.startswith("/tmp/")):
            found.append((node.lineno, "a name in /tmp"))
        if not isinstance(node, ast.Call):
            continue
        name, words = called(node.func).replace("np.", "numpy.").replace("pd.", "pandas."), {x.arg: x.value for x in node.keywords}
        if name in BANNED_CALLS or name.startswith(("os.spawn", "os.exec")) or isinstance(node.func, ast.Attribute) and node.func.attr in BANNED_METHODS:
            found.append((node.lineno, name))
        if name in ("yaml.load", "yaml.compose", "yaml.parse", "yaml.scan"):
            loader = words.get("Loader") or (node.args[1] if len(node.args) > 1 else None)
            found += [] if loader is not None and safe_loader(loader) else [(node.lineno, f"{name} without a safe loader")]
        if name.startswith("subprocess."):
            shell = words.get("shell")
            if shell is not None and not (isinstance(shell, ast.Constant) and shell.value is False):
                found.append((node.lineno, f"{name} with a shell"))
            if node.args and isinstance(node.args[0], (ast.JoinedStr, ast.Constant, ast.BinOp)) and not isinstance(node.args[0], ast.List):
                if not (isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].left, ast.List)):
                    found.append((node.lineno, f"{name} with a command line as text"))
        if "allow_pickle" in words:
            found.append((node.lineno, "allow_pickle"))
        if isinstance(node.func, ast.Attribute) and node.func.attr == "extract" and "filter" not in words and node.args and "tar" in called(node.func).lower():
            found.append((node.lineno, "tar member without a filter"))
        if name.endswith("jinja2.Environment") or name == "jinja2.Environment":
            on = words.get("autoescape")
            found += [] if isinstance(on, ast.Constant) and on.value is True else [(node.lineno, "templates that do not escape")]
    return sorted(set(found))


def test_nothing_unsafe_anywhere(root):
    found = {place: bad for place, text in places(root) if (bad := [x for x in unsafe(text) if (place, x[1]) not in ALLOWED])}
    assert not found
    assert sum(1 for _ in places(root)) > 300


@pytest.mark.parametrize("code", [
    "import pickle", "from pickle import loads", "import cloudpickle as c", "from marshal import load as f", "import shelve", "from joblib import load", "import xml.etree.ElementTree as E",
    "eval('1')", "exec(x)", "compile(a, b, 'exec')", "__import__(x)", "import os\nos.system('ls')", "from os import popen as p\np('x')", "import os\nos.execv('a', [])",
    "import subprocess as s\ns.run(['a'], shell=True)", "from subprocess import run\nrun(['a'], shell=x)", "import subprocess\nsubprocess.run(f'a {b}')", "import subprocess\nsubprocess.getoutput('x')",
    "import tempfile\ntempfile.mktemp()", "open('" + "/tmp" + "/siiq.log')", "import yaml\nyaml.load(x)", "import yaml\nyaml.load(x, Loader=yaml.Loader)", "import yaml\nL = yaml.FullLoader\nyaml.load(x, L)",
    "import yaml\nyaml.compose(x)", "from yaml import unsafe_load\nunsafe_load(x)", "a.extractall(p)", "import shutil\nshutil.unpack_archive(x)", "import numpy as np\nnp.load(p)", "f(x, allow_pickle=True)",
    "import pandas as pd\npd.read_pickle(p)", "frame.to_pickle(p)", "from jinja2 import Environment\nEnvironment()", "import jinja2\njinja2.Environment(autoescape=False)"])
def test_the_look_finds_what_is_unsafe(code):
    assert unsafe(code)


@pytest.mark.parametrize("code", [
    "import subprocess\nsubprocess.run([a, b])", "import subprocess\nsubprocess.run([a] + b, shell=False)", "import yaml\nyaml.safe_load(x)", "import yaml\nyaml.load(x, Loader=yaml.SafeLoader)",
    "import yaml\nL = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)\nyaml.load(x, Loader=L)", "import re\nre.compile('a')", "frame.evaluate(x)", "import tempfile\ntempfile.mkstemp()",
    "from jinja2 import Environment\nEnvironment(autoescape=True)"])
def test_the_look_lets_stand_what_is_safe(code):
    assert not unsafe(code)


def test_scripts_of_the_shell_name_no_file_that_others_could_lay_there_first(root):
    for path in sorted(p for p in (root / "ops").iterdir() if p.is_file() and p.suffix != ".md"):
        text = path.read_text(encoding="utf-8")
        assert "/tmp" not in text and "eval " not in text, path.name
        if path.suffix == ".sh":
            assert "set -e" in text, path.name


# --- files on their way -----------------------------------------------------------------------------------------------


def test_what_is_written_aside_is_private_until_it_is_whole(tmp_path, monkeypatch):
    """Another user of the machine sees neither half a file nor a name to lay a link under."""
    seen, names = [], set()
    replace = files.os.replace

    def watched(source, target):
        seen.append(target)
        names.add(str(source))
        replace(source, target)

    aside = []
    mkstemp = files.tempfile.mkstemp

    def made(**where):
        handle, name = mkstemp(**where)
        aside.append((stat.S_IMODE(files.os.fstat(handle).st_mode), files.Path(name).parent))
        return handle, name

    monkeypatch.setattr(files.os, "replace", watched)
    monkeypatch.setattr(files.tempfile, "mkstemp", made)
    for _ in range(2):
        files.replace_bytes(tmp_path / "a.json", b"{}")
    assert aside == [(0o600, tmp_path)] * 2 and len(names) == 2 and seen == [tmp_path / "a.json"] * 2
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o644 and [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_link_under_the_files_name_is_replaced_and_not_followed(tmp_path):
    (tmp_path / "else.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "a.json").symlink_to(tmp_path / "else.txt")
    files.replace_bytes(tmp_path / "a.json", b"{}")
    files.replace_all({tmp_path / "b.json": b"1", tmp_path / "a.json": b"2"})
    assert (tmp_path / "else.txt").read_text(encoding="utf-8") == "mine" and not (tmp_path / "a.json").is_symlink() and (tmp_path / "a.json").read_bytes() == b"2"
