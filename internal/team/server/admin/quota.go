package admin

import (
	"net/http"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

var errAdmin = &postgrest.Error{Status: http.StatusForbidden, Code: "42501", Message: "only an owner or an admin of the team can do this"}

// quota lists a team's limits and what it has.
func (h *handler) quota(w http.ResponseWriter, r *http.Request) {
	c, err := h.person(r)
	if err == nil && c.team.Role != "owner" && c.team.Role != "admin" {
		err = errAdmin
	}
	var list []wire.Quota
	if err == nil {
		err = h.DB.View(r.Context(), db.ServerItself, func(tx *db.Tx) (err error) {
			list, err = quota.Of(r.Context(), tx, c.team.ID, time.Now())
			return err
		})
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	api.Send(w, http.StatusOK, list)
}
