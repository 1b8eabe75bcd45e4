# `make help` lists the targets.
SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
# HAProxy is in /usr/sbin, which is not in every user's path.
export PATH := $(HOME)/.cargo/bin:$(PATH):/usr/sbin
MINUTES ?= 5
# The tests of the page whose requests change most in the database. Any other file runs on PostgreSQL in the same way.
PAGE_FLOWS = test_approvals_decide.py test_connections.py test_key_life.py test_operator_keys.py test_posts.py test_sign_in.py test_site.py

.DEFAULT_GOAL := help
.PHONY: help run test test-quick test-tools lint build-tests test-rust test-postgres test-cluster service-for-tests soak test-bridge test-browser screenshots bench \
	bench-crawl bench-hostile bench-erasure bench-operator bench-partitions instructions fuzz audit sbom release-static docs setup

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build and start the demo: a brand with keys and sample content on http://127.0.0.1:8080
	@scripts/setup build
	@[ -e target/debug/svc-mcp ] || echo "The first build takes some minutes. Cargo shows its progress:"
	cargo run --locked -p svc-mcp -- demo

test: ## Install what the tests need and run all of them
	@scripts/setup test
	@echo "make test: downloads the other tools of the tests while it compiles"
	@$(MAKE) test-tools & tools=$$!; $(MAKE) lint build-tests || { kill $$tools; exit 1; }; wait $$tools
	@echo "make test: runs the suites in two lanes side by side"
	@set -o pipefail; \
	($(MAKE) test-rust test-postgres 2>&1 | sed -u 's/^/[rust] /') & rust=$$!; \
	($(MAKE) test-cluster test-bridge test-browser 2>&1 | sed -u 's/^/[servers] /') & servers=$$!; \
	failed=; wait $$rust || failed="$$failed rust"; wait $$servers || failed="$$failed servers"; \
	if [ -n "$$failed" ]; then echo "make test: failed, see the lines of:$$failed"; exit 1; fi; \
	echo "make test: all suites passed"

# Most HTTP tests wait more than they compute: four at a time take half as long as two on two cores.
test-quick: ## The loop while coding: formatting, unit tests and the HTTP tests on SQLite (after one `make setup`)
	cargo fmt --check
	RUST_TEST_THREADS=4 cargo test --locked --workspace --lib --bins --test it

setup: ## Install what building and testing need
	@scripts/setup test
	@$(MAKE) test-tools

test-tools: # What the tests need besides Debian's packages
	@bridge/tests/setup.sh
	@crates/testkit/setup.sh
	@crates/server/tests/browser/setup.sh
	@crates/server/tests/process/publish/setup.sh
	@crates/server/tests/process/traces/setup.sh

lint: ## Formatting, lints, and the dependencies as far as scripts/audit can check them here
	@scripts/audit
	cargo fmt --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo clippy --locked -p svc-mcp --test cluster -- -D warnings

# Not the examples, which `make lint` checks, and no documentation tests: there are none.
build-tests:
	cargo test --locked --workspace --lib --bins --tests --no-run
	cargo test --locked -p svc-mcp --test cluster --no-run

test-rust: ## All Rust tests except the cluster's, on SQLite
	RUST_TEST_THREADS=4 cargo test --locked --workspace --lib --bins --tests

test-postgres: ## The HTTP tests again, on PostgreSQL and Redis
	RUST_TEST_THREADS=4 SVC_TEST_ENGINE=postgres cargo test --locked -p svc-mcp --test it

test-cluster: ## Three instances behind HAProxy, with every fault that operations.md names; also checks deploy/ and operations.md
	cargo test --locked -p svc-mcp --test cluster -- --test-threads 3

soak: ## Three instances under load and faults for MINUTES (5): nothing is lost or over-admitted, memory stays flat
	@scripts/setup test
	cargo build --locked -p svc-mcp
	cargo run --locked -p svc-mcp --example soak -- $(MINUTES)

# Builds the service with the features of the tests, which are compiled already.
service-for-tests:
	cargo test --locked -p svc-mcp --test it --no-run

test-bridge: service-for-tests ## The stdio bridge, with the official MCP clients
	.venv/test/bin/python -m pytest -q bridge/tests

test-browser: service-for-tests ## The settings page, in Chromium: everything on SQLite, the main flows also on PostgreSQL and Redis
	.venv/test/bin/python -m pytest -q crates/server/tests/browser
	cd crates/server/tests/browser && SVC_TEST_ENGINE=postgres $(CURDIR)/.venv/test/bin/python -m pytest -q $(PAGE_FLOWS)

screenshots: setup ## Screenshots of every state of the settings page, in screenshots/
	cargo build --locked -p svc-mcp
	.venv/test/bin/python crates/server/tests/browser/screenshots.py

bench: ## Compare the speed with a bare server and other servers: docs/performance.md (about fifty minutes, on an idle machine)
	python3 bench/run.py

bench-crawl: ## Compare the audit's crawl with Scrapy's, on one local site: docs/performance.md
	python3 bench/crawl/run.py

bench-hostile: ## What a brand notices of one that attacks, for a minute on each engine: docs/threat-model.md (on an idle machine)
	@scripts/setup test
	cargo build --locked --release -p svc-mcp
	cargo run --locked -p svc-mcp --example hostile -- --binary target/release/svc-mcp

bench-erasure: ## What other brands notice while a brand with 100,000 rows is exported and erased: docs/performance.md (on an idle machine)
	@scripts/setup test
	cargo build --locked --release -p svc-mcp
	cargo run --locked -p svc-mcp --example erasure -- --binary target/release/svc-mcp

bench-operator: ## The operator's search by prefix among a million keys, on each engine: docs/performance.md (on an idle machine)
	@scripts/setup test
	cargo build --locked --release -p svc-mcp
	cargo run --locked -p svc-mcp --example operator_search -- --binary target/release/svc-mcp

bench-partitions: ## Inserting into the activity and pruning it with 300,000 and 3,000,000 rows, with and without partitions: docs/performance.md (on an idle machine)
	@scripts/setup test
	cargo run --locked -p svc-mcp-store --example partitions

instructions: ## Count the instructions of a request with callgrind: repeatable even on a busy machine
	cargo build --locked --release -p svc-mcp
	python3 bench/instructions.py

fuzz: ## Fuzz the parsers for MINUTES (5): docs/threat-model.md
	scripts/fuzz $(MINUTES)

docs: ## Write docs/tools.md and the sentences about wrong arguments from the tool registry, and the table of settings
	SVC_WRITE_DOCS=1 cargo test --locked -q -p svc-mcp-tools --test document --test tool_list
	SVC_WRITE_DOCS=1 cargo test --locked -q -p svc-mcp --test process documentation_lists_every_setting

audit: ## Licences, sources and known vulnerabilities of the dependencies (installs cargo-deny: some minutes, once)
	@scripts/audit --install

sbom: ## List what is compiled into the binary (CycloneDX): target/svc-mcp.cdx.json (installs cargo-cyclonedx: some minutes, once)
	@scripts/sbom

release-static: ## A release binary that needs no libraries of the system: target/svc-mcp-static
	@scripts/release-static
