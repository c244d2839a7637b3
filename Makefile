# Weir. Each target is complete from a fresh clone: it needs rustup and a C compiler, and adds the rest itself.
#
#   make build   the host in release, and every plugin as a component under target/components/
#   make run     builds all and runs the main job: ContainmentBench's suite, ending with a summary and a report's path
#   make run-all the same, and the suites beside it: the leaderboard, stress, controls, ledger errors,
#                memory writers between sessions, and what memory writers keep and agents do with it
#   make test    all tests; for plugins in other languages than Rust it needs python3 with venv, node and npm, for a registry apt
#   make tools   what those languages' plugins and the site's pages are built and tested with, the programs that read exports, and
#                a registry, under target/tools/; part of `make test`. Installs chromium where it is missing and may be installed
#   make site    our own full runs as a site, under target/site: `weir view target/site`
#   make docs    the manual, as HTML under target/book/
#   make bench   ratios, measured side by side in one run; RECORDED=FILE replays your own imported runs
#   make lint    formatting, clippy, dependencies
#   make fuzz    optional: builds the fuzzers (10 minutes), and runs each for FUZZ_SECONDS (60)
#   make local-models   optional: fetches the weights of two small open models (600 MB) to target/models/
#   make test-local     optional: builds in-process models, and tests them with the weights that are there
#   make test-llama     optional: builds llama.cpp's server (8 minutes), and runs 24 scenarios on a model that it serves

CARGO ?= cargo
WEIR := target/release/weir
WASM_TARGETS := wasm32-unknown-unknown wasm32-wasip2
SAMPLES := tests/samples/agentdojo
TOOLS := target/tools
WEB := host/site/web
CHROMIUM := /usr/bin/chromium
PINNED := tests/languages/tools
INTEROP := tests/interop
FUZZERS := agentdojo case completion component histories interfaces settings submission trace_file trace_text
FUZZ_SECONDS ?= 60
RECORDED ?= target/bench/recorded.jsonl.zst
PEER := target/bench/peer.txt
PYTHON_POLICY := target/bench/my-python/my-python.wasm

# Kernels are chosen when they are compiled: for any x86-64 they are four times as slow as for this machine, and what is
# built for this machine may not run on another, so it has a folder of its own. One thread for the kernels: more than there
# are idle cores are far slower than one.
LOCAL := RUSTFLAGS="-C target-cpu=native" CARGO_TARGET_DIR=target/local CANDLE_NUM_THREADS=1

.PHONY: build run run-all test tools chromium site docs bench lint fuzz local-models test-local test-llama lint-local targets clean
.DELETE_ON_ERROR:

# Of the whole workspace, so that cargo chooses the features that `make test` needs too, and wasmtime is compiled once.
build: targets
	$(CARGO) build --release --locked --workspace --bin weir
	$(WEIR) list --save target/components

run: build
	$(WEIR) run

run-all: run
	$(WEIR) run leaderboard
	$(WEIR) run stress
	$(WEIR) run controls
	$(WEIR) run ledger-errors
	$(WEIR) run memory-writers
	$(WEIR) run authmem

test: targets tools
	$(CARGO) test --release --locked --workspace

# The same command again goes on where a run was ended, and a finished run is taken as it is.
site: build
	$(WEIR) run leaderboard --out target/runs/leaderboard
	$(WEIR) run authmem --out target/runs/authmem
	$(WEIR) leaderboard build target/runs/leaderboard target/runs/authmem --out target/site

docs:
	$(CARGO) run --release --locked -p weir-docs -- target/book

tools: $(TOOLS)/python/installed $(TOOLS)/npm/installed $(TOOLS)/interop/installed $(TOOLS)/registry/installed \
  $(TOOLS)/site/installed chromium

$(TOOLS)/python/installed: $(PINNED)/requirements.txt
	python3 -m venv $(TOOLS)/python
	$(TOOLS)/python/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(TOOLS)/npm/installed: $(PINNED)/package.json $(PINNED)/package-lock.json
	@mkdir -p $(TOOLS)/npm
	cp $^ $(TOOLS)/npm
	cd $(TOOLS)/npm && npm ci --no-fund --no-audit --loglevel=error
	@touch $@

# The programs that read what `weir export` writes. Every Eval Ever asks for Python 3.12 and for its converters' packages; its
# validator, which is all that is used of it, needs neither.
$(TOOLS)/interop/installed: $(INTEROP)/requirements.txt $(INTEROP)/without-dependencies.txt
	python3 -m venv $(TOOLS)/interop
	$(TOOLS)/interop/bin/pip install --quiet --disable-pip-version-check --requirement $(INTEROP)/requirements.txt
	$(TOOLS)/interop/bin/pip install --quiet --disable-pip-version-check --no-deps --ignore-requires-python \
	  --requirement $(INTEROP)/without-dependencies.txt
	@touch $@

# A registry that `weir push` and `weir pull` speak to: Debian's, unpacked and not installed, so that nobody needs to be root.
$(TOOLS)/registry/installed:
	@mkdir -p $(TOOLS)/registry
	cd $(TOOLS)/registry && { apt-get --quiet download docker-registry || { apt-get --quiet update && apt-get --quiet download docker-registry; }; }
	cd $(TOOLS)/registry && dpkg -x docker-registry_*.deb .
	@touch $@

# One node_modules for the build of the pages and for their tests. A folder that somebody installed by hand stays.
$(TOOLS)/site/installed: $(WEB)/package.json $(WEB)/package-lock.json
	@mkdir -p $(TOOLS)/site
	cp $^ $(TOOLS)/site
	cd $(TOOLS)/site && npm ci --no-fund --no-audit --loglevel=error
	@test -d $(WEB)/node_modules -a ! -L $(WEB)/node_modules || ln -sfn ../../../$(TOOLS)/site/node_modules $(WEB)/node_modules
	@touch $@

# The browser that the site's tests drive.
chromium:
	@test -x $(CHROMIUM) || { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y --no-install-recommends chromium; } || { \
	  echo "error: the site's tests need $(CHROMIUM); run: sudo apt-get install chromium" >&2; exit 1; }

bench: build $(RECORDED) $(PEER) $(PYTHON_POLICY)
	$(CARGO) build --release --locked --workspace --bin weir-bench
	target/release/weir-bench $(RECORDED) "$$(cat $(PEER))" $(PYTHON_POLICY)

lint: targets
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --locked --workspace --all-targets -- -D warnings
	@command -v cargo-deny >/dev/null || $(CARGO) install --locked cargo-deny
	$(CARGO) deny check

# Without a sanitizer, which the stable toolchain does not have: Weir's own code has no unsafe but what loads native code,
# and a fuzzer needs a panic, not a bad pointer. A finding is written to tests/fuzz/fuzz/artifacts, and what was new to a
# fuzzer to tests/fuzz/fuzz/corpus, where it goes on the next time. `interfaces` alone goes on after a finding: see
# tests/fuzz/src/component.rs.
fuzz: targets
	@command -v cargo-fuzz >/dev/null || $(CARGO) install --locked cargo-fuzz
	cd tests/fuzz && $(CARGO) fuzz build --sanitizer none --target-dir $(CURDIR)/target/fuzz
	set -e; cd tests/fuzz; for target in $(FUZZERS); do mkdir -p fuzz/corpus/$$target; \
	  case $$target in interfaces) more="-fork=1 -ignore_crashes=1";; *) more=;; esac; \
	  $(CARGO) fuzz run --sanitizer none --target-dir $(CURDIR)/target/fuzz $$target fuzz/corpus/$$target seeds/$$target -- \
	    -max_total_time=$(FUZZ_SECONDS) -timeout=60 -print_final_stats=1 $$more; done

# Ends with an error only if there are no weights at all afterwards.
local-models:
	python3 host/local-models/fetch.py target/models

test-local:
	$(LOCAL) $(CARGO) test --release --locked -p weir-local-models --features candle -- --nocapture

# Its own output is shown: a newcomer sees what a model of 135 million parameters makes of the tasks.
test-llama: targets local-models
	python3 tests/llama/build.py target/llama
	WEIR_LLAMA_SERVER=$(CURDIR)/target/llama/llama-server \
	WEIR_LLAMA_WEIGHTS=$(CURDIR)/target/models/smollm2-135m-instruct-q4_1.gguf \
	  $(CARGO) test --release --locked -p weir-tests --test cli llama:: -- --nocapture

# Apart from `lint`, which compiles no kernels.
lint-local:
	$(LOCAL) $(CARGO) clippy --release --locked -p weir-local-models --features candle --all-targets -- -D warnings
	$(CARGO) deny --all-features check licenses bans sources

# Toolchain files do not install targets where rustup may not install by itself, so they are added by name.
targets:
	@command -v rustup >/dev/null || { echo "error: rustup is needed: see https://rustup.rs" >&2; exit 1; }
	@rustup target add $(WASM_TARGETS) 2>/dev/null || { \
	  echo "error: cannot add the targets $(WASM_TARGETS) to the toolchain of rust-toolchain.toml;" >&2; \
	  echo "  run: rustup toolchain install $$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml) --target $$(echo $(WASM_TARGETS) | tr ' ' ',')" >&2; exit 1; }

target/bench/recorded.jsonl.zst: build
	$(WEIR) import agentdojo $(SAMPLES) --suites $(SAMPLES)/suites.json --out $@

# As `weir new` makes it.
$(PYTHON_POLICY): build tools
	@rm -rf target/bench/my-python
	$(WEIR) new policy my-python --lang python --dir target/bench
	PATH="$(CURDIR)/$(TOOLS)/python/bin:$$PATH" $(WEIR) build target/bench/my-python

# AgentDojo's own pipeline, where Python can install it; an empty file says that it cannot.
$(PEER): tests/bench/agentdojo_peer.py
	@mkdir -p $(@D)
	@if python3 -m venv target/bench/venv >/dev/null 2>&1 && target/bench/venv/bin/pip install -q agentdojo==0.1.35 >/dev/null 2>&1; \
	then target/bench/venv/bin/python tests/bench/agentdojo_peer.py > $@ || : > $@; \
	else : > $@; fi

clean:
	$(CARGO) clean
