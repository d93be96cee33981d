#!/bin/sh
# /var/lib/cairn has a team's results: it stays until somebody removes it by hand.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
