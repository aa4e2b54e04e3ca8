# The two commands that matter: `make run` and `make test`. `make help` lists the rest.

CARGO ?= cargo
PUNTO := target/release/punto
# What `make run` opens: built as the tests are, in less than half the time of a release.
QUICK := target/debug/punto
CARGO_MUTANTS := cargo-mutants --locked --version 27.1.0

.PHONY: run tour build web test soak mutants reverts bench check deny alerts alerts-live attacks fmt needs pictures help

run: web ## Build everything and open the demonstration floor; Ctrl-C closes it
	$(CARGO) build --locked -p punto
	$(QUICK) serve --demo $(SERVE)

tour: build ## A short tour on the command line
	@./scripts/tour $(PUNTO)

build: web ## Build the screens and the release binary, as it is shipped
	$(CARGO) build --release --locked

web: web/dist/index.html ## Build the screens

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund --silent
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(shell find web/src web/fonts web/*.html web/vite.config.ts -type f 2>/dev/null)
	cd web && npm run build --silent

test: needs web ## Run every test at a small count, after formatting and lints; says the seconds of each suite
	@CARGO="$(CARGO)" ./scripts/suites

soak: needs web ## Run the same tests at full count, with their counters
	PUNTO_SOAK=1 $(CARGO) test --profile soak --workspace --locked --no-fail-fast -- --nocapture --test-threads 2
	@$(MAKE) --no-print-directory mutants
	@$(MAKE) --no-print-directory reverts

# cargo-mutants comes from PATH, else it is built into target/tools. Quick tests first; what they miss is shown to the slow
# ones. A mutant that never ends (3) is noticed as well.
RULES_TESTS := apportion betting_box betting_box_clauses settlement terms
QUICK_TESTS := scenarios
OTHER_TESTS := edges precedence posts streams desk views scenarios
only = -C=--locked $(patsubst %,-C=--test=%,$(1))
mutants: export PATH := $(CURDIR)/target/tools/bin:$(PATH)
mutants: ## Change the code that moves money, one place at a time (MUTANTS='--shard 0/8' for a part): tests must notice
	@command -v cargo-mutants >/dev/null || $(CARGO) install $(CARGO_MUTANTS) --root target/tools \
		|| { echo "Mutation testing needs cargo-mutants: cargo install $(CARGO_MUTANTS)" >&2; exit 1; }
	$(CARGO) mutants -p punto-rules -o target/mutants-rules $(call only,$(RULES_TESTS)) $(MUTANTS) || [ $$? -eq 3 ]
	$(CARGO) mutants -p punto-table -o target/mutants-table $(call only,$(QUICK_TESTS)) $(MUTANTS) || [ $$? -le 3 ]
	$(CARGO) mutants -p punto-table -o target/mutants-table $(call only,$(OTHER_TESTS)) --iterate $(MUTANTS) || [ $$? -eq 3 ]

reverts: ## Take the mend of each reading back, place by place (REVERTS=31,38 for some): a test must go red in every game
	$(CARGO) run --quiet --locked --profile mutants -p punto-table --example reverts

bench: ## Measure speed; results go into docs/benchmarks.md
	$(CARGO) bench --locked -p punto --bench rules --bench odds --bench table --bench ledger
	$(CARGO) bench --locked -p punto-server --bench server

check: web ## Formatting and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	cd web && npm run check --silent

deny: ## Licences, sources and bans of everything built in, advisories where a database is at hand; writes target/sbom.json
	./scripts/deny --sbom target/sbom.json

alerts: ## Try the alert rules of docs/examples/prometheus with promtool
	./scripts/alerts

alerts-live: build ## Try them with a real Prometheus on a demonstration floor
	./scripts/alerts-live $(PUNTO)

attacks: ## Carry the attacks of scripts/attacks out on an earlier release (OLD=its binary) and on this build
	@test -x "$(OLD)" || { echo "Name the earlier binary: make attacks OLD=path" >&2; exit 2; }
	$(CARGO) build --locked -p punto
	./scripts/attacks/run $(OLD) $(QUICK) $(ATTACKS)

needs: ## What the tests need beside Rust: from PATH, else from Debian's packages
	@./scripts/need chromium postgres:postgresql /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf:fonts-dejavu-core

pictures: needs build ## Make the pictures of README and docs anew
	@./scripts/pictures $(PUNTO)

fmt: ## Format the code
	$(CARGO) fmt --all
	cd web && npm run format --silent

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
