package server

import (
	"fmt"
	"io"
)

// writeLoad prints how much of what is bounded is taken.
func (s *Server) writeLoad(w io.Writer) {
	held, addresses := s.limits.held.total()
	figure(w, "cairn_slots_used", "gauge", "Requests that are worked on.", int64(len(s.limits.slots)))
	figure(w, "cairn_slots", "gauge", "Requests that may be worked on at once.", int64(cap(s.limits.slots)))
	figure(w, "cairn_held_bytes", "gauge", "Memory of bodies and answers that clients send or read.", held)
	figure(w, "cairn_held_bytes_max", "gauge", "How much of it there may be.", s.limits.held.most)
	figure(w, "cairn_held_addresses", "gauge", "Addresses that have some of it.", addresses)
	figure(w, "cairn_long_answers", "gauge", "Answers that are written while they are made.", int64(len(s.limits.long)))
	open, from := s.conns.total()
	figure(w, "cairn_connections", "gauge", "Open connections.", open)
	figure(w, "cairn_connections_max", "gauge", "How many of them there may be.", int64(s.conns.most))
	figure(w, "cairn_connection_addresses", "gauge", "Addresses that have one.", from)
	most, used, waits := s.db.Pool()
	figure(w, "cairn_database_connections_max", "gauge", "Connections to the database that there may be; of SQLite, those that read.", int64(most))
	figure(w, "cairn_database_connections_used", "gauge", "Connections to the database in use.", int64(used))
	figure(w, "cairn_database_connection_waits_total", "counter", "How often a connection to the database was waited for.", waits)
	figure(w, "cairn_database_retries_total", "counter", "Transactions that were run again, after a conflict or on a new connection.", s.db.Retries())
	why := s.whyNotReady()
	head(w, "cairn_not_ready", "gauge", "1 where /readyz refuses for this reason.")
	for _, reason := range [...]string{stoppingNow, noDatabase, noRoom} {
		is := 0
		if reason == why {
			is = 1
		}
		fmt.Fprintf(w, "cairn_not_ready{reason=%q} %d\n", reason, is)
	}
}
