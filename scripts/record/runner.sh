# A runner of evals for the recorded session: a time, and the numbers of the cases, of a hundred, that fail.
now=$1; shift
printf '{"schema_version":1,"suite":"answers","timestamp":"%s","all_results":[' "$now"
comma=
for i in $(seq 100); do
	passed=true; for bad in "$@"; do [ "$i" = "$bad" ] && passed=false; done
	printf '%s{"name":"question %d","passed":%s}' "$comma" "$i" "$passed"; comma=,
done
echo ']}'
