# `make test` sets up what it needs, then runs every test; nothing else is required.
# Everything is built as it is released, once for all targets; the race detector alone needs C.
export CGO_ENABLED = 0
# git status writes nothing into .git: tests look at that directory, and go test would not keep their results.
export GIT_OPTIONAL_LOCKS = 0
# A repository of a test has no use for the samples of hooks that git puts into every one.
test quick: export GIT_TEMPLATE_DIR =
# The compiler and the tests collect garbage less often than a program that is to stay small.
test quick: export GOGC = 400
# Nobody debugs these binaries, and go test links no DWARF: none is made.
test quick: export GOFLAGS += -gcflags=all=-dwarf=false
.PHONY: build test quick cross lint bench soak simulate
build:
	go build -trimpath -o cairn .
test:
	@./scripts/setup.sh tools
	@./scripts/setup.sh packages & GOGC=1500 go vet ./... && wait
	go run ./scripts/fixtures ./scripts/test.sh
# While you work: what needs no database server, no browser and no started program.
quick:
	go vet ./...
	go run ./scripts/fixtures -short go test -short -vet=off . ./internal/...
	@echo "left out: PostgreSQL, browsers, hostile input, started servers, the race detector and test/; make test runs them"
# make test only type-checks for these systems; CI also links.
cross:
	for os in darwin windows; do GOOS=$$os go build -o /dev/null . || exit 1; done
lint:
	golangci-lint run
bench:
	./scripts/bench.sh
# 10,000,000 results on both databases: ten minutes, 5 GB of TMPDIR; docs/team-scale.md has the figures.
soak:
	go run ./scripts/soak
# Noise and drops of all sizes, through alerts, trends and comparisons; docs/alerts.md, docs/eval-trend.md and
# docs/eval-compare.md have the figures.
simulate:
	CAIRN_SIMULATE=1 go test ./internal/team/alert ./internal/team/trend ./internal/team/compare -run 'FalseAlarms|Drops|Falls|Promises' -v -timeout 30m
