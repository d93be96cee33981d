// Package api is what the server's interfaces have in common: answers in JSON,
// errors in PostgREST's shape, and how often somebody may ask.
package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"golang.org/x/time/rate"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/access"
)

// Send answers with JSON, which nobody keeps and whose type has a charset, unless
// the header says something else already. Of an answer to HEAD net/http sends the
// header only.
func Send(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		panic(err) // a shape of ours
	}
	head := w.Header()
	for _, usual := range [...][2]string{{"Content-Type", "application/json; charset=utf-8"}, {"Cache-Control", "no-store"}} {
		if head.Get(usual[0]) == "" {
			head.Set(usual[0], usual[1])
		}
	}
	head.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // who went away gets nothing
}

// Fault makes an error in PostgREST's shape.
func Fault(status int, code, format string, args ...any) *postgrest.Error {
	return &postgrest.Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Known is the error that every interface makes of err, nil for none.
func Known(err error) *postgrest.Error {
	var e *postgrest.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, access.ErrExpired):
		return Fault(http.StatusUnauthorized, "PGRST303", "JWT expired")
	case errors.Is(err, db.ErrToken), errors.Is(err, db.ErrSession), errors.Is(err, access.ErrRole):
		return Fault(http.StatusUnauthorized, "PGRST301", "%s", err)
	}
	return nil
}

// Own is the error for what is the server's own fault: only the log explains it.
func Own(ctx context.Context, log *slog.Logger, what, path string, err error) *postgrest.Error {
	log.ErrorContext(ctx, what, "path", path, "error", err)
	if db.Unavailable(err) {
		return Fault(http.StatusServiceUnavailable, "PGRST001", "Database connection error. Retrying the connection.")
	}
	return Fault(http.StatusInternalServerError, "PGRSTX00", "Internal server error")
}

// Refuse answers with an error.
func Refuse(w http.ResponseWriter, e *postgrest.Error) {
	switch e.Status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "10")
	}
	Send(w, e.Status, e)
}

// most is how many limiters a generation has: about 20 MB for both, whoever asks.
const most = 25_000

// Paces hands out limiters by key. When the young are too many they become the
// old, and the old, which nobody has asked for since, are forgotten: memory has
// a bound whatever strangers send.
type Paces[K comparable] struct {
	mu         sync.Mutex
	young, old map[K]*rate.Limiter
}

// Of returns the limiter of a key: burst at once, then so many a second.
func (p *Paces[K]) Of(key K, perSecond rate.Limit, burst int) *rate.Limiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.young[key]
	if l == nil {
		if l = p.old[key]; l == nil {
			l = rate.NewLimiter(perSecond, burst)
		}
		if p.young == nil || len(p.young) >= most {
			p.young, p.old = map[K]*rate.Limiter{}, p.young
		}
		p.young[key] = l
	}
	return l
}

// Network is what one stranger has of addresses: all of IPv4's, 64 bits of IPv6's.
func Network(ip netip.Addr) netip.Prefix {
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	p, _ := ip.Prefix(bits)
	return p
}
