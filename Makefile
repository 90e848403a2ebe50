# `make` lists the targets. Every target sets up what it needs in .venv, and needs Python, git and make for that.

.DEFAULT_GOAL := help
.PHONY: help repro test lint format third-party diff relock lock

# The interpreter to build .venv with; by default the newest that the locks were resolved for.
PYTHON ?= python3.13 python3.12 python3.11 python3

# What `make diff` compares with: a branch, tag or commit.
BASE ?= HEAD

# DVC does not put its own environment on PATH, and its stages run `python`. The shell is named because make 3.81
# (macOS) else looks commands up on the PATH that it was started with.
SHELL := /bin/bash
export PATH := $(CURDIR)/.venv/bin:$(PATH)

PIP := .venv/bin/python -m pip --disable-pip-version-check --quiet --quiet
INSTALL := $(PIP) install --progress-bar off --require-hashes --no-deps
INSTALL_BENCH := $(PIP) install --no-index --no-deps --no-build-isolation --editable .

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

repro: .venv/main.stamp ## rebuild the starter suite and show what was built
	dvc repro
	bench summary

test: .venv/dev.stamp ## run all tests
	python -m pytest --numprocesses auto

lint: .venv/dev.stamp ## check style and types
	ruff check .
	ruff format --check .
	mypy

format: .venv/dev.stamp ## put the code into the house's format
	ruff check --fix .
	ruff format .

third-party: .venv/main.stamp ## rebuild the third-party suite (BENCH_MIRROR=<folder or URL>: from a mirror)
	dvc repro suites/third-party/dvc.yaml
	bench summary --suite suites/third-party

diff: .venv/main.stamp ## show which measures changed since BASE (default: the last commit)
	dvc metrics diff $(BASE)

# The suite that `make relock` makes true again.
SUITE ?= bench
RELOCKED := $(if $(filter bench,$(SUITE)),.,$(SUITE))

relock: .venv/main.stamp ## make dvc.lock and metrics true again after a merge (SUITE=suites/third-party: that suite's)
	@if [ -n "$$(git ls-files --unmerged -- $(RELOCKED)/dvc.lock)" ]; then git checkout --ours -- $(RELOCKED)/dvc.lock; fi
	dvc repro --force $(RELOCKED)/dvc.yaml
	bench doctor --suite $(SUITE) --rescore
	@git status --short -- $(RELOCKED)/dvc.lock $(RELOCKED)/metrics

RESOLVE := .venv/bin/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header $(if $(UPGRADE),--upgrade)

lock: .venv/bin/python ## resolve requirements/*.lock anew, keeping pins that still fit (UPGRADE=1: none)
	$(PIP) install uv==0.13.9
	$(RESOLVE) pyproject.toml requirements/main.in --output-file requirements/main.lock
	$(RESOLVE) pyproject.toml requirements/main.in requirements/dev.in --constraint requirements/main.lock \
		--output-file requirements/dev.lock
	$(RESOLVE) pyproject.toml requirements/main.in requirements/bench.in --constraint requirements/main.lock \
		--output-file requirements/bench.lock

# A stamp is newer than the lock that was installed. dev.lock holds all of main.lock.
.venv/main.stamp: requirements/main.lock pyproject.toml | .venv/bin/python
	@echo "Installing requirements/main.lock into .venv; this takes about two minutes the first time."
	@$(INSTALL) --requirement requirements/main.lock
	@$(INSTALL_BENCH)
	@touch $@

.venv/dev.stamp: requirements/dev.lock pyproject.toml | .venv/bin/python
	@echo "Installing requirements/dev.lock into .venv; this takes about two minutes the first time."
	@$(INSTALL) --requirement requirements/dev.lock
	@$(INSTALL_BENCH)
	@touch .venv/main.stamp $@

.venv/bin/python:
	@for python in $(PYTHON); do \
		"$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null || continue; \
		suitable=$$python; \
		"$$python" -c 'import ensurepip, venv' 2>/dev/null || continue; \
		"$$python" -m venv .venv && exit 0; \
		rm -rf .venv; exit 1; \
	done; \
	if [ -n "$$suitable" ]; then \
		echo "error: $$suitable cannot make a virtual environment: install its venv package" \
			"(Debian, Ubuntu: apt-get install python3-venv, or python3.N-venv for a python3.N), then run make again." >&2; \
	else \
		echo "error: no Python 3.11, 3.12 or 3.13 among: $(PYTHON). Install one (Debian 12, Ubuntu 24.04:" \
			"apt-get install python3 python3-venv; Fedora: dnf install python3.13; macOS: brew install python@3.13)," \
			"or name one: make PYTHON=/path/to/python3." >&2; \
	fi; \
	exit 1
