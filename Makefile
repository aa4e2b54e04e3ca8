# The two commands that matter: `make run` and `make test`. `make help` lists the rest.

CARGO ?= cargo
PUNTO := target/release/punto

.PHONY: run build test soak bench check fmt needs pictures help

run: build ## Build everything and start the main job: for now a short tour on the command line
	@./scripts/tour $(PUNTO)

build: ## Build the release binary
	$(CARGO) build --release --locked

test: needs check ## Run every test at a small count, after formatting and lints
	$(CARGO) test --workspace --locked

soak: needs ## Run the same tests at full count, with their counters
	PUNTO_SOAK=1 $(CARGO) test --workspace --locked -- --nocapture --test-threads 2

bench: ## Measure speed; results go into docs/benchmarks.md
	$(CARGO) bench --locked -p punto --bench rules --bench odds

check: ## Formatting and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

needs: ## What the tests need beside Rust: from PATH, else from Debian's packages
	@./scripts/need chromium

pictures: needs build ## Make the pictures of README and docs anew
	@./scripts/pictures $(PUNTO)

fmt: ## Format the code
	$(CARGO) fmt --all

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
