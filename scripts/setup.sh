#!/usr/bin/env bash
# Installs what the tests need and this machine lacks. As root in a container,
# or with CI set, it uses the system's package manager; on a person's machine
# it only says which command would do it.
set -euo pipefail
missing=()
command -v gcc >/dev/null || missing+=(gcc libc6-dev)   # go test -race
command -v git >/dev/null || missing+=(git)
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)   # pages
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && { [ -n "${CI:-}" ] || [ -f /.dockerenv ] || [ -f /run/.containerenv ]; }; then
  apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null
else
  echo "the tests need: ${missing[*]}; install them, for example: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
