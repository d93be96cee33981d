# A repository with commits of two people in two weeks of 2026.
set -e
git init -q -b main
git remote add origin https://example.com/acme/app.git
set -e
mkdir -p src
as() { export GIT_AUTHOR_NAME="$1" GIT_COMMITTER_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_COMMITTER_EMAIL="$2" GIT_AUTHOR_DATE="$3" GIT_COMMITTER_DATE="$3"; }
as 'Ada Lovelace' ada@example.com '2025-03-05T09:00:00+0100'
seq 10 >src/app.go; git add .; git commit -qm 'feat: begin'
as 'Ada Lovelace' ada@example.com '2025-03-10T09:00:00+0100'
seq 30 >src/app.go; git commit -qam 'fix: more'
as 'Ada Lovelace' ada@example.com '2025-03-10T09:55:00+0100'
seq 40 >src/app_test.go; git add .; git commit -qm 'test it'
as 'Ada Lovelace' ada@example.com '2025-03-10T10:00:00+0100'
seq 41 >src/app.go; git add .; git commit -qm 'feat: still more (#4)

Co-authored-by: Claude <noreply@anthropic.com>'
as 'Bob' bob@example.com '2025-03-14T22:00:00-0500'
echo docs >README; git add .; git commit -qm 'docs'
