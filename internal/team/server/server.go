// Package server is cairn's team server: it opens the database, puts the
// interfaces of team/server/rest, auth and ci behind one address, and keeps
// them up: limits, logs, metrics, health, certificates, jobs, a stop that loses
// nothing.
//
//	server         this: what all requests have in common, and how it runs
//	server/access  who a request is from
//	server/rest    tables and functions, PostgREST's protocol
//	server/auth    sign-in, GoTrue's protocol, and its pages
//	server/ci      tokens of CI
//
// Only cli imports it. SQL belongs to team/db, flags and files of settings to cli.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/server/access"
)

// Config of a server. The zero value of a member is its default.
type Config struct {
	Version  string
	Store    *Store // opened by [Open]; the server does not close it
	Listen   string // host:port; port 0 is any free one
	URL      string // by which others reach it; by default what it listens on
	Insecure bool   // may listen to others without TLS: a proxy in front has it
	TLS      TLS
	Proxies  []netip.Prefix // whose X-Forwarded-For and -Proto are believed

	JWTSecret    []byte // signs access tokens; by default one kept in the database
	MetricsToken string // who has it may read /metrics from elsewhere

	RetainMonths int  // how many months of results stay, 0 for all
	Litestream   bool // another program copies the WAL: it is never truncated

	Log *slog.Logger
}

// Limits of what one server does at a time, and for how long.
const (
	headerTimeout  = 5 * time.Second
	readTimeout    = 30 * time.Second
	writeTimeout   = 60 * time.Second
	idleTimeout    = 2 * time.Minute
	drainTimeout   = 10 * time.Second
	maxHeaderBytes = 64 << 10
)

// A Server listens from New on and answers from Run on.
type Server struct {
	config   Config
	db       *db.DB
	keys     *access.Keys
	log      *slog.Logger
	url      string
	listener net.Listener
	certs    *certificates // nil without TLS
	metrics  *metrics
	handler  http.Handler
	anon     string // the public key: everybody's
	stopping atomic.Bool
}

// New listens and puts everything together.
func New(ctx context.Context, c Config) (s *Server, err error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s = &Server{config: c, db: c.Store.DB, log: c.Log, metrics: newMetrics()}
	if err := s.listen(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.listener.Close()
		}
	}()
	secret := c.JWTSecret
	if len(secret) == 0 {
		if secret, err = s.db.Secret(ctx, "jwt"); err != nil {
			return nil, err
		}
	}
	if s.keys, err = access.NewKeys(secret, s.url+"/auth/v1"); err != nil {
		return nil, err
	}
	if s.anon, err = s.keys.Public(db.Anon); err != nil {
		return nil, err
	}
	s.handler = s.routes()
	return s, nil
}

// URL is how others reach the server, without a slash at the end.
func (s *Server) URL() string { return s.url }

// Addr is what it listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Handler answers requests as Run does.
func (s *Server) Handler() http.Handler { return s.handler }

// Close gives up a server that does not run.
func (s *Server) Close() error { return s.listener.Close() }

// Run answers until ctx is over, then accepts nothing new, waits up to ten
// seconds for what is being answered, and ends what is still left.
func (s *Server) Run(ctx context.Context) error {
	base, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	srv := &http.Server{
		Handler: s.handler, BaseContext: func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes, ErrorLog: log.New(&lines{s.log}, "", 0),
	}
	failed := make(chan error, 1)
	if s.certs != nil {
		srv.TLSConfig = s.certs.config()
		go func() { failed <- srv.ServeTLS(s.listener, "", "") }()
	} else {
		go func() { failed <- srv.Serve(s.listener) }()
	}
	select {
	case err := <-failed:
		return fmt.Errorf("the server stopped listening: %w", err)
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	s.log.Info("stopping", "in_flight", s.metrics.inFlight.Load())
	drain, done := context.WithTimeout(base, drainTimeout)
	defer done()
	err := srv.Shutdown(drain)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests that took too long are ended", "in_flight", s.metrics.inFlight.Load())
		abandon()
		return srv.Close()
	}
	return err
}

// lines makes records of what http.Server has to say, which is about
// connections that strangers broke.
type lines struct{ log *slog.Logger }

func (l *lines) Write(p []byte) (int, error) {
	l.log.Debug("connection", "error", string(trimLine(p)))
	return len(p), nil
}

func trimLine(p []byte) []byte {
	for len(p) > 0 && p[len(p)-1] == '\n' {
		p = p[:len(p)-1]
	}
	return p
}

var _ io.Writer = (*lines)(nil)
