call() { # TOOL INPUT ERROR TEXT LINES: a call and its result of so many lines
awk -v tool="$1" -v input="$2" -v bad="$3" -v text="$4" -v n="$5" 'BEGIN {
	id = tool n bad
	printf "{\"type\":\"assistant\",\"cwd\":\"/home/dev\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":{%s}}]}}\n", id, tool, input
	printf "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"%s\",\"is_error\":%s,\"content\":\"%s", id, bad, (bad == "true" ? "Exit code 1\\n" : "")
	for (i = 1; i <= n; i++) printf "%s%s %d of %d as asked for\\n", (tool == "Read" ? i "\\t" : ""), text, i, n
	if (tool == "Bash") printf "password=hunter2-and-more\\n"
	printf "\"}]}}\n"
}' >> $HOME/.claude/projects/p/s.jsonl
}
call Bash '"command":"./deploy staging"' false 'done host' 600
call Read '"file_path":"/home/dev/a.go"' false 'func name' 300
call Bash '"command":"./verify all"' true 'test' 300
