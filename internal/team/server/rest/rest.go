// Package rest answers PostgREST's requests for the teams' tables and
// functions: /rest/v1/TABLE and /rest/v1/rpc/FUNCTION. It finds out who asks,
// lets package postgrest read what is asked, runs that in one transaction as
// whoever asks, and writes the answer. Package team/server mounts it.
// No SQL belongs here, and no rule about who may see what: those are db/rows'.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/access"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// A handler serves wire.Rest.
type handler struct {
	db     *db.DB
	access *access.Access
	log    *slog.Logger
	room   *room
}

// New returns what serves everything below wire.Rest.
func New(d *db.DB, a *access.Access, log *slog.Logger) http.Handler {
	return &handler{db: d, access: a, log: log, room: newRoom()}
}

// A request is one that was understood as far as all methods have it in common.
type request struct {
	*http.Request
	as     db.Identity
	prefer postgrest.Preferences
	format postgrest.Format
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allowOrigins(w.Header())
	name, ok := strings.CutPrefix(r.URL.Path, wire.Rest)
	if !ok {
		h.refuse(w, r, db.Identity{}, postgrest.BadPath())
		return
	}
	call, isCall := strings.CutPrefix(name, "rpc/")
	if r.Method == http.MethodOptions {
		h.options(w, r, name, isCall)
		return
	}
	req, err := h.understand(r)
	if err == nil {
		switch {
		case name == "" || strings.Contains(call, "/"):
			err = postgrest.BadPath()
		case isCall:
			err = h.call(w, req, call)
		default:
			err = h.table(w, req, name)
		}
	}
	if err != nil {
		h.refuse(w, r, req.as, err)
	}
}

// understand finds out who asks and what every request says in its headers.
func (h *handler) understand(r *http.Request) (*request, error) {
	req := &request{Request: r}
	var err error
	if req.as, _, err = h.access.Identify(r); err != nil {
		return req, err
	}
	profile := "Content-Profile"
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		profile = "Accept-Profile"
	}
	if e := postgrest.CheckProfile(r.Header.Get(profile)); e != nil {
		return req, e
	}
	var e *postgrest.Error
	if req.prefer, e = postgrest.ParsePreferences(r.Header.Values("Prefer")); e != nil {
		return req, e
	}
	if req.format, e = postgrest.ParseAccept(r.Header.Values("Accept")); e != nil {
		return req, e
	}
	return req, nil
}

func (h *handler) table(w http.ResponseWriter, r *request, name string) error {
	t := table.Find(name)
	if t == nil {
		return postgrest.NoTable(name)
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return h.read(w, r, t)
	case http.MethodPost:
		return h.insert(w, r, t)
	case http.MethodPatch:
		return h.update(w, r, t)
	case http.MethodDelete:
		return h.delete(w, r, t)
	}
	return postgrest.BadMethod(r.Method)
}

// allowOrigins lets pages of any origin ask, as Supabase does: who asks is
// proved by a token that the page must have, never by a cookie.
func allowOrigins(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Preference-Applied, Range-Unit, Retry-After, Server, WWW-Authenticate")
}

const (
	tableMethods = "OPTIONS,GET,HEAD,POST,PATCH,DELETE"
	callMethods  = "OPTIONS,POST"
)

// options answers what can be done with a table or a function, and the
// question of a browser whether a page may.
func (h *handler) options(w http.ResponseWriter, r *http.Request, name string, isCall bool) {
	methods := tableMethods
	if isCall {
		methods = callMethods
	}
	head := w.Header()
	if r.Header.Get("Access-Control-Request-Method") != "" {
		head.Set("Access-Control-Allow-Methods", methods)
		allowed := r.Header.Get("Access-Control-Request-Headers")
		if allowed == "" || len(allowed) > 2000 {
			allowed = "accept, accept-profile, apikey, authorization, content-profile, content-type, prefer, range, range-unit, x-client-info, x-retry-count"
		}
		head.Set("Access-Control-Allow-Headers", allowed)
		head.Set("Access-Control-Max-Age", "86400")
		head.Add("Vary", "Access-Control-Request-Headers")
	} else if !isCall && table.Find(name) == nil {
		h.refuse(w, r, anyone, postgrest.NoTable(name))
		return
	}
	head.Set("Allow", methods)
	head.Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
}

const (
	roomy  = 3 * rows.Most   // bytes of all large answers that are made or sent
	mostOf = 2 * rows.Most   // of those of one user
	queue  = 5 * time.Second // is how long a request waits for its place
)

// A room is the memory for answers that are not small. A request has a place in it
// from before its rows are read until its last byte is sent, so as many of them as
// one likes need no more memory than this, and who does not read what was asked
// for keeps nobody else waiting but oneself.
type room struct {
	mu    sync.Mutex
	taken int
	of    map[uuid.UUID]int
	freed chan struct{} // closed when there is more
}

func newRoom() *room { return &room{of: map[uuid.UUID]int{}, freed: make(chan struct{})} }

// A place is a part of the room.
type place struct {
	room *room
	who  uuid.UUID
	size int
}

// enter waits for a place.
func (r *room) enter(ctx context.Context, who uuid.UUID, size int) (*place, error) {
	late := time.NewTimer(queue)
	defer late.Stop()
	for {
		r.mu.Lock()
		if r.taken+size <= roomy && (r.of[who] == 0 || r.of[who]+size <= mostOf) {
			r.taken += size
			r.of[who] += size
			r.mu.Unlock()
			return &place{r, who, size}, nil
		}
		freed := r.freed
		r.mu.Unlock()
		select {
		case <-freed:
		case <-late.C:
			return nil, postgrest.Busy()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// shrink gives back what a place has over a size.
func (p *place) shrink(size int) {
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	p.room.taken -= p.size - size
	if p.room.of[p.who] -= p.size - size; p.room.of[p.who] == 0 {
		delete(p.room.of, p.who)
	}
	p.size = size
	close(p.room.freed)
	p.room.freed = make(chan struct{})
}

// leave gives a place back.
func (p *place) leave() { p.shrink(0) }
