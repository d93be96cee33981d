package server

import (
	"context"
	"net/http"
	"os"
	"sync"
	"time"

	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// health is the body of both answers.
type health struct {
	Status string `json:"status"`
}

// Why a server is not ready.
const (
	stoppingNow = "stopping"
	noDatabase  = "database" // it does not answer, or has another schema
	noRoom      = "disk"     // it cannot write
)

// readyFor is how long a look at the database and the disk is good: probes, of
// whomever, cost one in that time. fullFor is how long a write that found no room
// counts against the server.
const (
	readyFor = 2 * time.Second
	fullFor  = 15 * time.Second
)

// probeSize is how much must fit on the disk: a small push.
const probeSize = 256 << 10

// readiness is the last look.
type readiness struct {
	mu  sync.Mutex
	at  time.Time
	why string
}

// healthy says that the process answers; whoever restarts it asks here.
func (s *Server) healthy(w http.ResponseWriter, r *http.Request) {
	api.Send(w, http.StatusOK, health{"ok"})
}

// ready says whether requests should come here.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if why := s.whyNotReady(); why != "" {
		api.Send(w, http.StatusServiceUnavailable, health{why})
		return
	}
	api.Send(w, http.StatusOK, health{"ok"})
}

// whyNotReady is "" where the server can answer reads and writes. The log says more.
func (s *Server) whyNotReady() string {
	if s.stopping.Load() {
		return stoppingNow
	}
	l := &s.readiness
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.at) < readyFor {
		return l.why
	}
	why, err := s.look()
	switch {
	case err != nil && why != l.why:
		s.log.Error("not ready", "reason", why, "error", err)
	case err == nil && l.why != "":
		s.log.Info("ready again", "reason", l.why)
	}
	l.at, l.why = time.Now(), why
	return why
}

func (s *Server) look() (why string, err error) {
	ctx, done := context.WithTimeout(context.Background(), 2*time.Second)
	defer done()
	if err := s.db.Ready(ctx); err != nil {
		return noDatabase, err
	}
	if at, err := s.db.Full(); err != nil && time.Since(at) < s.timeouts.full {
		return noRoom, err
	}
	if dir := s.config.Store.Dir; dir != "" {
		if err := fits(dir, probeSize); err != nil {
			return noRoom, err
		}
	}
	return "", nil
}

// fits finds out whether so much more can be written to a directory, by writing
// it: what is free says nothing of quotas, of a disk that is read-only, or of
// one that fails.
func fits(dir string, size int) (err error) {
	f, err := os.CreateTemp(dir, ".ready-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(make([]byte, size))
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

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
