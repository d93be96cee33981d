#!/usr/bin/env bash
# Pushes a second, and how long one takes, with 50 clients at once on loopback:
# cairn serve on SQLite and on PostgreSQL, and PocketBase, the peer, with the same
# rows in one transaction. What docs/team-scale.md states. PocketBase syncs its
# log at checkpoints only (synchronous=NORMAL); the other two before each answer.
# As root it runs PostgreSQL as the user postgres.
set -euo pipefail
cd "$(dirname "$0")/.."
for=${1:-20s}
dir=$(mktemp -d)
chmod 755 "$dir"
pg=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
stop() {
  as "$pg/pg_ctl" -D "$dir/pg" -m immediate stop >/dev/null 2>&1 || true
  kill $(jobs -p) 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$dir"
}
trap stop EXIT
CGO_ENABLED=0 go build -trimpath -o "$dir/cairn" .
CGO_ENABLED=0 go build -o "$dir/load" ./scripts/load
(cd scripts/peers/pocketbase && CGO_ENABLED=0 go build -o "$dir/peer" .)
export LOAD_EMAIL=load@example.test LOAD_PASSWORD="fifty clients that push" PEER_PASSWORD=load-load-load

echo "| server | clients | pushes/s | p50 ms | p99 ms | longest ms | failed |"
echo "|---|---:|---:|---:|---:|---:|---:|"
# cairn NAME PORT: as fast as it goes, then at a steady 200 a second.
cairn() {
  export CAIRN_HOME=$dir/$2
  "$dir/cairn" serve --listen "127.0.0.1:$2" --log-level error 2>"$dir/$2.log" &
  for _ in $(seq 100); do curl -sf "http://127.0.0.1:$2/readyz" >/dev/null && break; sleep .1; done
  service=$("$dir/cairn" serve keys --service --json 2>/dev/null | sed 's/.*"service_role_key":"\([^"]*\)".*/\1/')
  curl -sf "http://127.0.0.1:$2/auth/v1/admin/users" -H "authorization: Bearer $service" -H 'content-type: application/json' \
    -d "{\"email\":\"$LOAD_EMAIL\",\"password\":\"$LOAD_PASSWORD\",\"email_confirm\":true}" >/dev/null
  "$dir/load" -name "$1" -url "http://127.0.0.1:$2" -for "$for"
  "$dir/load" -name "$1, 200 a second" -url "http://127.0.0.1:$2" -for "$for" -rate 200
  kill %% && wait %% 2>/dev/null || true
}
cairn "cairn, SQLite" 17373
mkdir "$dir/pg" && { [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"; }
as "$pg/initdb" -D "$dir/pg" -U postgres --auth=trust --encoding=UTF8 --locale=C >/dev/null
as "$pg/pg_ctl" -D "$dir/pg" -l "$dir/pg/log" -w -o "-p 17374 -k $dir/pg -c listen_addresses=127.0.0.1 -c max_connections=100" start >/dev/null
CAIRN_DATABASE_URL="postgres://postgres@127.0.0.1:17374/postgres?sslmode=disable"
export CAIRN_DATABASE_URL
cairn "cairn, PostgreSQL" 17375
unset CAIRN_DATABASE_URL
as "$pg/pg_ctl" -D "$dir/pg" -m fast stop >/dev/null
"$dir/peer" serve --dir "$dir/peerdata" --http 127.0.0.1:17376 >"$dir/peer.log" 2>&1 &
for _ in $(seq 100); do curl -sf http://127.0.0.1:17376/api/health >/dev/null && break; sleep .1; done
"$dir/load" -name "PocketBase" -url http://127.0.0.1:17376 -peer "$LOAD_EMAIL" -for "$for"
"$dir/load" -name "PocketBase, 200 a second" -url http://127.0.0.1:17376 -peer "$LOAD_EMAIL" -for "$for" -rate 200
