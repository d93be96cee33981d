package server

import (
	"net/http"

	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// about tells a client what the server is and how one signs in.
func (s *Server) about(w http.ResponseWriter, r *http.Request) {
	ways := []string{"password", "invite"}
	if s.config.Mailer != nil {
		ways = append(ways, "magiclink")
	}
	for _, p := range s.config.Providers {
		ways = append(ways, p.Name())
	}
	api.Send(w, http.StatusOK, wire.About{Name: "cairn", Version: s.config.Version, SignIn: ways, Signup: s.config.Signup, AnonKey: s.anonKey()})
}
