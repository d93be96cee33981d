package server

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cairn/internal/team/db/notice"
)

// metrics are the server's figures since its start.
type metrics struct {
	began    time.Time
	inFlight atomic.Int64
	panics   atomic.Int64
	mu       sync.Mutex
	requests map[outcome]int64
	refusals map[string]int64 // by reason
	took     map[string]*histogram
}

type outcome struct {
	route  string
	status int
}

// bounds of the histogram, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

type histogram struct {
	buckets [len(bounds)]int64
	sum     float64
	count   int64
}

func newMetrics() *metrics {
	return &metrics{began: time.Now(), requests: map[outcome]int64{}, refusals: map[string]int64{}, took: map[string]*histogram{}}
}

func (m *metrics) count(route string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[outcome{route, status}]++
	h := m.took[route]
	if h == nil {
		h = &histogram{}
		m.took[route] = h
	}
	seconds := took.Seconds()
	h.sum += seconds
	h.count++
	for i, bound := range bounds {
		if seconds <= bound {
			h.buckets[i]++
		}
	}
}

// refused counts a request or a connection that was refused or cut off, if there
// is a reason.
func (m *metrics) refused(reason string) {
	if reason == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refusals[reason]++
}

// serveMetrics answers this machine, and who has the token.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	known := knows(r, s.config.MetricsToken)
	if !known && (s.config.MetricsToken != "" || !of(r).from.local) {
		refuse(w, r, refusal{status: http.StatusForbidden, code: "not_allowed", message: "figures are for this machine where no proxy stands before the server, and for who has the token of CAIRN_METRICS_TOKEN"})
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if size, err := s.db.Size(r.Context()); err == nil {
		figure(w, "cairn_database_bytes", "gauge", "Size of the database.", size)
	}
	if n, err := s.db.Counts(r.Context()); err == nil {
		figure(w, "cairn_teams", "gauge", "Teams.", n.Teams)
		figure(w, "cairn_users", "gauge", "People who may sign in.", n.Users)
		figure(w, "cairn_runs", "gauge", "Runs that were pushed and are kept.", n.Runs)
	}
	if n, err := notice.Count(r.Context(), s.db); err == nil {
		figure(w, "cairn_alerts_firing", "gauge", "Alerts that fire.", n.Firing)
		figure(w, "cairn_runs_unjudged", "gauge", "Runs that wait to be judged.", n.Unjudged)
		figure(w, "cairn_deliveries_waiting", "gauge", "Messages that are not delivered yet.", n.Waiting)
		figure(w, "cairn_deliveries_failed", "gauge", "Failed deliveries of the last 90 days.", n.Failed)
		figure(w, "cairn_deliveries_sent", "gauge", "Messages of the last 90 days that were delivered.", n.Delivered)
	}
	s.writeLoad(w)
	s.metrics.write(w)
	s.collector.WriteMetrics(w)
	figure(w, "cairn_build_info{version="+strconv.Quote(s.config.Version)+",database="+strconv.Quote(s.db.Dialect().String())+"}", "gauge", "What runs.", 1)
}

// write prints Prometheus' text format.
func (m *metrics) write(w io.Writer) {
	figure(w, "cairn_uptime_seconds", "gauge", "Since the start.", int64(time.Since(m.began).Seconds()))
	figure(w, "cairn_requests_in_flight", "gauge", "Requests that are being answered.", m.inFlight.Load())
	figure(w, "cairn_panics_total", "counter", "Requests that broke the server's code.", m.panics.Load())
	m.mu.Lock()
	defer m.mu.Unlock()
	head(w, "cairn_requests_total", "counter", "Requests by route and status.")
	for _, o := range slices.SortedFunc(maps.Keys(m.requests), func(a, b outcome) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	}) {
		fmt.Fprintf(w, "cairn_requests_total{route=%q,status=\"%d\"} %d\n", o.route, o.status, m.requests[o])
	}
	head(w, "cairn_requests_refused_total", "counter", "Requests and connections that were refused or cut off, by reason.")
	for _, reason := range slices.Sorted(maps.Keys(m.refusals)) {
		fmt.Fprintf(w, "cairn_requests_refused_total{reason=%q} %d\n", reason, m.refusals[reason])
	}
	head(w, "cairn_request_duration_seconds", "histogram", "How long answers took, by route.")
	for _, route := range slices.Sorted(maps.Keys(m.took)) {
		h := m.took[route]
		for i, bound := range bounds {
			fmt.Fprintf(w, "cairn_request_duration_seconds_bucket{route=%q,le=\"%g\"} %d\n", route, bound, h.buckets[i])
		}
		fmt.Fprintf(w, "cairn_request_duration_seconds_bucket{route=%q,le=\"+Inf\"} %d\n", route, h.count)
		fmt.Fprintf(w, "cairn_request_duration_seconds_sum{route=%q} %g\n", route, h.sum)
		fmt.Fprintf(w, "cairn_request_duration_seconds_count{route=%q} %d\n", route, h.count)
	}
}

func head(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func figure(w io.Writer, series, kind, help string, value int64) {
	name, _, _ := strings.Cut(series, "{")
	head(w, name, kind, help)
	fmt.Fprintf(w, "%s %d\n", series, value)
}

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
