package admin

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/db/erase"
	"cairn/internal/team/db/export"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// change gives a team another slug or name.
func (h *handler) change(w http.ResponseWriter, r *http.Request) error {
	c, err := h.person(r)
	var to wire.TeamChange
	if err == nil {
		err = body(r, &to)
	}
	to.Name = strings.TrimSpace(to.Name)
	switch {
	case err != nil:
	case to == (wire.TeamChange{}):
		err = api.Fault(http.StatusBadRequest, "22023", "slug or name must be given")
	case utf8.RuneCountInString(to.Name) > 100 || strings.ContainsFunc(to.Name, unicode.IsControl):
		err = api.Fault(http.StatusBadRequest, "22023", "name must have 1 to 100 characters")
	default:
		err = h.DB.RenameTeam(r.Context(), c.team.ID, to.Slug, to.Name, c.owns(r.Context()))
	}
	if err == nil {
		c, err = h.again(r, c)
	}
	if err != nil {
		return err
	}
	h.Log.Info("a team was renamed", "team", c.team.ID, "by", c.user)
	api.Send(w, http.StatusOK, c.team)
	return nil
}

// again reads what a team is called now.
func (h *handler) again(r *http.Request, c caller) (caller, error) {
	err := h.DB.View(r.Context(), db.ServerItself, func(tx *db.Tx) (err error) {
		c.team.Slug, c.team.Name, err = tx.NameOf(r.Context(), c.team.ID)
		return err
	})
	return c, err
}

// delete makes a team invisible and deletes what it can while the client waits.
func (h *handler) delete(w http.ResponseWriter, r *http.Request) error {
	c, err := h.person(r)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("confirm") != c.team.Slug {
		return api.Fault(http.StatusBadRequest, "22023", "confirm must be the team's slug: nothing was deleted")
	}
	receipt, err := erase.BeginTeam(r.Context(), h.DB, c.team.ID, c.owns(r.Context()))
	if err != nil {
		return err
	}
	h.Log.Info("a team is deleted", "team", c.team.ID, "by", c.user)
	return h.progress(w, r, c.team.ID, receipt)
}

// deletion says how far one is, and goes on with it.
func (h *handler) deletion(w http.ResponseWriter, r *http.Request) error {
	receipt, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return erase.ErrNoDeletion
	}
	team, done, err := erase.TeamDeleted(r.Context(), h.DB, receipt)
	switch {
	case err != nil:
		return err
	case !done:
		return h.progress(w, r, team, receipt)
	}
	api.Send(w, http.StatusOK, wire.Deletion{ID: receipt, Done: true})
	return nil
}

// progress deletes for a while, unless another request does, and says whether
// all is gone. What is left the next request does, or the server's job.
func (h *handler) progress(w http.ResponseWriter, r *http.Request, team, receipt uuid.UUID) error {
	var err error
	if h.deleting.TryLock() {
		ctx, stop := context.WithTimeout(r.Context(), deletionTime)
		err = erase.FinishTeam(ctx, h.DB, team)
		stop()
		h.deleting.Unlock()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		h.Log.Error("a deletion stopped; the next one goes on", "team", team, "error", err)
	}
	d := wire.Deletion{ID: receipt}
	if _, d.Done, err = erase.TeamDeleted(r.Context(), h.DB, receipt); err != nil {
		return err
	}
	status := http.StatusOK
	if !d.Done {
		w.Header().Set("Retry-After", "1")
		status = http.StatusAccepted
	}
	api.Send(w, status, d)
	return nil
}

// export sends a team's archive, or a member's part of it, while it is made.
func (h *handler) export(w http.ResponseWriter, r *http.Request) error {
	c, err := h.person(r)
	what := export.What{Team: c.team.ID, Version: h.Version}
	if err == nil {
		err = h.allow(r, c, &what)
	}
	if err != nil {
		return err
	}
	if _, twice := h.whose.LoadOrStore(c.user, true); twice {
		return errTwice
	}
	defer h.whose.Delete(c.user)
	select {
	case h.exports <- struct{}{}:
		defer func() { <-h.exports }()
	default:
		return errBusy
	}
	h.Log.Info("an export is made", "team", c.team.ID, "by", c.user)
	ctx, stop := context.WithTimeout(r.Context(), exportTime)
	defer stop()
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", `attachment; filename="`+c.team.Slug+`-`+time.Now().UTC().Format("20060102")+`.zip"`)
	if _, err := export.Write(ctx, h.DB, what, w); err != nil {
		if r.Context().Err() == nil {
			h.Log.Error("an export was not finished", "team", c.team.ID, "error", err)
		}
		panic(http.ErrAbortHandler) // half of it must not look like a whole one
	}
	return nil
}

// allow checks whose rows somebody may have, and notes it: of everybody and of
// others an owner, of oneself every member, then with the account.
func (h *handler) allow(r *http.Request, c caller, what *export.What) error {
	ctx := r.Context()
	return h.DB.Update(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		entry := audit.Entry{Team: audit.ID(c.team.ID), Action: audit.TeamExported}
		notOwner, unknown := c.owns(ctx)(tx), error(nil)
		switch person := r.URL.Query().Get("person"); person {
		case "":
		case "me":
			what.Person, unknown = c.user, c.member(ctx, tx)
		default:
			what.Person, unknown = tx.MemberBy(ctx, c.team.ID, person)
		}
		what.Account = what.Person == c.user
		switch {
		case notOwner != nil && !what.Account:
			return notOwner
		case unknown != nil:
			return unknown
		case what.Person != uuid.Nil:
			entry.Action, entry.Object = audit.PersonExported, audit.ID(what.Person)
		}
		return audit.Write(ctx, tx, entry)
	})
}

// member refuses who is not in the team any more.
func (c caller) member(ctx context.Context, tx *db.Tx) error {
	role, err := tx.RoleIn(ctx, c.team.ID, c.user)
	if err == nil && role == "" {
		err = errNoTeam
	}
	return err
}

var errAdmin = &postgrest.Error{Status: http.StatusForbidden, Code: "42501", Message: "only an owner or an admin of the team can do this"}

// quota lists a team's limits and what it has.
func (h *handler) quota(w http.ResponseWriter, r *http.Request) error {
	c, err := h.person(r)
	if err == nil && c.team.Role != "owner" && c.team.Role != "admin" {
		err = errAdmin
	}
	if err != nil {
		return err
	}
	list, err := db.Viewed(r.Context(), h.DB, func(tx *db.Tx) ([]wire.Quota, error) { return quota.Of(r.Context(), tx, c.team.ID, time.Now()) })
	if err == nil {
		api.Send(w, http.StatusOK, list)
	}
	return err
}
