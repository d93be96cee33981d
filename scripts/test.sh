#!/usr/bin/env bash
# Runs every test: under the race detector where goroutines of ours meet,
# and without it elsewhere. make test calls it with what the packages share;
# arguments are for go test.
set -uo pipefail
cd "$(dirname "$0")/.."
set -f # what raced prints has a pattern, which is not of files
# What is built is built as it is released: the program, and the tests that need no C.
export CGO_ENABLED=0
parts=$(go run ./scripts/raced) || exit
# run runs the tests that raced printed after a word, with the command that follows it.
run() {
  local tests
  tests=$(sed -n "s/^$1 //p" <<<"$parts")
  [ -z "$tests" ] || "${@:2}" $tests
}
# The transpiled C of SQLite is not instrumented: a statement would take ten times
# as long. And no more than that package is left out, or else the linker takes parts
# of Go's library from an uninstrumented package, and races are reported there.
test=(go test -vet=off -timeout 14m)
race=(env CGO_ENABLED=1 "${test[@]}" -race "-gcflags=modernc.org/sqlite/lib=-race=false -dwarf=false")
# Two chains at once: many tests wait, for a process or a time limit, and the others
# have the processors meanwhile. What takes longest comes first.
plain() {
  local status=0 part
  for part in plain-some plain; do
    run $part "${test[@]}" "$@" || status=1
  done
  run race-some "${race[@]}" "$@" || status=1
  return $status
}
run race "${race[@]}" "$@" & raced=$!
plain "$@"; status=$?
wait "$raced" || status=1
exit $status
