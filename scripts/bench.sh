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
# As an installer writes them: what the linker has written is held in small pages, with
# which a start takes a sixth longer (docs/measured.md).
for b in cairn ten-rules none; do cp "$dir/$b" "$dir/copy" && mv "$dir/copy" "$dir/$b"; done
go run ./scripts/hookbench "$dir/cairn" "$dir/ten-rules" "$dir/none"

echo "cairn plan on a project of 60 phases and 575 files:"
./scripts/planproject "$dir/project"
cat > "$dir/queries" <<'Q'
plan query find-phase 30
plan query state load
plan query state json
plan query config-get context_window
plan query roadmap analyze
plan query phase-plan-index 30
plan query init phase-op 30
plan query init execute-phase 30
plan query init progress
plan query init manager
plan query progress json
plan query stats json
plan query history-digest
plan query audit-open --json
plan query validate consistency
plan query validate health
plan phase list
plan next
plan progress
plan health
Q
go run ./scripts/hookbench -queries "$dir/project" "$dir/cairn" "$dir/none" < "$dir/queries"

echo "cairn eval: a cache of one entry, a store of 10,000 runs, two runs of 5,000 cases:"
go run ./scripts/evalstore "$CAIRN_HOME"
"$dir/cairn" eval cache write suite key '{"answer":42}' > /dev/null
cat > "$dir/evals" <<Q
eval cache read suite key
eval list
eval list --suite suite-3 -n 0
eval show
eval compare $CAIRN_HOME/a.json $CAIRN_HOME/b.json
eval gate $CAIRN_HOME/b.json --baseline $CAIRN_HOME/a.json
Q
go run ./scripts/hookbench -queries "$dir" "$dir/cairn" "$dir/none" < "$dir/evals"

echo "1,000,000 lines through cairn run:"
go run ./scripts/hookbench -log 1000000 > "$dir/log"
bytes=$(wc -c < "$dir/log")
for _ in 1 2 3; do
  go run ./scripts/hookbench -time "$dir/cairn" run -- cat "$dir/log" | awk -v b="$bytes" \
    '{printf "  %.2f s, %.0f MB/s, %.0f MB RSS\n", $1, b / 1e6 / $1, $2 / 1024}'
done

go test ./internal/compact -run '^$' -bench . -benchtime 1s
