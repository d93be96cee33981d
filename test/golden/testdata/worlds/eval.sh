# A repository with runs of several suites, branches and models in the store, and
# an eval cache. The files are those of the stories in testdata/script/eval.
set -e
git init -q -b main
git remote add origin https://example.com/acme/app.git
git add -A
git commit -q -m one
cairn eval push trend/1.json trend/2.json trend/3.json trend/4.json trend/mails.json trend/full.json
cairn eval push baselines/*.json leaderboard/models.json
cairn eval push leaderboard/a.json
GIT_AUTHOR_NAME=Bob GIT_AUTHOR_EMAIL=bob@example.com git commit -q --allow-empty -m two
cairn eval push leaderboard/b.json leaderboard/c.json push/run.json cost/run.json
cairn eval push compare/before.json
git checkout -q -b fix
git commit -q --allow-empty -m three
sed "s/91be44aa00c1/$(git rev-parse HEAD)/" compare/after.json | cairn eval push - # latest: of HEAD's commit
for entry in summaries/1111:1 summaries/2222:2 mails/3333:3; do
	file=$HOME/.cairn/eval-cache/${entry%:*}.json
	mkdir -p "${file%/*}"
	# as cairn eval cache write writes it; the moment is always as long
	printf '{"_cache_version":1,"_cached_at":"2024-03-04T10:00:00.123456789Z","_suite":"%s","_key":"%s","_case_name":"cites","data":{"answer": %s}}\n' \
		"${entry%/*}" "$(basename "$file" .json)" "${entry#*:}" >"$file"
	touch -d 2024-03-04T10:00:00Z "$file"
done
