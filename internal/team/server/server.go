// Package server is cairn's team server: it opens the database, puts the
// interfaces of team/server/rest, auth and ci behind one address, and keeps
// them up: limits, logs, metrics, health, certificates, jobs, a stop that loses
// nothing.
//
//	server         this: what all requests have in common, and how it runs
//	server/access  who a request is from
//	server/rest    tables and functions, PostgREST's protocol
//	server/auth    sign-in, GoTrue's protocol, and its pages
//	server/admin   a team as a whole: renamed, exported, deleted
//	server/ci      tokens of CI
//	server/collector  OTLP/HTTP: what agents tell by OpenTelemetry
//	server/issuer  whose OIDC tokens are taken
//	server/mail    the mails of sign-in
//	server/receiver  the page on which the receiver of a mail channel confirms
//
// Only cli imports it. SQL belongs to team/db, flags and files of settings to cli.
package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/herald"
	"cairn/internal/team/notify"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/auth"
	"cairn/internal/team/server/collector"
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

	Signup        bool        // strangers may make themselves an account
	Mailer        auth.Mailer // nil: links are printed, not mailed
	RedirectAllow []string    // where a sign-in may end, besides here and on the user's machine
	Providers     []auth.Provider
	SignupDomains []string // of verified addresses that may make an account through a provider, as team.example
	Issuers       []string // of CI's OIDC tokens; none is those of github.com and gitlab.com

	NoticeMailer         notify.Mailer // sends alerts and digests; nil: channels of mail fail
	AllowPrivateWebhooks bool          // messages may go to addresses that are not of the internet

	JWTSecret    []byte // signs access tokens; by default one kept in the database
	MetricsToken string // who has it may read /metrics from elsewhere
	PasswordCost int    // of bcrypt, for tests that sign in often; 0 is its default

	Own Own // who may ask which process it is, and end it

	Quotas quota.Limits // what a team without limits of its own may have; nil leaves what the database has

	AuditDays    int  // how many days entries of the audit log stay, 0 for [AuditDays]
	RetainMonths int  // how many months of results stay, 0 for all
	Litestream   bool // another program copies the WAL: it is never truncated

	Log *slog.Logger
}

// AuditDays is how many days entries of the audit log stay unless told otherwise.
const AuditDays = 400

// timeouts are how long a server waits for others. read and write are for what
// no route is asked for; elsewhere a body or an answer has grace and then has to
// move by rate bytes a second.
type timeouts struct {
	header, read, write, grace, idle, drain time.Duration
	full                                    time.Duration // see fullFor
	rate                                    int64
}

var usual = timeouts{header: 5 * time.Second, read: 30 * time.Second, write: time.Minute, grace: 10 * time.Second, rate: 32 << 10, idle: 2 * time.Minute, drain: 10 * time.Second, full: fullFor}

// maxHeaderBytes fits an in-filter of some thousand ids.
const maxHeaderBytes = 256 << 10

// A Server listens from New on and answers from Run on.
type Server struct {
	config    Config
	db        *db.DB
	keys      *access.Keys
	access    *access.Access
	accounts  *account.Accounts
	herald    *herald.Herald
	log       *slog.Logger
	url       string
	listener  net.Listener
	certs     *certificates // nil without TLS
	metrics   *metrics
	limits    *limits
	collector *collector.Collector
	conns     *conns
	handler   http.Handler
	stopping  atomic.Bool
	readiness readiness
	timeouts  timeouts
}

// New listens and puts everything together.
func New(ctx context.Context, c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{config: c, db: c.Store.DB, log: c.Log, metrics: newMetrics(), limits: newLimits(), timeouts: usual}
	if err := s.listen(ctx); err != nil {
		return nil, err
	}
	s.conns = s.bound(s.listener)
	if err := s.compose(ctx); err != nil {
		s.listener.Close()
		return nil, err
	}
	return s, nil
}

// compose makes what answers, when the server's own address is known.
func (s *Server) compose(ctx context.Context) (err error) {
	if s.keys, err = Keys(ctx, s.db, s.config.JWTSecret, s.url); err != nil {
		return err
	}
	if err := s.db.Note(ctx, urlNote, s.url); err != nil {
		return err
	}
	s.warnRights(ctx)
	if s.config.Quotas != nil {
		if err := quota.SetDefaults(ctx, s.db, s.config.Quotas); err != nil {
			return err
		}
	}
	s.accounts = account.New(s.db)
	if s.config.PasswordCost != 0 {
		s.accounts.SetCost(s.config.PasswordCost)
	}
	s.access = &access.Access{Keys: s.keys, Store: s.accounts}
	s.herald = &herald.Herald{DB: s.db, Log: s.log, URL: s.url,
		Sender: notify.New(notify.Config{AllowPrivate: s.config.AllowPrivateWebhooks, Mailer: s.config.NoticeMailer, Version: s.config.Version})}
	s.handler, err = s.routes()
	return err
}

// urlNote is where the verbs that look after a server find how it is reached.
const urlNote = "url"

// URLOf returns how the last server of a database that was started is reached.
func URLOf(ctx context.Context, d *db.DB) (string, error) { return d.Noted(ctx, urlNote) }

// warnRights says when PostgreSQL would not stop a mistake of ours.
func (s *Server) warnRights(ctx context.Context) {
	if c, err := s.db.Connected(ctx); err == nil && c.Superuser {
		s.log.Warn("the database's user is above row-level security: nothing stands behind the server's own checks", "user", c.User, "help", "cairn serve doctor")
	}
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
		ReadHeaderTimeout: s.timeouts.header, ReadTimeout: s.timeouts.read, WriteTimeout: s.timeouts.write, IdleTimeout: s.timeouts.idle,
		// Of HTTP/2 a connection has many requests; each may wait to be read.
		HTTP2:          &http.HTTP2Config{MaxConcurrentStreams: 100, MaxReceiveBufferPerConnection: 256 << 10, MaxReceiveBufferPerStream: 256 << 10},
		MaxHeaderBytes: maxHeaderBytes, ErrorLog: log.New(&lines{s.log}, "", 0),
	}
	var work sync.WaitGroup
	defer work.Wait()
	jobs, endJobs := context.WithCancel(ctx)
	defer endJobs()
	work.Go(func() { s.work(jobs) })
	work.Go(func() { s.notices(jobs) })
	work.Go(func() { s.watchKeys(jobs) })
	work.Go(func() {
		if err := ingest.Clean(jobs, s.db); err != nil && jobs.Err() == nil {
			s.log.Error("runs that a killed server left half written stay hidden", "error", err)
		}
	})
	failed := make(chan error, 1)
	if s.certs != nil {
		srv.TLSConfig = s.certs.config()
		go func() { failed <- srv.ServeTLS(s.conns, "", "") }()
	} else {
		go func() { failed <- srv.Serve(s.conns) }()
	}
	select {
	case err := <-failed:
		return fmt.Errorf("the server stopped listening: %w", err)
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	s.log.Info("stopping", "in_flight", s.metrics.inFlight.Load())
	drain, done := context.WithTimeout(base, s.timeouts.drain)
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
	l.log.Debug("connection", "error", string(bytes.TrimRight(p, "\n")))
	return len(p), nil
}
