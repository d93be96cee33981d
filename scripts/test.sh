#!/usr/bin/env bash
# Runs every test once: under the race detector where goroutines of ours meet,
# and without it elsewhere. make test calls it with what the packages share.
set -uo pipefail
cd "$(dirname "$0")/.."
raced=$(go run ./scripts/raced) && plain=$(go run ./scripts/raced -without) || exit 1
status=0
# The transpiled C of SQLite is not instrumented, or a statement takes ten times as
# long. No more than that package: what of Go's library the linker then takes from
# an uninstrumented package would be reported as races.
go test -vet=off -race -gcflags=modernc.org/sqlite/lib=-race=false -timeout 14m "$@" $raced || status=1
go test -vet=off -timeout 8m "$@" $plain || status=1
exit $status
