package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db"
	"cairn/internal/team/local"
	"cairn/internal/team/server"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/version"
)

type serveOptions struct {
	store                storeOptions
	listen, url          string
	cert, key, autocert  string
	insecure, noMigrate  bool
	background           bool // cairn up started it
	proxies              []string
	retainMonths         int
	auditDays            int
	quotas               quotaFlags
	connections          int
	logFormat, logLevel  string
	signup               bool
	redirects, providers []string
	domains, issuers     []string
	mail                 mailOptions
	privateHooks         bool
}

func newServe(env *Env) *cobra.Command {
	var opts serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a team's server, or look after one",
		Long: `Serves a team's results and records from one directory, with an embedded
database, or from a PostgreSQL: --database - asks for its URL, and
CAIRN_DATABASE_URL has it where nobody sits. Without anything configured it
listens on this machine only; others reach it with TLS (--tls-cert and
--tls-key, or --autocert), or through a proxy that has it (--insecure and
--trust-proxy).

Every flag is also a variable, CAIRN_SERVE_ and its name in capitals, and a line
of the TOML file of --config: flag, then variable, then file. CAIRN_JWT_SECRET
signs access tokens in place of the secret in the database (two with a comma
between: the first signs, both are good); who has
CAIRN_METRICS_TOKEN may read /metrics from elsewhere; CAIRN_SMTP_PASSWORD is for
the mail server of --smtp-host, CAIRN_PROVIDER_NAME_SECRET for --provider NAME.

The first start prints a claim: with it, within half an hour, somebody becomes
the first owner. cairn serve claim prints another.

SIGTERM and SIGINT let requests end for up to ten seconds, a second one does
not wait; SIGHUP reads the certificate's files again.`,
		Example: `  cairn serve
  cairn serve --listen :443 --autocert cairn.example.com`,
		Args: command.KnownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd, env, &opts) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&opts.listen, "listen", wire.DefaultListen, "host:port to listen on; port 0 is any free one")
	f.StringVar(&opts.url, "url", "", "how others reach the server, as https://NAME (default: what it listens on)")
	f.StringVar(&opts.cert, "tls-cert", "", "certificate chain, a PEM file")
	f.StringVar(&opts.key, "tls-key", "", "its private key, a PEM file")
	f.StringVar(&opts.autocert, "autocert", "", "get certificates from Let's Encrypt for this host; port 443 must lead here")
	f.BoolVar(&opts.insecure, "insecure", false, "listen to others without TLS: a proxy in front has it")
	f.StringSliceVar(&opts.proxies, "trust-proxy", nil, "address or network of a proxy whose X-Forwarded-For and -Proto are true")
	f.BoolVar(&opts.noMigrate, "no-migrate", false, "only check that the schema is this version's")
	f.IntVar(&opts.connections, "database-connections", 0, "connections to the database at most; of the embedded one, those that read (default: two for each processor, at least 8)")
	f.IntVar(&opts.retainMonths, "retain-months", 0, "how many months of single results to keep, 0 for all; runs and sums stay")
	f.IntVar(&opts.auditDays, "audit-days", server.AuditDays, "how many days to keep entries of the audit log")
	opts.quotas.defaults(cmd)
	f.BoolVar(&opts.signup, "signup", false, "strangers may make themselves an account; without it people are invited")
	f.StringSliceVar(&opts.redirects, "redirect-allow", nil, "URL where a sign-in may end, besides here and on the user's machine; /** at its end is all below it")
	f.StringSliceVar(&opts.providers, "provider", nil, "sign-in with github=CLIENT_ID, google=CLIENT_ID or NAME=CLIENT_ID@ISSUER; CAIRN_PROVIDER_NAME_SECRET has its secret")
	f.StringSliceVar(&opts.domains, "signup-domain", nil, "who a provider vouches for may make an account with a verified address of it, as example.com")
	f.StringSliceVar(&opts.issuers, "ci-issuer", nil, "accept identity tokens of CI jobs from this issuer (default: github.com's and gitlab.com's); GitHub Enterprise: https://HOST/_services/token, GitLab: https://HOST")
	opts.mail.flags(cmd)
	f.BoolVar(&opts.privateHooks, "allow-private-webhooks", false, "let alerts go to addresses of this machine and its network, also by http")
	f.StringVar(&opts.logFormat, "log-format", "text", "of the log on stderr: text or json")
	f.StringVar(&opts.logLevel, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&opts.background, "background", false, "")
	_ = f.MarkHidden("background")
	cmd.AddCommand(newServeClaim(env), newServeUser(env), newServeTeam(env), newServeKeys(env), newServeAudit(env), newServeBackup(env), newServeRestore(env), newServeDoctor(env), newServeHealth(env))
	return cmd
}

// softMemory is where the garbage collector begins to work more often: what large
// requests left is collected before the next takes as much.
const softMemory = 256 << 20

func runServe(cmd *cobra.Command, env *Env, opts *serveOptions) error {
	if err := serveSettings(cmd, env); err != nil {
		return err
	}
	place, err := opts.store.place(env)
	if err != nil {
		return err
	}
	if place.Connections = opts.connections; opts.connections < 0 || opts.connections == 1 {
		return command.Usage(errors.New("--database-connections must be at least 2"))
	}
	c, err := opts.config(env, place)
	if err != nil {
		return err
	}
	if err := c.Check(); err != nil { // before anything is made
		return serveError(err, place)
	}
	mailer, err := opts.mail.mailer(env, c.Log)
	if err != nil {
		return err
	}
	if mailer != nil {
		defer closeMailer(mailer)
		c.Mailer, c.NoticeMailer = mailer, mailer
	}
	if env.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(softMemory))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, end := context.WithCancel(ctx)
	defer end()
	c.Own = server.Own{Token: local.NewToken(), Stop: end}
	if c.Store, err = server.Open(ctx, place, !opts.noMigrate); err != nil {
		return serveError(err, place)
	}
	defer c.Store.Close()
	s, err := server.New(ctx, c)
	if err != nil {
		return serveError(err, place)
	}
	fmt.Fprintf(env.Stderr, "cairn serves %s\n", s.URL())
	gone, err := opts.writeDown(s, c, place)
	if err != nil {
		return err
	}
	defer gone()
	if !opts.background { // who started it claims it
		if err := sayClaim(ctx, env, c.Store, s.URL()); err != nil {
			return err
		}
	}
	defer reloadOnHangup(s, c.Log)()
	server.Notify(env.Getenv, "READY=1")
	go func() {
		<-ctx.Done()
		stop() // the next signal ends the process at once
		server.Notify(env.Getenv, "STOPPING=1")
	}()
	return s.Run(ctx)
}

// config is what the flags and the environment say of a server.
func (o *serveOptions) config(env *Env, place server.Place) (c server.Config, err error) {
	c = server.Config{
		Version: version.Full(), Listen: o.listen, URL: o.url, Insecure: o.insecure,
		TLS:    server.TLS{Cert: env.Path(o.cert), Key: env.Path(o.key), Host: o.autocert, Dir: place.Certificates()},
		Signup: o.signup, RedirectAllow: o.redirects, SignupDomains: o.domains, Issuers: o.issuers,
		JWTSecret: []byte(env.Getenv("CAIRN_JWT_SECRET")), MetricsToken: env.Getenv("CAIRN_METRICS_TOKEN"),
		RetainMonths: o.retainMonths, AuditDays: o.auditDays, Litestream: env.Getenv("LITESTREAM") != "", AllowPrivateWebhooks: o.privateHooks,
	}
	if c.Quotas = o.quotas.limits(); o.background { // of this machine's own user
		c.Quotas = noQuotas()
	}
	if c.Log, err = serveLog(env.Stderr, o.logFormat, o.logLevel); err != nil {
		return c, command.Usage(err)
	}
	if c.Proxies, err = networks(o.proxies); err != nil {
		return c, command.Usage(err)
	}
	if c.Providers, err = signInProviders(env, o.providers); err != nil {
		return c, err
	}
	if err := checkIssuers(o.issuers); err != nil {
		return c, err
	}
	if o.retainMonths < 0 {
		return c, command.Usage(errors.New("--retain-months is from 0"))
	}
	if o.auditDays < 1 || o.auditDays > 36500 {
		return c, command.Usagef("--audit-days must be between 1 and 36500, not %d", o.auditDays)
	}
	return c, nil
}

// writeDown says in the data directory which process serves it, until gone is
// called. Without that file cairn up and cairn down do not know the process; who
// reads and signs in is served all the same, by one that starts on a full disk.
func (o *serveOptions) writeDown(s *server.Server, c server.Config, place server.Place) (gone func(), err error) {
	if place.Database != "" {
		return func() {}, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	binary, _ := local.BinaryAt(self) // one that is gone is another by the next look
	state := local.State{
		PID: os.Getpid(), URL: s.URL(), Listen: s.Addr().String(), Started: time.Now().UTC().Truncate(time.Second),
		Background: o.background, Cairn: c.Version, Binary: binary, Token: c.Own.Token,
	}
	if err := local.Begun(place.Dir, state); err != nil {
		if o.background { // cairn up waits for the file
			return nil, err
		}
		c.Log.Warn("it cannot be written down that the server runs: cairn up and cairn down do not know it", "error", err)
		return func() {}, nil
	}
	return func() {
		if err := local.Ended(place.Dir); err != nil {
			c.Log.Warn("it cannot be written down that the server ended", "error", err)
		}
	}, nil
}

// reloadOnHangup reads certificates again at SIGHUP, until it is called back.
func reloadOnHangup(s *server.Server, log *slog.Logger) (end func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		for range hangup {
			if err := s.Reload(); err != nil {
				log.Error("the old certificates stay", "error", err)
				continue
			}
			log.Info("certificates were read again")
		}
	}()
	return func() { signal.Stop(hangup); close(hangup) }
}

// serveError gives what a server may not begin with its code and remedy.
func serveError(err error, place server.Place) error {
	switch {
	case errors.Is(err, server.ErrExposed):
		return command.Usage(term.Hint(err, "add --tls-cert and --tls-key, or --autocert HOST; --insecure is for a server behind a proxy that has TLS"))
	case errors.Is(err, server.ErrConfig):
		return command.Usage(err)
	case errors.Is(err, server.ErrLocked):
		return term.Hint(err, "stop that one, or give this one a directory of its own: --data DIR")
	case errors.Is(err, server.ErrNoData):
		return command.Data(term.Hint(err, "cairn serve makes it; --data DIR names another"))
	case errors.Is(err, db.ErrNewer):
		return command.Data(term.Hint(err, "cairn update brings this one up to date"))
	case errors.Is(err, db.ErrEmpty), errors.Is(err, db.ErrBehind):
		return command.Data(term.Hint(err, "cairn serve without --no-migrate brings the schema up to date"))
	case errors.Is(err, db.ErrEdited):
		return command.Data(term.Hint(err, "start it with the cairn that made it, or restore a backup: cairn serve restore"))
	case errors.Is(err, syscall.EADDRINUSE):
		return term.Hint(err, "--listen 127.0.0.1:0 takes a port that is free")
	case place.Database == "" && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return term.Hint(err, "the data directory is %s; --data DIR names another", term.ShellWord(place.Dir))
	case place.Database != "" && db.Remedy(err) != "":
		return command.Usage(term.Hint(err, "%s", db.Remedy(err)))
	case db.Remedy(err) != "":
		return command.Data(term.Hint(err, "%s", db.Remedy(err)))
	}
	return err
}

func serveLog(w io.Writer, format, level string) (*slog.Logger, error) {
	var at slog.Level
	if err := at.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("--log-level %q: debug, info, warn or error is wanted", level)
	}
	o := &slog.HandlerOptions{Level: at}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, o)), nil
	}
	return nil, fmt.Errorf("--log-format %q: text or json is wanted", format)
}

// networks reads addresses and CIDRs.
func networks(list []string) (out []netip.Prefix, err error) {
	for _, text := range list {
		text = strings.TrimSpace(text)
		p, err := netip.ParsePrefix(text)
		if ip, iperr := netip.ParseAddr(text); iperr == nil {
			p, err = netip.PrefixFrom(ip, ip.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("--trust-proxy %q: an address or a network is wanted, as in 10.0.0.0/8", text)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}
