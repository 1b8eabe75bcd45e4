# `make help` lists what there is.
SHELL := /bin/bash
# HAProxy is where only root's path leads.
export PATH := $(HOME)/.cargo/bin:$(PATH):/usr/sbin
MINUTES ?= 5

.DEFAULT_GOAL := help
.PHONY: help run test lint test-rust test-postgres test-cluster soak test-bridge test-browser screenshots bench instructions \
	bench-crawl audit docs setup

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build, and start the demo: a brand with keys and sample content on http://127.0.0.1:8080
	@scripts/setup build
	cargo run --quiet --locked -p svc-mcp -- demo

test: setup lint test-rust test-postgres test-cluster test-bridge test-browser ## Install what the tests need, and run all of them

setup: ## Install what building and testing need
	@scripts/setup test
	@bridge/tests/setup.sh
	@crates/testkit/setup.sh
	@crates/server/tests/browser/setup.sh
	@crates/server/tests/process/publish/setup.sh

lint: ## Formatting and lints
	cargo fmt --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo clippy --locked -p svc-mcp --test cluster -- -D warnings

test-rust: ## Rust tests, on SQLite
	cargo test --locked --workspace

test-postgres: ## The HTTP tests again, on PostgreSQL and Redis
	SVC_TEST_ENGINE=postgres cargo test --locked -p svc-mcp --test it

test-cluster: ## Three instances on PostgreSQL and Redis behind HAProxy, and everything that may break; deploy/ and docs/operations.md
	cargo test --locked -p svc-mcp --test cluster -- --test-threads 3

soak: ## The same under mixed load and faults for MINUTES (5): nothing lost, nothing over-admitted, memory flat
	@scripts/setup test
	cargo build --locked -p svc-mcp
	cargo run --quiet --locked -p svc-mcp --example soak -- $(MINUTES)

test-bridge: ## The stdio bridge, with the official MCP clients
	cargo build --locked -p svc-mcp
	.venv/test/bin/python -m pytest -q bridge/tests

test-browser: ## The Settings page, in Chromium
	cargo build --locked -p svc-mcp
	.venv/test/bin/python -m pytest -q crates/server/tests/browser

screenshots: setup ## Pictures of every state of the Settings page, in screenshots/
	cargo build --locked -p svc-mcp
	.venv/test/bin/python crates/server/tests/browser/screenshots.py

bench-crawl: ## Pages a second of the audit beside Scrapy, on one local site: docs/performance.md
	python3 bench/crawl/run.py
bench: ## How fast it is, beside a bare server and its peers: docs/performance.md (forty minutes, on an idle machine)
	python3 bench/run.py

instructions: ## How many instructions a request costs, by callgrind: repeatable also on a busy machine
	cargo build --locked --release -p svc-mcp
	python3 bench/instructions.py

docs: ## Write docs/tools.md from the tools there are
	SVC_WRITE_DOCS=1 cargo test --locked -q -p svc-mcp-tools --test document

audit: ## Licences, sources and duplicates of the dependencies
	command -v cargo-deny >/dev/null || cargo install --locked cargo-deny
	cargo deny check licenses bans sources
