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
need node nodejs npm
install=()
if [ ${#missing[@]} -gt 0 ]; then install+=("apt-get install -y -qq ${missing[*]}"); fi
if [ ! -f examples/eval/jest/node_modules/jest/bin/jest.js ]; then
  install+=("npm install --silent --no-audit --no-fund --no-package-lock --prefix examples/eval/jest")
fi
[ ${#install[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && { [ -n "${CI:-}" ] || [ -f /.dockerenv ] || [ -f /run/.containerenv ]; }; then
  if [ ${#missing[@]} -gt 0 ]; then apt-get update -qq; fi
  for command in "${install[@]}"; do $command >/dev/null; done
else
  printf -v all ' && %s' "${install[@]}"
  echo "the tests need: ${missing[*]:-jest}; install that: ${all# && }" >&2
  exit 1
fi
