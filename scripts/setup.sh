#!/usr/bin/env bash
# Installs what the tests need and this machine lacks. As root in a container,
# or with CI set, it uses the system's package manager; on a person's machine
# it only says which command would do it. With "tools" or "packages" it does one half:
# the system's packages, or those of npm, which take longer and are needed later.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
need() { command -v "$1" >/dev/null || missing+=("${@:2}"); }
need gcc gcc libc6-dev # go test -race
need git git
need strace strace # what is connected to
command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || need chromium chromium # pages
need pytest python3-pytest # examples/eval
need ruby ruby
need node nodejs
need npm npm
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need initdb postgresql # the second database
# Jest, supabase-js and axe-core are in no distribution. Without them one test each is not run.
packages=()
[ -f examples/eval/jest/node_modules/jest/bin/jest.js ] || packages+=(examples/eval/jest)
[ -d test/supabase/js/node_modules/@supabase/supabase-js ] || packages+=(test/supabase/js)
[ -f test/axe/node_modules/axe-core/axe.min.js ] || packages+=(test/axe)
fetch() { npm install --silent --no-audit --no-fund --no-package-lock --prefix "$1"; }

[ "${1:-tools}" = tools ] || missing=()
[ "${1:-packages}" = packages ] || packages=()
[ ${#missing[@]} -eq 0 ] && [ ${#packages[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && { [ -n "${CI:-}" ] || [ -f /.dockerenv ] || [ -f /run/.containerenv ]; }; then
  [ ${#missing[@]} -eq 0 ] || { apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null; }
  export -f fetch
  for dir in "${packages[@]}"; do
    timeout 120 bash -c "fetch $dir" >/dev/null || echo "$dir/package.json could not be installed: its test is not run" >&2
  done
elif [ ${#missing[@]} -gt 0 ]; then
  echo "the tests need: ${missing[*]}; install them, for example: sudo apt-get install ${missing[*]}" >&2
  exit 1
else
  for dir in "${packages[@]}"; do echo "not run; to have it run: npm install --no-package-lock --prefix $dir" >&2; done
fi
