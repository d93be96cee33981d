#!/bin/sh
# The service is there but neither enabled nor started: whoever serves a team says so.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
	systemctl try-restart cairn.service || true
fi
