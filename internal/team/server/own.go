package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"os"

	"cairn/internal/team/local"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// Own lets who runs the server on this machine ask which process it is, and end
// it as SIGTERM does. Without a token nobody may.
type Own struct {
	Token string
	Stop  func()
	// Sessions are what agents did on this machine, for its own user's pages; nil
	// where others use the server.
	Sessions func() *local.Sessions
}

// own answers who has the token; to anybody else there is nothing here.
func (s *Server) own(w http.ResponseWriter, r *http.Request) {
	if !of(r).from.loopback || passedOn(r) || !knows(r, s.config.Own.Token) {
		missing("there is nothing at this address").ServeHTTP(w, r)
		return
	}
	p := wire.Process{PID: os.Getpid(), Version: s.config.Version, AnonKey: s.anonKey()}
	switch r.Method {
	case http.MethodGet:
		api.Send(w, http.StatusOK, p)
	case http.MethodDelete:
		api.Send(w, http.StatusAccepted, p)
		s.config.Own.Stop()
	default:
		w.Header().Set("Allow", "GET, DELETE")
		refuse(w, r, refusal{status: http.StatusMethodNotAllowed, code: "method_not_allowed", message: "use GET or DELETE"})
	}
}

// knows reports whether a request has a secret; nobody knows the empty one.
func knows(r *http.Request, secret string) bool {
	want, got := sha256.Sum256([]byte(secret)), sha256.Sum256([]byte(access.Bearer(r)))
	return secret != "" && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}
