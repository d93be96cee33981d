#!/usr/bin/env bash
# Makes pictures of every page of the team's dashboard, at 360, 768 and 1280
# pixels, light and dark, from made-up teams; axe-core looks at each.
#
#   scripts/screenshots.sh DIR        all of them
#   scripts/screenshots.sh pictures   those of the documentation, in docs/pictures
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
"") echo "usage: scripts/screenshots.sh DIR|pictures" >&2; exit 2 ;;
pictures) CAIRN_PICTURES="$PWD/docs/pictures" go test -count=1 -run '^TestPictures$' ./internal/team/dashboard ;;
*)
  mkdir -p "$1"
  CAIRN_SHOTS="$(cd "$1" && pwd)" go test -count=1 -timeout 30m -run '^TestShots$' ./internal/team/dashboard
  echo "$(ls "$1"/*.png | wc -l) pictures in $1"
  ;;
esac
