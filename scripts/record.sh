#!/usr/bin/env bash
# Plays the sessions of scripts/record/*.txt with a fresh binary, each with an empty home and a small repository, and
# writes docs/NAME.svg of NAME.txt. A change of what cairn prints shows in them.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
CGO_ENABLED=0 go build -o "$dir/bin/cairn" .
go build -o "$dir/bin/record" ./scripts/record
export GOCACHE="${GOCACHE:-$(go env GOCACHE)}" GOFLAGS= # the session's own test run need not compile all of Go
export PATH="$dir/bin:$PATH" TERM=xterm-256color TZ=UTC GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.com
export GIT_AUTHOR_DATE=2026-03-02T08:00:00Z GIT_COMMITTER_DATE=2026-03-02T08:00:00Z CAIRN_SYNC_BACKGROUND=0
unset CAIRN_HOME CAIRN_RAW CAIRN_URL CAIRN_ACCESS_TOKEN EVAL_LABEL EVAL_TIER EVAL_JUDGE_TIER CI NO_COLOR GITHUB_ACTIONS
for session in scripts/record/*.txt; do
	name=$(basename "$session" .txt)
	export HOME=$dir/$name/home
	mkdir -p "$HOME"
	cp -r examples/failing "$dir/$name/shop"
	cp scripts/record/*.sh "$dir/$name/shop"
	(
		cd "$dir/$name/shop"
		git config --file "$HOME/.gitconfig" user.email ada@example.com
		git init -q -b main
		git add .
		git commit -qm "Tariffs"
		record 110 <"$top/$session" >"$dir/$name.svg"
	)
	mv "$dir/$name.svg" "docs/$name.svg"
done
