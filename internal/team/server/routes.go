package server

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/server/admin"
	"cairn/internal/team/server/api"
	"cairn/internal/team/server/auth"
	"cairn/internal/team/server/browser"
	"cairn/internal/team/server/ci"
	"cairn/internal/team/server/collector"
	"cairn/internal/team/server/receiver"
	"cairn/internal/team/server/rest"
	"cairn/internal/team/wire"
)

// Most bytes of a request's body, also after it was unpacked.
const (
	authBody   = 128 << 10
	ingestBody = 32 << 20
	otherBody  = 8 << 20
	noBody     = 64 << 10
)

// A route is one interface of the server, in the words of [http.ServeMux].
type route struct {
	pattern string
	handler http.Handler
	body    int64
	pace    pace
}

// routes is the one list of what the server answers.
func (s *Server) routes() (http.Handler, error) {
	browsers := browser.New(browser.Config{DB: s.db, Accounts: s.accounts, Access: s.access, SiteURL: s.url, Log: s.log,
		ClientIP: func(r *http.Request) netip.Addr { return of(r).from.ip }})
	signIn, err := auth.New(auth.Config{
		Accounts: s.accounts, Access: s.access, SiteURL: s.url, RedirectAllow: s.config.RedirectAllow, Signup: s.config.Signup, Mailer: s.config.Mailer,
		Providers: s.config.Providers, SignupDomains: s.config.SignupDomains,
		ClientIP: func(r *http.Request) netip.Addr { return of(r).from.ip }, Log: s.log,
		Start: browsers.Start, Signed: browsers.Person,
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	tables := rest.New(s.db, s.access, s.log)
	tokens := ci.New(ci.Config{Store: s.accounts, Access: s.access, Log: s.log, URL: s.url, Issuers: s.config.Issuers})
	teams := admin.New(admin.Config{DB: s.db, Access: s.access, Log: s.log, Version: s.config.Version})
	enter := browsers.Handler()
	pages := dashboard.New(dashboard.Config{DB: s.db, Viewer: browsers.Viewer, SignIn: "/enter", Log: s.log, Sessions: s.config.Own.Sessions, Labels: rows.Labels{DB: s.db}})
	if s.collector, err = collector.New(s.db, s.access, s.log); err != nil {
		return nil, err
	}
	list := []route{
		{wire.OTLP + "logs", s.collector, otherBody, easy},
		{wire.OTLP + "metrics", s.collector, otherBody, easy},
		{wire.OTLP + "traces", s.collector, otherBody, easy},
		{wire.Rest, tables, otherBody, easy},
		{wire.PushEvalRun, tables, ingestBody, easy},
		{wire.Auth, crossOrigin(signIn), authBody, strict},
		{wire.Claim, signIn, authBody, strict},
		{"/signin", signIn, authBody, strict},
		{"/signin/", signIn, authBody, strict},
		{"/join", signIn, authBody, strict},
		{"/claim", signIn, authBody, strict},
		{wire.Enter, enter, noBody, strict},
		{"/enter", enter, noBody, easy},
		{"/enter/", enter, noBody, strict},
		{"/signout", enter, noBody, strict},
		{"/{$}", pages, noBody, easy},
		{"/t/", pages, noBody, easy},
		{"/assets/", pages, noBody, easy},
		{wire.Tokens, tokens, noBody, strict},
		{wire.Tokens + "/", tokens, noBody, strict},
		{wire.TokenGitHub, tokens, noBody, strict},
		{wire.TokenGitLab, tokens, noBody, strict},
		{wire.ConfirmMail, receiver.New(s.db, s.log), noBody, strict},
		{wire.Teams, teams, noBody, strict},
		{wire.Deletions, teams, noBody, strict},
		{wire.Digest, http.HandlerFunc(s.digest), noBody, easy},
		{wire.Healthy, http.HandlerFunc(s.healthy), noBody, free},
		{wire.Ready, http.HandlerFunc(s.ready), noBody, free},
		{wire.Metrics, http.HandlerFunc(s.serveMetrics), noBody, free},
		{wire.Server, http.HandlerFunc(s.about), noBody, easy},
		{wire.Own, http.HandlerFunc(s.own), noBody, free},
		{"/realtime/v1/", missing("realtime is not part of this server: read again instead"), noBody, easy},
		{"/storage/v1/", missing("storage is not part of this server"), noBody, easy},
		{"/functions/v1/", missing("edge functions are not part of this server"), noBody, easy},
		{"/graphql/v1", missing("GraphQL is not part of this server"), noBody, easy},
		{"/", missing("there is nothing at this address"), noBody, easy},
	}
	mux := http.NewServeMux()
	for _, r := range list {
		mux.Handle(r.pattern, s.counted(r.pattern, s.limited(s.limits, r)))
	}
	return s.observe(secure(s.certs != nil, s.rightHost(mux))), nil
}

// missing answers for what Supabase has and this server does not, in JSON that
// supabase-js takes for an error and not for a broken connection.
func missing(what string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, refusal{status: http.StatusNotFound, code: "not_found", message: what})
	})
}

// secure sets what every answer carries. Pages set their own, wider, policy of contents.
func secure(tls bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		if tls || forwardedTLS(r) {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

// A refusal is an answer that the server gives before or instead of an interface.
type refusal struct {
	status     int
	code       string
	message    string
	retryAfter time.Duration
}

// restError, authError and newAuthError are the shapes of PostgREST, of GoTrue
// and of GoTrue for clients that name a version of it.
type restError struct {
	Code    string  `json:"code"`
	Details *string `json:"details"`
	Hint    *string `json:"hint"`
	Message string  `json:"message"`
}

type authError struct {
	Code      int    `json:"code"`
	ErrorCode string `json:"error_code"`
	Message   string `json:"msg"`
}

type newAuthError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// refuse answers in the shape of the interface that was asked.
func refuse(w http.ResponseWriter, r *http.Request, x refusal) {
	var body any = restError{Code: x.code, Message: x.message}
	if strings.HasPrefix(r.URL.Path, wire.OTLP) {
		again(w, x.retryAfter)
		collector.Refuse(w, r, x.status, x.message)
		return
	}
	if strings.HasPrefix(r.URL.Path, wire.Auth) {
		body = authError{Code: x.status, ErrorCode: x.code, Message: x.message}
		if r.Header.Get("X-Supabase-Api-Version") != "" {
			body = newAuthError{Code: x.code, Message: x.message}
		}
		w.Header().Set("X-Sb-Error-Code", x.code)
	}
	again(w, x.retryAfter)
	w.Header().Set("Access-Control-Allow-Origin", "*") // or a browser hides the answer from its page
	api.Send(w, x.status, body)
}

// again says when to come again, in whole seconds.
func again(w http.ResponseWriter, after time.Duration) {
	if after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((after+time.Second-1)/time.Second)))
	}
}

// crossOrigin lets pages of any origin sign in, as Supabase does: no cookie
// proves who asks. The pages for people are not among it.
func crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "Retry-After, X-Sb-Error-Code, X-Total-Count, Link")
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", "OPTIONS,GET,POST,PUT,DELETE")
		allowed := r.Header.Get("Access-Control-Request-Headers")
		if allowed == "" || len(allowed) > 2000 {
			allowed = "apikey, authorization, content-type, x-client-info, x-supabase-api-version"
		}
		h.Set("Access-Control-Allow-Headers", allowed)
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	})
}
