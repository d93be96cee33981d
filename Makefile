# `make test` sets up what it needs, then runs every test; nothing else is required.
.PHONY: build test lint bench soak simulate
build:
	CGO_ENABLED=0 go build -trimpath -o cairn .
test:
	@./scripts/setup.sh
	go vet ./...
	for os in darwin windows; do CGO_ENABLED=0 GOOS=$$os go build -o /dev/null . || exit 1; done
	go test -timeout 8m ./internal/team/dashboard ./internal/team/db/soak
	go test -race -timeout 14m . ./internal/... ./test/...
lint:
	golangci-lint run
bench:
	./scripts/bench.sh
# 10,000,000 results on both databases: ten minutes, 5 GB of TMPDIR; docs/team-scale.md has the figures.
soak:
	go run ./scripts/soak
# 1,000 weeks in which nothing changes, and drops of all sizes; docs/alerts.md has the figures.
simulate:
	CAIRN_SIMULATE=1 go test ./internal/team/alert -run 'FalseAlarms|Drops' -v -timeout 30m
