# Set-up, the tests, and what else people do with a checkout. `make demo` and `make test` need nothing before them.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SAMPLES = build/samples
DEMO_BANK = build/demo-bank
QUESTION ?= can police ask a motorist for consent to search without suspicion

.PHONY: demo test gates test-slow test-corpus quality bench samples screenshots format clean

demo: $(SAMPLES)/.built
	$(BIN)/briefbank index $(SAMPLES) --bank $(DEMO_BANK) || test $$? -eq 12
	$(BIN)/briefbank search "$(QUESTION)" --bank $(DEMO_BANK)
	@echo; echo "The window: $(BIN)/briefbank-ui --bank $(DEMO_BANK)"
	@if test -n "$$DISPLAY$$WAYLAND_DISPLAY"; then $(BIN)/briefbank-ui --bank $(DEMO_BANK) & fi

test: $(SAMPLES)/.built
	sh installer/system-packages test
	$(BIN)/python -m pytest

gates: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-slow: $(SAMPLES)/.built
	sh installer/system-packages test
	$(BIN)/python -m pytest -m slow

test-corpus: $(SAMPLES)/.built
	$(BIN)/python -m pytest -m corpus

quality: $(SAMPLES)/.built
	$(BIN)/python -m pytest -m "slow or corpus or not slow" tests/quality/test_retrieval_floor.py

bench: $(SAMPLES)/.built
	$(BIN)/python tests/bench/run.py

samples: $(SAMPLES)/.built

screenshots: demo
	sh installer/system-packages test
	$(BIN)/python tests/e2e/screenshots.py build/screenshots --bank $(DEMO_BANK)
	mkdir -p docs/images
	cp build/screenshots/window.png docs/images/window.png

format: $(VENV)/.installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else 'BriefBank needs Python 3.11, 3.12 or 3.13: make PYTHON=python3.12 …')"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[index,dev]"
	touch $@

.PHONY: system
system:
	sh installer/system-packages

$(SAMPLES)/.built: $(VENV)/.installed tests/data/build_samples.py $(wildcard tests/data/samples/sources/*) | system
	$(BIN)/python tests/data/build_samples.py $(SAMPLES)
	touch $@

clean:
	rm -rf build .venv
