package servecmd

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/local"
	"cairn/internal/team/server"
	"cairn/internal/team/server/auth"
	"cairn/internal/team/server/auth/provider"
	"cairn/internal/team/server/mail"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/version"
)

func serveCommand() *command.Command {
	return &command.Command{
		Path:  "serve",
		Short: "Run a team's server, or manage one",
		Long: `Serves a team's results and records from one directory with an embedded
database, or from PostgreSQL: --database - asks for its URL, CAIRN_DATABASE_URL
sets it in scripts. By default it listens on this machine only. To let others in,
add TLS (--tls-cert and --tls-key, or --autocert), or put a proxy with TLS before
it (--insecure and --trust-proxy).

Every flag is also a variable, CAIRN_SERVE_ and its name in capitals, and a key
of the TOML file of --config. A flag wins over a variable, a variable over the
file. Secrets are variables only:
CAIRN_JWT_SECRET signs access tokens in place of the secret in the database (two
with a comma between: the first signs, both are accepted). CAIRN_METRICS_TOKEN
lets a client elsewhere read /metrics. CAIRN_SMTP_PASSWORD is for --smtp-host,
CAIRN_PROVIDER_NAME_SECRET for --provider NAME.

The first start prints a claim, which makes somebody the first owner within half
an hour. cairn serve claim prints another.

On SIGTERM and SIGINT, requests get ten seconds to finish; a second signal stops
at once. SIGHUP reads the certificate's files again.`,
		Examples: []string{"cairn serve", "cairn serve --listen :443 --autocert cairn.example.com"},
		Effect:   command.Writes, Text: true, Local: true, Run: serve,
		Flags: slices.Concat([]command.Flag{
			{Name: "listen", Default: wire.DefaultListen, Help: "`HOST:PORT` to listen on; port 0 takes a free one"},
			{Name: "url", Default: "", Help: "public `URL` of the server, as https://NAME (default: what it listens on)"},
			{Name: "tls-cert", Default: "", Help: "certificate chain, a PEM `FILE`"},
			{Name: "tls-key", Default: "", Help: "its private key, a PEM `FILE`"},
			{Name: "autocert", Default: "", Help: "get certificates from Let's Encrypt for this `HOST`; port 443 must lead here"},
			{Name: "insecure", Default: false, Help: "listen to others without TLS: a proxy in front has it"},
			{Name: "trust-proxy", Default: []string(nil), Commas: true, Help: "`ADDRESS` or network of a proxy whose X-Forwarded-For and -Proto are trusted"},
			{Name: "no-migrate", Default: false, Help: "fail unless the schema is this version's"},
			{Name: "database-connections", Default: 0, Help: "most connections to the database; of the embedded one, those that read (default: two for each processor, at least 8)"},
			{Name: "retain-months", Default: 0, Help: "keep single results for this many months, 0 for ever; runs and sums stay"},
			{Name: "audit-days", Default: server.AuditDays, Min: 1, Help: "keep entries of the audit log for this many days"},
			{Name: "signup", Default: false, Help: "let strangers make an account; without it people are invited"},
			{Name: "redirect-allow", Default: []string(nil), Commas: true, Help: "`URL` where a sign-in may end, besides here and on the user's machine; /** at its end allows all below it"},
			{Name: "provider", Default: []string(nil), Commas: true, Help: "sign in with `NAME=CLIENT_ID`: github=ID, google=ID or NAME=ID@ISSUER; CAIRN_PROVIDER_NAME_SECRET has the secret"},
			{Name: "signup-domain", Default: []string(nil), Commas: true, Help: "let people whom a provider vouches for make an account with a verified address of this `DOMAIN`"},
			{Name: "ci-issuer", Default: []string(nil), Commas: true, Help: "accept identity tokens of CI jobs from this `URL` (default: github.com's and gitlab.com's); GitHub Enterprise: https://HOST/_services/token, GitLab: https://HOST"},
			{Name: "allow-private-webhooks", Default: false, Help: "let alerts go to addresses of this machine and its network, also by http"},
			{Name: "log-format", Default: "text", OneOf: []string{"text", "json"}, Help: "format of the log on stderr: text or json"},
			{Name: "log-level", Default: "info", Help: "debug, info, warn or error", Values: func(*command.Call) []string { return []string{"debug", "info", "warn", "error"} }},
			{Name: "background", Default: false, Hidden: true, Help: "cairn up started it"},
		}, quotaFlags("team-", quota.Defaults), MailFlags()),
	}
}

// softMemory is where the garbage collector begins to work more often: what large
// requests left is collected before the next takes as much.
const softMemory = 256 << 20

func serve(c *command.Call) (*answer.Answer, error) {
	place := find(c)
	if place.Connections = c.Int("database-connections"); place.Connections == 1 {
		return nil, command.Usagef("--database-connections must be at least 2")
	}
	conf := configOf(c, place)
	if err := conf.Check(); err != nil { // before anything is made
		return nil, Explain(err, place)
	}
	mailer, end := must.Get2(Mailer(c, conf.Log))
	defer end()
	if mailer != nil {
		conf.Mailer, conf.NoticeMailer = mailer, mailer
	}
	if c.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(softMemory))
	}
	run(c, conf, place)
	return nil, nil
}

// run serves until the process is told to stop.
func run(c *command.Call, conf server.Config, place server.Place) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, end := context.WithCancel(ctx)
	defer end()
	conf.Own = server.Own{Token: local.NewToken(), Stop: end}
	if c.Bool("background") { // of this machine's own user
		conf.Own.Sessions = func() *local.Sessions { return local.ReadSessions(place.Dir) }
	}
	var err error
	if conf.Store, err = server.Open(ctx, place, !c.Bool("no-migrate")); err != nil {
		must.Fail(Explain(err, place))
	}
	defer conf.Store.Close()
	s, err := server.New(ctx, conf)
	if err != nil {
		must.Fail(Explain(err, place))
	}
	fmt.Fprintf(c.Stderr, "cairn serves %s\n", s.URL())
	gone := writeDown(c.Bool("background"), s, conf, place)
	defer gone()
	if !c.Bool("background") { // who started it claims it
		sayClaim(ctx, c.Stderr, conf.Store, s.URL())
	}
	defer reloadOnHangup(s, conf.Log)()
	server.Notify(c.Getenv, "READY=1")
	go func() {
		<-ctx.Done()
		stop() // the next signal ends the process at once
		server.Notify(c.Getenv, "STOPPING=1")
	}()
	must.OK(s.Run(ctx))
}

// writeDown says in the data directory which process serves it, until gone is
// called. Without that file cairn up and cairn down do not know the process; who
// reads and signs in is served all the same, by one that starts on a full disk.
func writeDown(background bool, s *server.Server, conf server.Config, place server.Place) (gone func()) {
	if place.Database != "" {
		return func() {}
	}
	self := must.Get(os.Executable())
	binary, _ := local.BinaryAt(self) // one that is gone is another by the next look
	state := local.State{
		PID: os.Getpid(), URL: s.URL(), Listen: s.Addr().String(), Started: time.Now().UTC().Truncate(time.Second),
		Background: background, Cairn: conf.Version, Binary: binary, Token: conf.Own.Token,
	}
	if err := local.Begun(place.Dir, state); err != nil {
		if background { // cairn up waits for the file
			must.Fail(err)
		}
		conf.Log.Warn("it cannot be written down that the server runs: cairn up and cairn down do not know it", "error", err)
		return func() {}
	}
	return func() {
		if err := local.Ended(place.Dir); err != nil {
			conf.Log.Warn("it cannot be written down that the server ended", "error", err)
		}
	}
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

// configOf is what the flags and the environment say of a server.
func configOf(c *command.Call, place server.Place) (conf server.Config) {
	conf = server.Config{
		Version: version.Full(), Listen: c.String("listen"), URL: c.String("url"), Insecure: c.Bool("insecure"),
		TLS:    server.TLS{Cert: c.Path(c.String("tls-cert")), Key: c.Path(c.String("tls-key")), Host: c.String("autocert"), Dir: place.Certificates()},
		Signup: c.Bool("signup"), RedirectAllow: c.List("redirect-allow"), SignupDomains: c.List("signup-domain"), Issuers: c.List("ci-issuer"),
		JWTSecret: []byte(c.Getenv("CAIRN_JWT_SECRET")), MetricsToken: c.Getenv("CAIRN_METRICS_TOKEN"),
		RetainMonths: c.Int("retain-months"), AuditDays: c.Int("audit-days"), Litestream: c.Getenv("LITESTREAM") != "",
		AllowPrivateWebhooks: c.Bool("allow-private-webhooks"),
	}
	conf.Quotas = must.Get(quotas(c, "team-"))
	if c.Bool("background") { // of this machine's own user
		conf.Quotas = noQuotas()
	}
	conf.Log = logTo(c.Stderr, c.String("log-format"), c.String("log-level"))
	conf.Proxies = networks(c.List("trust-proxy"))
	conf.Providers = providers(c)
	if conf.AuditDays > 36500 {
		must.Fail(command.Usagef("--audit-days must be between 1 and 36500, not %d", conf.AuditDays))
	}
	checkIssuers(conf.Issuers)
	return conf
}

func logTo(w io.Writer, format, level string) *slog.Logger {
	var at slog.Level
	if err := at.UnmarshalText([]byte(level)); err != nil {
		must.Fail(command.Usagef("--log-level must be debug, info, warn or error, not %q", term.Line(level)))
	}
	o := &slog.HandlerOptions{Level: at}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// networks reads addresses and CIDRs.
func networks(list []string) (out []netip.Prefix) {
	for _, text := range list {
		text = strings.TrimSpace(text)
		p, err := netip.ParsePrefix(text)
		if ip, iperr := netip.ParseAddr(text); iperr == nil {
			p, err = netip.PrefixFrom(ip, ip.BitLen()), nil
		}
		if err != nil {
			must.Fail(command.Usagef("--trust-proxy must be an address or a network such as 10.0.0.0/8, not %q", term.Line(text)))
		}
		out = append(out, p.Masked())
	}
	return out
}

// providers reads --provider: NAME=CLIENT_ID, with @URL behind it for what is
// neither GitHub nor Google. The secret is in the environment.
func providers(c *command.Call) (out []auth.Provider) {
	for _, text := range c.List("provider") {
		name, id, ok := strings.Cut(strings.TrimSpace(text), "=")
		if !ok {
			must.Fail(command.Usagef("--provider must be NAME=CLIENT_ID such as github=Iv1.0123, not %q", term.Line(text)))
		}
		issuer := ""
		if i := strings.Index(id, "@http"); i >= 0 {
			id, issuer = id[:i], id[i+1:]
		}
		key := "CAIRN_PROVIDER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_SECRET"
		secret := c.Getenv(key)
		if secret == "" {
			must.Fail(command.Usagef("--provider %s needs its client secret in %s", name, key))
		}
		p, err := provider.New(provider.Config{Name: name, ID: id, Secret: secret, URL: issuer})
		must.OK(command.Usage(err))
		out = append(out, p)
	}
	return out
}

// checkIssuers wants the URLs of --ci-issuer to be such that their keys can be trusted.
func checkIssuers(list []string) {
	for _, text := range list {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && u.Hostname() == "127.0.0.1") {
			must.Fail(command.Usagef("--ci-issuer must be https://HOST, not %q", term.Line(text)))
		}
	}
}

// MailFlags say by which mail server sign-in links, alerts and digests are sent.
func MailFlags() []command.Flag {
	return []command.Flag{
		{Name: "smtp-host", Default: "", Help: "mail server for sign-in links, alerts and digests (default: none)"},
		{Name: "smtp-port", Default: 0, Help: "its port (default: 587, 465 or 25, by --smtp-tls)"},
		{Name: "smtp-user", Default: "", Help: "user of the mail server; CAIRN_SMTP_PASSWORD is the password"},
		{Name: "smtp-from", Default: "", Help: "sender, such as cairn@example.com"},
		{Name: "smtp-tls", Default: string(mail.StartTLS), OneOf: []string{"starttls", "tls", "none"}, Help: "starttls, tls, or none for a server on this machine"},
	}
}

// Mailer returns the mailer that the flags ask for and what ends it; nil where no
// mail is sent.
func Mailer(c *command.Call, log *slog.Logger) (m *mail.Mailer, end func(), err error) {
	end = func() {}
	if c.String("smtp-host") == "" {
		return nil, end, nil
	}
	m, err = mail.New(mail.Config{
		Host: c.String("smtp-host"), Port: c.Int("smtp-port"), User: c.String("smtp-user"), Password: c.Getenv("CAIRN_SMTP_PASSWORD"),
		From: c.String("smtp-from"), TLS: mail.Security(c.String("smtp-tls")), Log: log,
	})
	if err != nil {
		return nil, end, command.Usage(err)
	}
	return m, func() { // mails that are on their way get a moment to go
		ctx, done := context.WithTimeout(context.Background(), 5*time.Second)
		defer done()
		m.Close(ctx)
	}, nil
}
