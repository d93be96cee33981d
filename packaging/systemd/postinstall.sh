#!/bin/sh
# The service is there but neither enabled nor started: whoever serves a team says so.
set -e
if command -v systemd-sysusers >/dev/null; then
	systemd-sysusers /usr/lib/sysusers.d/cairn.conf
elif ! grep -q '^cairn:' /etc/passwd; then
	useradd --system --user-group --home-dir /var/lib/cairn --shell /usr/sbin/nologin cairn
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
	systemctl try-restart cairn.service || true
fi
