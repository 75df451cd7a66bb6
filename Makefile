# Two commands: `make book` and `make test`. Everything they need goes into .venv, out of requirements.lock.
# Asked of the machine: Python 3.11.5 or newer with its venv module, make, a network that reaches a package index.
# Paths are relative, so that the folder may have any name.

PYTHON ?=
WORKERS ?= 2
UPGRADE ?=
RECORD ?=
BIN := .venv/bin

# Nothing of the caller's Python set-up reaches the stages or the tests.
unexport PYTHONPATH PYTHONHOME PYTHONSTARTUP
export PYTHONNOUSERSITE := 1
export IPYTHONDIR := $(CURDIR)/.venv/ipython

.PHONY: help env book test bench audit lock clean

help:
	@echo "make book    environment, fetch, calibrate, score, then the book in three languages: _build/html/index.html"
	@echo "make test    the whole test suite, notebooks included"
	@echo "make env     only the environment (.venv); PYTHON=python3.12 chooses a Python"
	@echo "make bench   how fast, at which size, against what else; some ten minutes on a quiet machine; RECORD=2026-11-30 keeps it for the book"
	@echo "make audit   licences of all packages; known vulnerabilities, where a network reaches the list of them"
	@echo "make lock    resolve requirements.lock and environment.yml again from pyproject.toml; UPGRADE=1 for newest versions"
	@echo "make clean   remove what was made (_build and the generated pages), keep the environment"

env:
	@python='$(PYTHON)'; command -v "$${python:-python3}" >/dev/null 2>&1 || { \
	  echo "make env: $${python:-python3} was not found. Remedy: install Python 3.11.5 or newer, or name one: make env PYTHON=/path/to/python3" >&2; exit 1; }; \
	"$${python:-python3}" scripts/environment.py --python "$$python"

book: env
	@PYTHONUNBUFFERED=1 $(BIN)/doit
	@echo
	@echo "make book: done. Open _build/html/index.html (English, German, Spanish); the data is in _build/html/data/"

# Both steps always run, so that one look shows all that fails.
test: env
	@failed=; \
	$(BIN)/python -m pytest tests -n $(WORKERS) || failed="$$failed tests"; \
	echo; echo "make test: the notebooks, run again and compared with what they were saved with"; \
	$(BIN)/python -m pytest --nbval notebooks || failed="$$failed notebooks"; \
	echo; \
	if [ -n "$$failed" ]; then echo "make test: FAILED in:$$failed" >&2; exit 1; fi; \
	echo "make test: tests/ and notebooks/ passed"

bench: env
	@$(BIN)/python scripts/bench.py $(if $(RECORD),--record $(RECORD))

audit: env
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --target _build/audit --upgrade pip-audit 2>/dev/null || echo "make audit: pip-audit is out of reach" >&2
	@$(BIN)/python scripts/audit.py

lock: env
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip compile --quiet pyproject.toml --group test --group build --universal --python-version 3.11.5 \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate $(if $(UPGRADE),--upgrade) --output-file requirements.lock
	@$(BIN)/python scripts/requirements_to_conda.py
	@echo "make lock: wrote requirements.lock and environment.yml; make env installs them"

clean:
	rm -rf _build book/*/_generated .pytest_cache .hypothesis
	@echo "make clean: done; the environment stays in .venv (remove that folder to start from nothing)"
