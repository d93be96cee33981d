#!/bin/sh
# Asks every question in cases/ and pushes what came out.
cd "$(dirname "$0")" || exit 1
results=
for case in cases/*; do
	name=$(basename "$case")
	passed=false
	./answer <"$case" | grep -q -F -f "expected/$name" && passed=true
	results="$results${results:+,}{\"name\":\"$name\",\"passed\":$passed}"
done
printf '{"schema_version":1,"suite":"shell","all_results":[%s]}' "$results" | cairn eval push -
