package server

import (
	"net/http"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// about tells a client what the server is and how one signs in.
func (s *Server) about(w http.ResponseWriter, r *http.Request) {
	ways := []string{"password", "invite"}
	if s.config.Mailer != nil {
		ways = append(ways, "magiclink")
	}
	key, err := s.access.Keys.Public(db.Anon)
	if err != nil {
		s.log.Error("the public key", "error", err)
	}
	answer(w, r, http.StatusOK, wire.About{Name: "cairn", Version: s.config.Version, SignIn: ways, Signup: s.config.Signup, AnonKey: key})
}
