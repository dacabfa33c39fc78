# Ladle. `make run` and `make test` do all the set-up they need on a Debian machine.
PYTHON ?= python3
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# The product runs from .venv, made of its own lock file alone; tests run from .venv-test and start
# the product's processes in .venv, so that what is deployed is what is tested.
VENV := .venv
TEST_VENV := .venv-test
BENCH_VENV := .venv-bench
TOOLS_VENV := .venv-toolchains
BIN := $(VENV)/bin
TEST_BIN := $(TEST_VENV)/bin
PYTEST := $(TEST_BIN)/python -m pytest
COMPILE := build/tools/bin/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --generate-hashes --no-emit-index-url
# Node and npm come with the product's packages.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --silent

.DEFAULT_GOAL := help
.PHONY: help run setup setup-test test tab test-slow check faults hosts load scale flat fresh image toolchains bundles audit lint types format golden remote streams bench against environments learn anchors calibration analysis puzzles schema lock wheels tuning upgrade clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

run: setup ## set up and serve the site with demo bots at http://localhost:8000 (PORT=..., HOST=...)
	@exec $(BIN)/python -m ladder.serve

setup: $(VENV)/run.stamp ## install what running needs
	@$(call debian,bwrap,bubblewrap,sandboxed matches)
	@$(call debian,redis-server,redis-server,messages between the processes)
	@$(call debian,/usr/lib/*/libstdc++.so.6,libstdc++6,Node and numpy)
	@$(MAKE) --no-print-directory bundles

setup-test: $(VENV)/run.stamp ## install what the tests need as well
	@$(MAKE) -s -j 2 setup $(TEST_VENV)/test.stamp
	@$(call debian,/usr/lib/postgresql/*/bin/postgres,postgresql,the job tests)
	@$(call debian,chromium,chromium,the browser tests)
	@$(call debian,nginx,nginx-light,the tests of remote bots)
	@$(call debian,openssl,openssl,the proxy's certificate)
	@$(call debian,curl,curl,the commands of the documentation)

# The types are checked beside the tests, which often wait.
test: setup-test lint ## all tests but the slow ones, with lint and types
	@mkdir -p build; $(MAKE) -s types > build/types.log 2>&1 & types=$$!; \
	$(PYTEST) -q -n 2 -m "not slow"; tests=$$?; \
	wait $$types || { cat build/types.log; exit 1; }; exit $$tests

tab: setup-test ## 208 plays in a tab's Python and in CPython give the same digests; how soon and how fast a tab plays
	$(PYTEST) -q tests/tab -m slow
	$(TEST_BIN)/python -m tests.tab.speed

test-slow: setup-test ## the long suite: 10,000 random plays per seat count, new examples, endurance
	LADLE_RANDOM_PLAYS=10000 $(PYTEST) -q -n 2 tests/engine/test_contract.py -k random_plays
	$(PYTEST) -q -n 2 -m hypothesis --hypothesis-profile searching
	LADLE_ENCODED_STATES=6300 $(PYTEST) -q -n 2 tests/kit/test_rl.py -k read_back
	LADLE_CAPTION_PLAYS=100 $(PYTEST) -q -n 2 tests/engine/test_captions.py
	$(PYTEST) -q -m slow

check: test ## exactly what CI runs

fresh: ## the README's two commands on a bare Debian, as root and as a plain user with sudo
	tests/programs/fresh/machine new root
	tests/programs/fresh/machine run root -- make test
	tests/programs/fresh/machine run root -- python3 tests/programs/fresh/try_run.py
	tests/programs/fresh/machine new cook cook
	tests/programs/fresh/machine run cook cook -- make test
	tests/programs/fresh/machine run cook cook -- python3 tests/programs/fresh/try_run.py

faults: setup-test ## kill, freeze, starve and cut off a whole site, then count what was lost (MINUTES=3 for each deployment); SOAK=30 watches its memory in peace
	@$(call debian,faketime,faketime,clocks that are ahead)
	$(TEST_BIN)/python -m tests.programs.storm $(if $(SOAK),soak $(SOAK),$(MINUTES))

hosts: setup-test ## worker hosts, keeper hosts and a server that share only a network; one after the other is cut off and comes back; four hosts' throughput adds up (root)
	@$(call debian,ip,iproute2,the cables between hosts)
	$(TEST_BIN)/python -m tests.programs.hosts
	$(TEST_BIN)/python -m tests.programs.hosts.keepers
	$(TEST_BIN)/python -m tests.programs.hosts.adding_up

upgrade: setup-test ## a site of the version before is upgraded in place, with its workers left running
	$(TEST_BIN)/python -m tests.programs.upgrade

load: setup-test ## what pages cost, and a hundred requests a second beside a playing worker
	$(TEST_BIN)/python -m tests.programs.storm.load

scale: setup-test ## throughput by number of workers with free plays, and what a million matches cost a scheduler (minutes; ARGS="--processes 4 --databases sqlite")
	$(TEST_BIN)/python -m tests.programs.scale $(ARGS)

flat: setup-test ## what lists and past ladders read with 2,000 rows and with 200,000 (minutes; ARGS="--databases sqlite")
	$(TEST_BIN)/python -m tests.programs.flat $(ARGS)

image: setup-test ## build the Dockerfile without Docker and run the services of docker-compose.yml in it
	@$(call debian,runc,runc,the containers)
	@$(call debian,/usr/bin/tini-static,tini,the containers)
	@$(call debian,/usr/share/containers/seccomp.json,golang-github-containers-common,Docker's seccomp profile)
	tests/programs/fresh/machine base
	$(TEST_BIN)/python -m tests.programs.image

toolchains: setup-test $(TOOLS_VENV)/stamp ## build the starters in C, C++, Rust, Go and Zig and play every game with them; what WebAssembly costs
	@$(call debian,/usr/bin/clang,clang lld,bots in C)
	@$(call debian,/usr/lib/wasm32-wasi/libc.a,wasi-libc libclang-rt-14-dev-wasm32,bots in C)
	@$(call debian,/usr/lib/wasm32-wasi/libc++.a,libc++-14-dev-wasm32 libc++abi-14-dev-wasm32,bots in C++)
	@$(call debian,/usr/lib/rustlib/wasm32-wasi,rustc libstd-rust-dev-wasm32,bots in Rust)
	$(PYTEST) -q tests/programs/toolchains/starters.py
	$(TEST_BIN)/python -m tests.programs.toolchains.kernel

bundles: node_modules/stamp ## make the scripts, styles and font that browsers load, in build/static
	@$(NPM) run build

lint: $(TEST_VENV)/test.stamp node_modules/stamp ## ruff: lint and format; codespell; Biome for JavaScript
	$(TEST_BIN)/ruff check .
	$(TEST_BIN)/ruff format --check .
	git ls-files -z | xargs -0 $(TEST_BIN)/codespell
	$(NPM) run lint

types: $(TEST_VENV)/test.stamp node_modules/stamp ## mypy, strict; tsc
	DEBUG=1 $(TEST_BIN)/mypy
	$(NPM) run types

format: $(TEST_VENV)/test.stamp ## let ruff put the code in order
	$(TEST_BIN)/ruff check --fix .
	$(TEST_BIN)/ruff format .

schema: setup ## write docs/openapi.yaml anew
	DEBUG=1 $(BIN)/python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml

remote: setup-test ## plays of remote bots in all games while keeper and stream are killed, on both databases (MINUTES=60: one play of that length across deployments)
	$(TEST_BIN)/python -m tests.ladder.remote.$(if $(MINUTES),hour $(MINUTES),storm)

streams: setup-test ## what a thousand open event streams cost, and what they miss when their server is killed (COUNT=1000)
	$(TEST_BIN)/python -m tests.ladder.events.load $(or $(COUNT),1000)

golden: setup ## write the games' playthroughs and the tables of their views anew; review the difference like code
	$(BIN)/python -m engine.golden --write

bench: $(VENV)/run.stamp $(BENCH_VENV)/bench.stamp ## measure the speed goals into build/bench.md (under 10 minutes)
	@$(call debian,bwrap,bubblewrap,sandboxed matches)
	@$(call debian,gcc,gcc libc6-dev,the pipe that decisions are compared with)
	@$(BENCH_VENV)/bin/python -m tests.programs.bench

wheels: setup-test ## the wheel in an empty environment on Python 3.11, 3.12 and 3.13, every local verb run
	$(TEST_BIN)/python -m tests.kit.wheels

tuning: $(TEST_VENV)/test.stamp ## how many plays ladle tune takes with duplicate sets and without
	$(TEST_BIN)/python -m tests.kit.tuning

environments: $(TEST_VENV)/test.stamp ## steps a second of the learning environments beside the bare engine, by game
	$(TEST_BIN)/python -m tests.programs.bench.environments

learn: setup-test ## train the example bot for some minutes and try it against greedy (MINUTES=3)
	$(TEST_BIN)/python -m ladle.examples.learned.train --minutes $(or $(MINUTES),3) --output build/learned

against: $(VENV)/run.stamp ## what matches and starts of bots cost, beside the first version in a git worktree, or beside COMMIT=...
	@$(call debian,bwrap,bubblewrap,sandboxed matches)
	@$(BIN)/python -m tests.programs.bench.against $(COMMIT)

anchors: $(TEST_VENV)/test.stamp ## measure the house bots into the games' anchors.json (about two hours; goes on where it was stopped; MINUTES=30 BOARDS="safranito/3 safranito/4")
	OPENBLAS_NUM_THREADS=1 $(TEST_BIN)/python -m tests.calibration.anchors play $(or $(MINUTES),150) $(BOARDS)
	OPENBLAS_NUM_THREADS=1 $(TEST_BIN)/python -m tests.calibration.anchors fit

calibration: $(TEST_VENV)/test.stamp ## simulate whether ratings come true, into build/calibration.md (RUNS=20, some minutes; SECTIONS=coverage)
	OPENBLAS_NUM_THREADS=1 $(TEST_BIN)/python -m tests.calibration $(or $(RUNS),20) $(SECTIONS)

analysis: setup-test ## measure whether analyses can be believed, into tests/analysis/figures.json and docs/analysis.svg (about 15 minutes; SECTIONS="own plants:ramen_ramen")
	OPENBLAS_NUM_THREADS=1 $(TEST_BIN)/python -m tests.analysis $(SECTIONS)

puzzles: setup-test ## look for a stock of puzzles in plays of house bots, into each game's puzzles.json.gz (about 20 minutes)
	$(TEST_BIN)/python -m engine.studies.stock $(GAMES)

lock: build/tools/stamp ## resolve the dependencies anew into the lock files
	$(COMPILE) --extra server --extra js --extra wasm pyproject.toml -o requirements.lock
	$(COMPILE) --extra server --extra js --extra wasm --extra mcp --extra openspiel --extra test pyproject.toml -c requirements.lock -o requirements-test.lock
	$(COMPILE) --extra server --extra js --extra wasm --extra bench pyproject.toml -c requirements.lock -o requirements-bench.lock
	$(COMPILE) --group toolchains -o requirements-toolchains.lock
	$(COMPILE) --group tools -o requirements-tools.lock

audit: build/tools/stamp node_modules/stamp ## known weaknesses of all that the lock files name; asks the services of PyPI and npm
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PYTHON) -m tests.programs.audit

clean: ## remove the environment and everything that was made here
	rm -rf $(VENV) $(TEST_VENV) $(BENCH_VENV) $(TOOLS_VENV) node_modules var build

$(VENV)/run.stamp: requirements.lock pyproject.toml
	@$(call environment,$(VENV),requirements.lock)

$(TEST_VENV)/test.stamp: requirements-test.lock pyproject.toml
	@$(call environment,$(TEST_VENV),requirements-test.lock)

$(BENCH_VENV)/bench.stamp: requirements-bench.lock pyproject.toml
	@$(call environment,$(BENCH_VENV),requirements-bench.lock)

$(TOOLS_VENV)/stamp: requirements-toolchains.lock $(VENV)/run.stamp
	@$(call locked,$(TOOLS_VENV),requirements-toolchains.lock)

build/tools/stamp: requirements-tools.lock
	@$(call locked,build/tools,requirements-tools.lock)

node_modules/stamp: package-lock.json package.json $(VENV)/run.stamp
	@$(call debian,/usr/lib/*/libstdc++.so.6,libstdc++6,Node and numpy)
	@echo "Installing JavaScript packages (package-lock.json) ..."
	@PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --loglevel=error --no-audit --no-fund >/dev/null || { echo "The packages of package-lock.json could not be installed; npm's message is above."; exit 1; }
	@touch $@

# environment(folder, lock file): a virtual environment with exactly what the lock file says.
# Lock files are complete, so pip need not look further (--no-deps).
define environment
	set -e; \
	command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or later is missing: install the package python3."; exit 1; }; \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ladle needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) -V). Set PYTHON=..."; exit 1; }; \
	$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(call apt,python3-venv,the virtual environment); \
	$(PYTHON) -m venv --clear $(1); \
	echo "Installing Python packages ($(2)) ..."; \
	$(1)/bin/pip install -q --disable-pip-version-check --require-hashes --no-deps -r $(2) \
	  || { echo "The Python packages of $(2) could not be installed; pip's message is above."; exit 1; }; \
	$(1)/bin/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .; \
	touch $@
endef

# locked(folder, lock file): a virtual environment of tools, each with its hash.
define locked
	echo "Installing Python packages ($(2)) ..."; \
	$(PYTHON) -m venv --clear $(1) \
	&& $(1)/bin/pip install -q --disable-pip-version-check --require-hashes --no-deps -r $(2) \
	&& touch $@
endef

# debian(command, package, what for): install a Debian package unless its command is there.
define debian
	ls $(1) >/dev/null 2>&1 || command -v $(1) >/dev/null 2>&1 || $(call apt,$(2),$(3))
endef

# apt(package, what for)
define apt
{ echo "Installing $(1) for $(2) ..."; \
	(DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $(1) \
	 || { $(SUDO) apt-get update -qq; DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $(1); }) >/dev/null 2>&1 \
	|| { echo "$(1) is missing, which $(2) needs, and it could not be installed: run 'apt-get install $(1)' as root."; exit 1; }; }
endef
