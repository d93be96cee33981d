// Package admin answers what the owners of a team do with all of it: rename it,
// export it, delete it, see its limits. team/server mounts it at wire.Teams and wire.Deletions.
// Who asks must be a person who has signed in, and an owner when it is done: the
// role is looked up in the transaction that does it. Errors have PostgREST's shape.
//
// What becomes of rows is said in team/db/erase and team/db/export; SQL never
// belongs here.
package admin

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/erase"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// Config of the handler.
type Config struct {
	DB      *db.DB
	Access  *access.Access
	Log     *slog.Logger
	Version string // of cairn, for manifests
}

// Limits of the whole server: both kinds of work are long.
const (
	mostExports  = 2
	exportTime   = 30 * time.Minute // how long one snapshot of the database is held
	deletionTime = 20 * time.Second // how long an answer waits for a deletion to be done
	mostBody     = 64 << 10
)

type handler struct {
	Config
	exports  chan struct{}
	whose    sync.Map   // who is sent one: a slow reader has one of them, not all
	deleting sync.Mutex // held by the request that deletes
}

// New returns the handler of everything below wire.Teams and wire.Deletions.
func New(c Config) http.Handler {
	h := &handler{Config: c, exports: make(chan struct{}, mostExports)}
	mux := http.NewServeMux()
	at := func(pattern string, does func(http.ResponseWriter, *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := does(w, r); err != nil {
				h.fail(w, r, err)
			}
		})
	}
	at("GET "+wire.Teams+"{team}", h.team)
	at("PATCH "+wire.Teams+"{team}", h.change)
	at("DELETE "+wire.Teams+"{team}", h.delete)
	at("GET "+wire.Teams+"{team}/export", h.export)
	at("GET "+wire.Teams+"{team}/quota", h.quota)
	at("GET "+wire.Deletions+"{id}", h.deletion)
	at("/", func(http.ResponseWriter, *http.Request) error {
		return api.Fault(http.StatusNotFound, "PGRST125", "no such path, or not by this method")
	})
	return mux
}

var (
	errNoTeam = &postgrest.Error{Status: http.StatusNotFound, Code: "42704", Message: "there is no such team, or you are not in it"}
	errOwner  = &postgrest.Error{Status: http.StatusForbidden, Code: "42501", Message: "only an owner of the team can do this"}
	errTwice  = &postgrest.Error{Status: http.StatusTooManyRequests, Code: "53300", Message: "you are being sent an export already"}
	errBusy   = &postgrest.Error{Status: http.StatusServiceUnavailable, Code: "53300", Message: "the server makes as many exports as it can: try again in a minute"}
)

// fail answers with an error. One that is the server's own fault goes to the log only.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	e := api.Known(err)
	switch {
	case e != nil:
	case errors.Is(err, db.ErrNoTeam):
		e = errNoTeam
	case errors.Is(err, db.ErrTeamTaken):
		e = api.Fault(http.StatusConflict, "23505", "%s", err)
	case errors.Is(err, db.ErrTeamSlug):
		e = api.Fault(http.StatusBadRequest, "23514", "%s", err)
	case errors.Is(err, db.ErrNoMember):
		e = api.Fault(http.StatusNotFound, "42704", "nobody in the team has this address")
	case errors.Is(err, erase.ErrNoDeletion):
		e = api.Fault(http.StatusNotFound, "42704", "%s", err)
	case r.Context().Err() != nil:
		return
	default:
		e = api.Own(r.Context(), h.Log, "team", r.URL.Path, err)
	}
	api.Refuse(w, e)
}

// A caller is a person, what team they name and what they are in it.
type caller struct {
	user  uuid.UUID
	token uuid.UUID // of CI: the team that it is of
	team  wire.Team
}

// person is caller without tokens of CI, which may only ask which team theirs is.
func (h *handler) person(r *http.Request) (caller, error) {
	c, err := h.caller(r)
	if err == nil && c.token != uuid.Nil {
		err = api.Fault(http.StatusForbidden, "42501", "only a person who has signed in can do this")
	}
	return c, err
}

// caller finds out who asks and whether they are in the team of the address.
// Somebody else's team is answered like one that is not there.
func (h *handler) caller(r *http.Request) (c caller, err error) {
	as, _, err := h.Access.Identify(r)
	switch {
	case err != nil:
		return c, err
	case as.Role == db.Anon:
		return c, api.Fault(http.StatusUnauthorized, "42501", "sign in first")
	case as.Role != db.Authenticated || as.User == uuid.Nil:
		return c, api.Fault(http.StatusForbidden, "42501", "only a person who has signed in can do this")
	}
	c.user, c.token = as.User, as.Team
	err = h.DB.View(r.Context(), db.ServerItself, func(tx *db.Tx) error {
		id, err := uuid.Parse(r.PathValue("team"))
		if err != nil {
			if id, err = tx.FindTeam(r.Context(), r.PathValue("team")); err != nil {
				return err
			}
		}
		if c.team.ID = id; c.token != uuid.Nil && c.token != id {
			return errNoTeam
		}
		if c.team.Role, err = tx.RoleIn(r.Context(), id, c.user); err != nil || c.team.Role == "" {
			return errors.Join(err, errNoTeam)
		}
		c.team.Slug, c.team.Name, err = tx.NameOf(r.Context(), id)
		return err
	})
	return c, err
}

// owns refuses who is no owner of the team within a transaction.
func (c caller) owns(ctx context.Context) func(*db.Tx) error {
	return func(tx *db.Tx) error {
		role, err := tx.RoleIn(ctx, c.team.ID, c.user)
		if err == nil && role != "owner" {
			err = errOwner
		}
		return err
	}
}

func (h *handler) team(w http.ResponseWriter, r *http.Request) error {
	c, err := h.caller(r)
	if err == nil {
		api.Send(w, http.StatusOK, c.team)
	}
	return err
}

// body reads a request's JSON object; members that it does not know are refused.
func body(r *http.Request, into any) error {
	data, err := io.ReadAll(io.LimitReader(r.Body, mostBody))
	if err == nil {
		err = json.Unmarshal(data, into, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return api.Fault(http.StatusBadRequest, "PGRST102", `the body must be a JSON object as {"slug": "new-slug", "name": "New name"}`)
	}
	return nil
}
