# A team on a server of its own: ada owns it and is at home here, bob is a member
# with CAIRN_HOME=$WORK/bob, carol is invited. Runs, records, a channel and a token
# are there. The server runs until the story has left the world.
set -e
export CAIRN_HOME="$HOME/.cairn"
cairn serve --listen 127.0.0.1:0 --data "$WORK/server" </dev/null >"$WORK/serve.out" 2>"$WORK/log" &
echo $! >"$WORK/pid"
git init -q -b main
git config user.email ada@example.com
git remote add origin git@example.org:acme/app.git
git add -A
git commit -q -m one
n=0
until grep -q 'serve claim' "$WORK/log"; do
	n=$((n + 1))
	[ $n -lt 400 ]
	sleep 0.05
done
sed -n 's/^cairn serves //p' "$WORK/log" >"$WORK/url"
$(grep -o 'cairn sync init .*' "$WORK/log")
cairn config set sync_enabled true
cairn team invite bob@example.com >"$WORK/invite"
CAIRN_HOME="$WORK/bob" sh "$WORK/invite"
cairn team invite carol@example.com
for n in 1 2 3; do cairn eval push "runs/$n.json"; done
CAIRN_CHANNEL_URL=https://hooks.example.com/services/s3cret cairn team alerts channel add slack evals
cairn team alerts channel add mail leads --to leads@example.com --no-alerts
cairn team token create --name nightly --repo acme/app --expires 90d >"$WORK/token"
