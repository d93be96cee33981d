package server

import (
	"context"
	"net/http"
	"time"
)

// health is the body of both answers.
type health struct {
	Status string `json:"status"`
}

// healthy says that the process answers; whoever restarts it asks here.
func (s *Server) healthy(w http.ResponseWriter, r *http.Request) {
	answer(w, r, http.StatusOK, health{"ok"})
}

// ready says whether requests should come here: not while the server stops,
// and not while its database does not answer or has another schema. Why is in the log.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.stopping.Load() {
		answer(w, r, http.StatusServiceUnavailable, health{"stopping"})
		return
	}
	ctx, done := context.WithTimeout(r.Context(), 2*time.Second)
	defer done()
	if err := s.db.Ready(ctx); err != nil {
		s.log.Error("not ready", "error", err)
		answer(w, r, http.StatusServiceUnavailable, health{"database"})
		return
	}
	answer(w, r, http.StatusOK, health{"ok"})
}
