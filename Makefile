# Two commands set everything up: make reproduce, make test. The others are parts of them.
CORES ?= all
PYTHON ?= python3
BIN := .venv/bin
# Bars per rule on a terminal; plain lines in a pipe.
SNAKEMAKE = $(BIN)/snakemake --cores $(CORES) $$([ -t 2 ] && echo --logger rich)
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock

.PHONY: reproduce quick check-claims test test-cluster lint format generate lock

reproduce: .venv/installed
	$(SNAKEMAKE) -- all

quick: .venv/installed
	$(SNAKEMAKE) --configfile config/quick.yaml -- all

check-claims: .venv/installed
	$(SNAKEMAKE) -- results/claims.parquet
	$(BIN)/python -m attnrank check-claims results/claims.parquet

test: lint
	$(BIN)/python -m pytest

test-cluster: .venv/installed
	CORES=$(CORES) bash tests/cluster/run.sh

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/mypy
	$(BIN)/snakemake --lint

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow/rules

# The JSON schema and the settings page, from the models.
generate: .venv/installed
	$(BIN)/python -m attnrank generate

.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit(f"Python 3.11 or newer is needed, {sys.executable} is {v[0]}.{v[1]}: set PYTHON=/path/to/python3.11")'
	[ -x $(BIN)/python ] || $(PYTHON) -m venv .venv
	$(PIP) --editable .
	touch $@

.venv/installed-dev: .venv/installed
	$(PIP) --editable '.[dev]'
	touch $@

# New pins: install the newest of what pyproject.toml names, then write down all of it.
lock:
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --editable '.[dev]'
	build/lock/bin/python -m pip freeze --exclude-editable | sed 's/+cpu$$//' > requirements.lock
