"""Makes .venv, the project's own environment, from requirements.lock; does nothing where it stands already.

`make env` calls it. It runs on a bare Python 3 (an old one gets as far as the reason why it will not do), asks the
package index that pip is set up for, and compares every file with the SHA-256 in the lock.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed"  # written last, so an interrupted set-up is never taken for a whole one
OLDEST = (3, 11, 5)
TRIED = ("3.13", "3.12", "3.11")  # what requirements.lock is resolved for
READ_VERSION = "import sys; print('.'.join(map(str, sys.version_info[:3])))"


class Refused(Exception):
    """What is wrong, with its remedy."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default="", help="the Python to use (else the first that will do)")
    asked = parser.parse_args().python
    if stands(asked):
        return 0
    try:
        build(asked)
    except Refused as reason:
        print(f"make env: {reason}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"make env: {error}. Remedy: free some space or mend the folder's permissions, then run it again.", file=sys.stderr)
        return 1
    print("environment: ready in .venv")
    return 0


def stands(asked):
    """Whether .venv was made here, from these very files, and with the Python that was asked for."""
    if not STAMP.is_file() or STAMP.read_text(encoding="utf-8") != stamp() or version(str(PYTHON)) is None:
        return False
    return not asked or version(asked) == version(str(PYTHON))


def stamp():
    """The folder (an environment cannot be moved) and a digest of what it is made from."""
    digest = hashlib.sha256()
    for name in ("requirements.lock", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return f"{ROOT}\n{digest.hexdigest()}\n"


def build(asked):
    """Sets .venv up, from nothing unless only the lock or pyproject.toml changed."""
    python = choose(asked)
    made_here = STAMP.is_file() and STAMP.read_text(encoding="utf-8").splitlines()[:1] == [str(ROOT)]
    if made_here and version(str(PYTHON)) == version(python):
        STAMP.unlink()
    else:
        print(f"environment: making .venv with Python {version(python)}", flush=True)
        run([python, "-m", "venv", "--clear", str(VENV)], remedy="remove the folder .venv and run it again.")
    total = sum("==" in line for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines())
    print(f"environment: installing up to {total} packages as locked (a minute or two)", flush=True)
    pip("--require-hashes", "-r", "requirements.lock")
    pip("--no-build-isolation", "--no-deps", "--no-index", "-e", ".")
    STAMP.write_text(stamp(), encoding="utf-8")


def choose(asked):
    """The Python to build on: what was asked for, or python3, or a tried version found by name."""
    names = [asked] if asked else [sys.executable, *(f"python{v}" for v in TRIED)]
    found = {name: version(name) for name in names}
    good = [name for name in names if found[name] and number(found[name]) >= OLDEST]
    if not good:
        seen = ", ".join(f"{name} is {found[name]}" for name in names if found[name]) or f"{names[0]} does not run"
        raise Refused(f"Python {'.'.join(map(str, OLDEST))} or newer is needed, but {seen}. "
                      "Remedy: install one of Python 3.11 to 3.13, or name one: make env PYTHON=python3.12")
    tried = [name for name in good if found[name].rsplit(".", 1)[0] in TRIED]
    python = (tried or good)[0]
    if not tried:
        print(f"environment: Python {found[python]} is newer than what the lock was resolved for ({TRIED[-1]} to {TRIED[0]}); trying it")
    if subprocess.run([python, "-c", "import venv, ensurepip"], env=clean(), stderr=subprocess.DEVNULL).returncode:
        raise Refused(f"{python} comes without its module venv (or ensurepip). "
                      "Remedy: on Debian and Ubuntu, apt install python3-venv; elsewhere install a whole Python.")
    return python


def version(python):
    """The version that a Python reports, such as '3.11.7'; None where it does not run."""
    try:
        answer = subprocess.run([python, "-c", READ_VERSION], env=clean(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    return answer.stdout.decode().strip() if answer.returncode == 0 else None


def number(text):
    return tuple(int(part) for part in text.split("."))


def clean():
    """The caller's surroundings without what would bend a Python away from its own packages."""
    bent = {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "__PYVENV_LAUNCHER__"}
    return {key: value for key, value in os.environ.items() if key not in bent}


def pip(*arguments):
    run([str(PYTHON), "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--progress-bar", "off", *arguments],
        remedy="a network that reaches a package index is needed (for a mirror set PIP_INDEX_URL); then run make env again.")


def run(command, remedy):
    """Runs a step; tells how far it is, and shows its last lines only where it fails."""
    tail, count = [], 0
    with subprocess.Popen(command, cwd=str(ROOT), env=clean(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, errors="replace") as step:
        for line in step.stdout:
            tail = [*tail[-29:], line]
            if line.startswith("Collecting "):
                count += 1
                if count % 25 == 0:
                    print(f"  {count} fetched", flush=True)
            elif line.startswith("Installing collected packages") and count:
                print(f"  putting {count} in place", flush=True)
    if step.returncode:
        sys.stderr.writelines(tail)
        raise Refused(f"{' '.join(command[1:4])} failed, its last lines stand above. Remedy: {remedy}")


if __name__ == "__main__":
    sys.exit(main())
