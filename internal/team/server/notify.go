package server

import "net"

// Notify tells systemd how far the server is, where it asks by NOTIFY_SOCKET
// (sd_notify(3): one datagram); elsewhere it does nothing.
func Notify(getenv func(string) string, state string) {
	name := getenv("NOTIFY_SOCKET")
	if name == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(state))
}
