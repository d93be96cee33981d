// Package rest answers PostgREST's requests for the teams' tables and
// functions: /rest/v1/TABLE and /rest/v1/rpc/FUNCTION. It finds out who asks,
// lets package postgrest read what is asked, runs that in one transaction as
// whoever asks, and writes the answer. Package team/server mounts it.
// No SQL belongs here, and no rule about who may see what: those are db/rows'.
package rest

import (
	"log/slog"
	"net/http"
	"strings"

	"cairn/internal/team/db"
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
