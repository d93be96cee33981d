#!/usr/bin/env bash
# Runs every test once: under the race detector where goroutines of ours meet,
# and without it elsewhere. make test calls it with what the packages share;
# arguments are for go test.
set -uo pipefail
cd "$(dirname "$0")/.."
raced=$(go run ./scripts/raced) && others=$(go run ./scripts/raced -without) && left_out=$(go run ./scripts/raced -left-out) || exit 1
status=0
set -f # the pattern in $left_out is not of files
# The transpiled C of SQLite is not instrumented: a statement would take ten times
# as long. And no more than that package is left out, or else the linker takes parts
# of Go's library from an uninstrumented package, and races are reported there.
go test -vet=off -race -gcflags=modernc.org/sqlite/lib=-race=false -timeout 14m "$@" $raced || status=1
go test -vet=off -timeout 8m "$@" $left_out || status=1
go test -vet=off -timeout 8m "$@" $others || status=1
exit $status
