#!/usr/bin/env bash
# Turns one run of a command into a golden fixture: a header of "key: value"
# lines, one blank line, then stdout and stderr merged in the order in which
# the tool wrote them to one pipe.
#
#   scripts/capture.sh [-k REGEXP]... [-c CWD] [-t AGENTTOOL] FAMILY/NAME TOOL DIR COMMAND
#
# TOOL is the tool's name and version, DIR the directory to run in. -k names
# lines an engineer needs: each line that the regexp matches becomes a "keep:"
# header, and a regexp that matches nothing is an error. -c is the directory
# the header shows (default /home/dev/<base name of DIR>). -t is the agent's own
# tool (Grep, WebFetch) that gives such an output: it stands in the header in
# place of the command and its exit code.
#
# CAPTURE_SED may name a sed script with more replacements for the body.
set -u

keeps=()
shown=
agent=
while getopts k:c:t: opt; do
	case $opt in
	k) keeps+=("$OPTARG") ;;
	c) shown=$OPTARG ;;
	t) agent=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 4 ] || { sed -n '6p' "$0" >&2; exit 2; }
name=$1 tool=$2 dir=$(cd "$3" && pwd) || exit 2
command=$4
root=$(cd "$(dirname "$0")/.." && pwd)
file=$root/internal/compact/testdata/fixtures/$name.txt
body=$(mktemp) && plain=$(mktemp) && picked=$(mktemp) || exit 1
trap 'rm -f "$body" "$plain" "$picked"' EXIT

(cd "$dir" && exec bash -c "$command") </dev/null 2>&1 | cat >"$body"
code=${PIPESTATUS[0]}

# Machine paths never reach the repository.
sed -i -e "s#$(dirname "$dir")/#/home/dev/#g" -e "s#$HOME/#/home/dev/#g" "$body"
[ -z "${CAPTURE_SED:-}" ] || sed -i -f "$CAPTURE_SED" "$body"
sed -e 's/\x1b\[[0-9;]*[A-Za-z]//g' -e 's/\r$//' "$body" >"$plain"

for re in ${keeps[@]+"${keeps[@]}"}; do
	if ! grep -aE -- "$re" "$plain" >>"$picked"; then
		echo "capture: $name: nothing matches $re" >&2
		status=1
	fi
done

mkdir -p "$(dirname "$file")"
{
	if [ -n "$agent" ]; then
		printf 'agent-tool: %s\n' "$agent"
	else
		printf 'command: %s\nexit: %s\n' "$command" "$code"
	fi
	printf 'tool: %s\ncwd: %s\ncaptured: %s\n' "$tool" "${shown:-/home/dev/$(basename "$dir")}" "$(date +%F)"
	# In the order of the body, each line once.
	grep -anxFf "$picked" "$plain" | cut -d: -f2- | awk '!seen[$0]++ { print "keep: " $0 }'
	echo
	cat "$body"
} >"$file"
echo "$name exit=$code bytes=$(wc -c <"$file") keep=$(grep -c '^keep: ' "$file")" >&2
exit "${status:-0}"
