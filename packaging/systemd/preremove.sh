#!/bin/sh
# deb says remove, rpm 0; an upgrade leaves the service running until it is restarted.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now cairn.service || true
	fi
	;;
esac
