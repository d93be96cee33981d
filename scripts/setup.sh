#!/usr/bin/env bash
# Installs what the tests need and this machine lacks. As root in a container,
# or with CI set, it uses the system's package manager; on a person's machine
# it only says which command would do it.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
need() { command -v "$1" >/dev/null || missing+=("${@:2}"); }
need gcc gcc libc6-dev # go test -race
need git git
command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || need chromium chromium # pages
need pytest python3-pytest # examples/eval
need ruby ruby
need node nodejs
need npm npm
# Jest is in no distribution. Without it one example is not run.
jest="npm install --silent --no-audit --no-fund --no-package-lock --prefix examples/eval/jest"
[ -f examples/eval/jest/node_modules/jest/bin/jest.js ] && jest=

[ ${#missing[@]} -eq 0 ] && [ -z "$jest" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && { [ -n "${CI:-}" ] || [ -f /.dockerenv ] || [ -f /run/.containerenv ]; }; then
  [ ${#missing[@]} -eq 0 ] || { apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null; }
  [ -z "$jest" ] || timeout 120 $jest >/dev/null || echo "Jest could not be installed: its example is not run" >&2
elif [ ${#missing[@]} -gt 0 ]; then
  echo "the tests need: ${missing[*]}; install them, for example: sudo apt-get install ${missing[*]}${jest:+ && $jest}" >&2
  exit 1
else
  echo "the example for Jest is not run; to have it run: $jest" >&2
fi
