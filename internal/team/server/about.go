package server

import (
	"net/http"

	"cairn/internal/team/wire"
)

// about tells a client what the server is and how one signs in.
func (s *Server) about(w http.ResponseWriter, r *http.Request) {
	answer(w, r, http.StatusOK, wire.About{Name: "cairn", Version: s.config.Version})
}
