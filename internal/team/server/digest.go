package server

import (
	"errors"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// digest answers a member with the digest of the last seven days.
func (s *Server) digest(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, r, refusal{status: http.StatusMethodNotAllowed, code: "method_not_allowed", message: "only GET is answered here"})
		return
	}
	as, _, err := s.access.Identify(r)
	switch {
	case errors.Is(err, db.ErrToken), errors.Is(err, access.ErrExpired), errors.Is(err, db.ErrSession), errors.Is(err, access.ErrRole), err == nil && as.Role == db.Anon:
		refuse(w, r, refusal{status: http.StatusUnauthorized, code: "PGRST301", message: "sign in first"})
		return
	case err != nil:
		s.digestFailed(w, r, err)
		return
	}
	team, err := uuid.Parse(r.URL.Query().Get("team_id"))
	if err != nil {
		refuse(w, r, refusal{status: http.StatusBadRequest, code: "22P02", message: "team_id is the id of a team"})
		return
	}
	may := as.Role == db.Service
	if as.Role == db.Authenticated && (as.Team == uuid.Nil || as.Team == team && as.Repo == "" && slices.Contains(as.Scopes, wire.ScopeRead)) {
		err := s.db.View(r.Context(), db.ServerItself, func(tx *db.Tx) (err error) {
			may, err = notice.Member(r.Context(), tx, team, as.User)
			return err
		})
		if err != nil {
			s.digestFailed(w, r, err)
			return
		}
	}
	if !may {
		refuse(w, r, refusal{status: http.StatusForbidden, code: "42501", message: "you are not in the team"})
		return
	}
	m, err := s.herald.Preview(r.Context(), team)
	if err != nil {
		s.digestFailed(w, r, err)
		return
	}
	api.Send(w, http.StatusOK, wire.Digested{Markdown: m.Markdown(), Data: m.Data})
}

func (s *Server) digestFailed(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		s.log.Error("no digest", "error", err)
	}
	status := http.StatusInternalServerError
	if db.Unavailable(err) {
		status = http.StatusServiceUnavailable
	}
	refuse(w, r, refusal{status: status, code: "XX000", message: "the digest could not be made"})
}
