# A project in the middle of its second phase. The documents are beside this file.
set -e
git init -q -b main
git add -A
git commit -q -m 'feat: first light'
git checkout -q -b gsd/phase-02-api
echo '// more' >>src/other.go
git commit -q -am 'feat(02-01): routes'
