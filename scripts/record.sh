#!/usr/bin/env bash
# Plays scripts/record/session.txt with a fresh binary, an empty home and a small repository, and writes docs/session.svg.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
CGO_ENABLED=0 go build -o "$dir/bin/cairn" .
go build -o "$dir/bin/record" ./scripts/record
cp -r examples/failing "$dir/tariffs"
cp scripts/record/runner.sh "$dir/tariffs"
out=$PWD/docs/session.svg in=$PWD/scripts/record/session.txt
export GOCACHE="${GOCACHE:-$(go env GOCACHE)}" GOFLAGS= # the session's own test run need not compile all of Go
export HOME=$dir/home PATH="$dir/bin:$PATH" TERM=xterm-256color TZ=UTC GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.com
export GIT_AUTHOR_DATE=2026-03-02T08:00:00Z GIT_COMMITTER_DATE=2026-03-02T08:00:00Z CAIRN_SYNC_BACKGROUND=0
unset CAIRN_HOME CAIRN_RAW CAIRN_URL CAIRN_ACCESS_TOKEN EVAL_LABEL EVAL_TIER EVAL_JUDGE_TIER CI NO_COLOR GITHUB_ACTIONS
mkdir "$HOME"
cd "$dir/tariffs"
git init -q -b main
git add .
git commit -qm "Tariffs"
record 110 < "$in" > "$dir/session.svg"
mv "$dir/session.svg" "$out"
