# A repository with a rule of its own, trusted; outputs that were compacted, and
# transcripts of an agent.
set -e
git init -q -b main
mkdir -p .cairn/rules
chmod +x deploy
mkdir -p "$HOME/.claude/projects/p"
sh calls.sh
cat >.cairn/rules/notes.json <<'RULE'
{"id": "local/notes", "match": {"commands": ["notes"]}, "primitives": {"filter": {"drop": ["^note"]}}}
RULE
printf 'command: notes list\nexit: 0\nkeep: three notes\n\nnote one\nnote two\nnote three\nthree notes\n' >notes.txt
cairn trust --yes
cairn run -- seq 2000
cairn run -- true
cairn run -- ./deploy staging || true
CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s1 cairn run -- sh -c 'seq 3000; echo error: it broke; exit 3' || true
cairn run -- sh fail.sh || true
