# A project whose only phase is complete: what says no in the world plan says yes here.
git init -q -b main
git add -A
git commit -q -m 'feat(01-01): base'
git checkout -q -b gsd/phase-01-base
echo '// more' >>src/01-01.go
git commit -q -a -m 'feat(01-01): more'
git remote add origin https://example.com/acme/app.git
git update-ref refs/remotes/origin/main main
