# A plan, runs of evals, an output that was compacted, and commits: what the tools of
# the MCP server ask about. request NAME prints the lines of one call.
set -e
git init -q -b main
git remote add origin https://example.com/acme/app.git
git add -A
git commit -q -m 'feat: first light'
for n in 1 2; do
	for status in true false; do
		printf '{"schema_version":1,"suite":"posts","label":"run%s","git_branch":"main","git_sha":"000000%s","timestamp":"2024-03-0%sT10:30:00Z","all_results":[{"name":"one","passed":true},{"name":"two","passed":%s}]}\n' \
			"$n" "$n" "$n" "$status" >"run$n.json"
	done
done
cairn eval push run1.json run2.json
cairn run -- seq 2000
cat >"$WORK/request" <<'SH'
echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-06-18","capabilities":{},"clientInfo":{"name":"hand","version":"1"}}}'
echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
case $1 in
tools/list) echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' ;;
*) echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"'"$1"'","arguments":'"${2:-{\}}"'}}' ;;
esac
SH
