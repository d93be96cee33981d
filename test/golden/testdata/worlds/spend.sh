# A repository with a branch that was merged as a pull request, and what two agents
# left of their work on it.
set -e
git init -q -b main
git remote add origin https://example.com/acme/app.git
at() { export GIT_AUTHOR_DATE="2026-11-02T$1+0000" GIT_COMMITTER_DATE="2026-11-02T$1+0000"; }
export GIT_AUTHOR_NAME=Ada GIT_COMMITTER_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_COMMITTER_EMAIL=ada@example.com
at 09:00:00; echo 1 >a; git add a; git commit -qm begin
at 09:10:00; git checkout -qb feature/x
at 09:20:00; echo 2 >b; git add b; git commit -qm 'b'
at 10:00:00; git checkout -q main
git merge -q --no-ff -m 'Merge pull request #4 from acme/feature/x' feature/x
dir=$(pwd -P)
mkdir -p "$HOME/.claude/projects/x" "$HOME/.codex/sessions/2026/11/02"
usage='"usage":{"input_tokens":100,"cache_read_input_tokens":40000,"cache_creation_input_tokens":1000,"output_tokens":500}'
said() { echo "{\"type\":\"user\",\"timestamp\":\"2026-11-02T$1Z\",\"sessionId\":\"5e55\",\"cwd\":\"$dir\",\"message\":{\"content\":\"go on\"}}"; }
answer() { echo "{\"type\":\"assistant\",\"timestamp\":\"2026-11-02T$1Z\",\"sessionId\":\"5e55\",\"cwd\":\"$dir\",\"message\":{\"id\":\"$2\",\"model\":\"$3\",$usage,\"content\":[$4]}}"; }
result() { echo "{\"type\":\"user\",\"timestamp\":\"2026-11-02T$1Z\",\"sessionId\":\"5e55\",\"cwd\":\"$dir\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"ok\"}]}}"; }
{
  said 09:05:00
  answer 09:05:09 m1 claude-opus-5 '{"type":"text","text":"x"}'
  said 09:15:00
  answer 09:15:09 m2 claude-opus-5 '{"type":"text","text":"x"}'
  said 09:19:50
  answer 09:19:58 m3 claude-opus-5 '{"type":"tool_use","id":"t","name":"Bash","input":{"command":"git add b && git commit -qm b"}}'
  result 09:20:01
  answer 09:20:09 m4 our-own-model '{"type":"text","text":"x"}'
} >"$HOME/.claude/projects/x/5e55.jsonl"
cat >"$HOME/.codex/sessions/2026/11/02/rollout-c0de.jsonl" <<J
{"type":"session_meta","timestamp":"2026-11-02T11:00:00Z","payload":{"id":"c0de","cwd":"$dir"}}
{"type":"turn_context","timestamp":"2026-11-02T11:00:00Z","payload":{"cwd":"$dir","model":"gpt-5"}}
{"type":"token_usage_record","timestamp":"2026-11-02T11:00:05Z","payload":{"thread_id":"c0de","turn_id":"1","response_id":"r1","usage":{"input_tokens":20000,"cached_input_tokens":15000,"output_tokens":300}}}
J
