#!/usr/bin/env bash
# Measures what docs/measured.md states: a hook against one with ten rules and
# a do-nothing Go binary, in turn, in the same run; the plan's queries the same way; a log of a million
# lines; the engine by family.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export CAIRN_HOME=$dir/home
CGO_ENABLED=0 go build -trimpath -o "$dir/cairn" .
mkdir "$dir/noop" && cat > "$dir/noop/main.go" <<'GO'
package main

func main() {}
GO
(cd "$dir/noop" && CGO_ENABLED=0 go build -o "$dir/none" main.go)
# The same with ten rules compiled in: what the others cost a hook.
mkdir "$dir/tree" && cp -r go.mod go.sum main.go internal "$dir/tree"
(cd "$dir/tree/internal/compact/rule" &&
  find rules -name '*.json' | sort | grep -v tests/go.json | tail -n +10 | xargs rm && go generate . &&
  cd "$dir/tree" && CGO_ENABLED=0 go build -trimpath -o "$dir/ten-rules" .)
go run ./scripts/hookbench "$dir/cairn" "$dir/ten-rules" "$dir/none"

echo "cairn plan on a project of 60 phases and 575 files:"
./scripts/planproject "$dir/project"
cat > "$dir/queries" <<'Q'
query find-phase 30
query state load
query state json
query config-get context_window
query roadmap analyze
query phase-plan-index 30
query init phase-op 30
query init execute-phase 30
query init progress
query init manager
query progress json
query stats json
query history-digest
query audit-open --json
query validate consistency
query validate health
phase list
next
progress
health
Q
go run ./scripts/hookbench -queries "$dir/project" "$dir/cairn" "$dir/none" < "$dir/queries"

echo "1,000,000 lines through cairn run:"
go run ./scripts/hookbench -log 1000000 > "$dir/log"
bytes=$(wc -c < "$dir/log")
for _ in 1 2 3; do
  go run ./scripts/hookbench -time "$dir/cairn" run -- cat "$dir/log" | awk -v b="$bytes" \
    '{printf "  %.2f s, %.0f MB/s, %.0f MB RSS\n", $1, b / 1e6 / $1, $2 / 1024}'
done

go test ./internal/compact -run '^$' -bench . -benchtime 1s
