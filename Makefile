# Everything a user or a maintainer runs. Each target makes its own environment on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Processes of their own test these from outside, and a terminal tests the command line.
AROUND := ledger/cli/*,ledger/hook.py,ledger/entry.py
OPENSPEC := @fission-ai/openspec@1.13.2

.PHONY: help demo test lint types imports unit specs bench clean

help: ## Show what can be run
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(READY): pyproject.toml contracts/version.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "readmark needs Python 3.11 or newer: set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Making the environment in $(VENV) (once, about a minute) ..." >&2
	@if command -v uv >/dev/null 2>&1; then \
	  { test -x $(BIN)/python || uv venv --quiet --python $(PYTHON) $(VENV); } \
	  && uv pip install --quiet --python $(BIN)/python --editable '.[dev]'; \
	else \
	  { test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV); } \
	  && $(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'; \
	fi
	@touch $@

demo: $(READY) ## Replay recorded conversations through the installed hook and show what comes of them
	@$(BIN)/python -m adapters.evidence.demo

test: lint types imports unit specs ## Check everything, as CI does

lint: $(READY) ## Check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## Check types
	$(BIN)/mypy
	$(BIN)/mypy benchmarks

imports: $(READY) ## Check that data goes one way
	$(BIN)/lint-imports --no-cache

unit: $(READY) ## Run the tests
	$(BIN)/pytest --numprocesses=2 --dist=loadfile --ignore=tests/hosts --cov --cov-report=
	@echo "The real hosts, several side by side:"
	$(BIN)/pytest --numprocesses=2 --dist=loadfile tests/hosts
	@$(BIN)/coverage report --skip-covered --show-missing
	@echo "Every line and branch of the contracts and of the ledger's core:"
	$(BIN)/coverage report --fail-under=100 --include='contracts/*,ledger/*' --omit='$(AROUND)' --skip-covered

specs: ## Validate the specifications (needs npx; CI must have it)
	@if command -v npx >/dev/null 2>&1; then \
	  OPENSPEC_TELEMETRY=0 DO_NOT_TRACK=1 npx --yes $(OPENSPEC) validate --all --strict --no-interactive; \
	elif [ -n "$$CI" ]; then echo "npx is missing: the specifications were not validated" >&2; exit 1; \
	else echo "specs: skipped, there is no npx here"; fi

bench: $(READY) ## Measure the hook and the store against their peers, in one run
	$(BIN)/python benchmarks/hook.py
	$(BIN)/python benchmarks/store.py
	$(BIN)/python benchmarks/comparison.py

clean: ## Remove what the targets made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage dist build
