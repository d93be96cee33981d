package server

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// A seen is what is known of a request while it is answered.
type seen struct {
	from   client
	route  string
	status int
	bytes  int64
	unsent error  // why the client did not get the answer
	reason string // why it was refused, or cut off
}

type seenKey struct{}

func of(r *http.Request) *seen { return r.Context().Value(seenKey{}).(*seen) }

// observe stands around every request: it gives it an id, finds out from where
// it comes, answers for a panic, counts it and logs it. What is logged names no
// token and no value of the query.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		q := &seen{from: s.clientOf(r)}
		id := requestID(r)
		w.Header().Set("X-Request-Id", id)
		rec := &recorder{ResponseWriter: w, seen: q, grace: s.timeouts.grace}
		ctx := db.WithOrigin(r.Context(), &db.Origin{Actor: db.ActorAnonymous, Address: address(q.from.ip)})
		r = r.WithContext(context.WithValue(ctx, seenKey{}, q))
		s.metrics.inFlight.Add(1)
		defer func() {
			s.metrics.inFlight.Add(-1)
			p := recover()
			if p != nil && p != http.ErrAbortHandler {
				s.log.Error("panic", "request", id, "route", q.route, "panic", p, "stack", string(debug.Stack()))
				s.metrics.panics.Add(1)
				if q.status == 0 {
					refuse(rec, r, refusal{status: http.StatusInternalServerError, code: "XX000", message: "an internal error; the server's log has request " + id})
					p = nil
				}
			}
			s.metrics.refused(q.why())
			took := time.Since(began)
			s.metrics.count(q.route, q.status, took)
			s.logRequest(r, q, id, took)
			if p != nil {
				panic(http.ErrAbortHandler) // half an answer must not look like a whole one
			}
		}()
		next.ServeHTTP(rec, r)
		if q.status == 0 {
			q.status = http.StatusOK
			if r.Context().Err() != nil {
				q.status = clientGone
			}
		}
	})
}

// address is one as the audit log has it, "" where it is not known.
func address(ip netip.Addr) string {
	if !ip.IsValid() {
		return ""
	}
	return ip.WithZone("").String()
}

func (s *Server) logRequest(r *http.Request, q *seen, id string, took time.Duration) {
	level := slog.LevelInfo
	switch {
	case q.status >= 500:
		level = slog.LevelError
	case q.route == "/healthz" || q.route == "/readyz" || q.route == "/metrics":
		level = slog.LevelDebug
	}
	attrs := []slog.Attr{slog.String("id", id), slog.String("method", short(r.Method, 20)), slog.String("path", short(r.URL.Path, 200)),
		slog.Int("status", q.status), slog.Int64("bytes", q.bytes), slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("ip", q.from.ip.String())}
	if reason := q.why(); reason != "" {
		attrs = append(attrs, slog.String("reason", reason))
	}
	if q.unsent != nil {
		attrs = append(attrs, slog.String("unsent", q.unsent.Error()))
	}
	s.log.LogAttrs(r.Context(), level, "request", attrs...)
}

// counted notes which route of the list a request took.
func (s *Server) counted(pattern string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		of(r).route = pattern
		next.ServeHTTP(w, r)
	})
}

// requestID takes a proxy's id over, if it looks like one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if len(id) < 8 || len(id) > 64 || strings.Trim(id, "-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return rand.Text()
	}
	return id
}

func short(text string, n int) string {
	if len(text) > n {
		return text[:n] + "…"
	}
	return text
}

// why is the reason for which a request was refused; what handlers refuse
// themselves shows in the status.
func (q *seen) why() string {
	switch {
	case q.reason != "" || q.route == wire.Ready:
	case q.status == http.StatusServiceUnavailable:
		return "database"
	case q.status == http.StatusTooManyRequests:
		return "attempts"
	}
	return q.reason
}

// clientGone is the status, in the log and the figures, of a request whose client
// went away before it was answered; nginx writes the same.
const clientGone = 499

// A recorder notes what is answered.
type recorder struct {
	http.ResponseWriter
	seen  *seen
	grace time.Duration
}

// WriteHeader gives the client some time to read from now on, however long it
// waited, and says when to come again where no handler did.
func (w *recorder) WriteHeader(status int) {
	if w.seen.status == 0 && status >= 200 {
		w.seen.status = status
		if kind := w.Header().Get(wire.QuotaHeader); kind != "" {
			w.seen.reason = "quota_" + kind
		}
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.grace))
		if again := w.Header(); (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests) && again.Get("Retry-After") == "" {
			again.Set("Retry-After", "5")
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.seen.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(p)
	w.seen.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach what is under it.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what there is, for streams.
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }
