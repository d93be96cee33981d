# What the older tool left: in the home, in the repository, in the directory for
# temporary files. The files are those of testdata/script/migrate/gstack.txtar.
set -e
mv outside/home/.[a-z]* "$HOME/"
mv outside/tmp/* "$WORK/tmp/"
mv outside/before.sh outside/eval.json "$WORK/"
rmdir outside/home outside/tmp outside
ln -s repo "$WORK/app"
cd "$WORK"
sh before.sh
rm app before.sh eval.json
