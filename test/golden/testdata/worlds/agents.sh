# Two agents with cairn in them.
set -e
git init -q -b main
git commit -q --allow-empty -m one
mkdir -p "$HOME/.claude" "$HOME/.codex"
cairn install claude codex
