package servecmd

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/local"
	"cairn/internal/team/server"
	"cairn/internal/team/wire"
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
	place, err := find(c)
	if err != nil {
		return nil, err
	}
	if place.Connections = c.Int("database-connections"); place.Connections == 1 {
		return nil, command.Usagef("--database-connections must be at least 2")
	}
	conf, err := configOf(c, place)
	if err != nil {
		return nil, err
	}
	if err := conf.Check(); err != nil { // before anything is made
		return nil, Explain(err, place)
	}
	mailer, end, err := Mailer(c, conf.Log)
	if err != nil {
		return nil, err
	}
	defer end()
	if mailer != nil {
		conf.Mailer, conf.NoticeMailer = mailer, mailer
	}
	if c.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(softMemory))
	}
	return nil, run(c, conf, place)
}

// run serves until the process is told to stop.
func run(c *command.Call, conf server.Config, place server.Place) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, end := context.WithCancel(ctx)
	defer end()
	conf.Own = server.Own{Token: local.NewToken(), Stop: end}
	var err error
	if conf.Store, err = server.Open(ctx, place, !c.Bool("no-migrate")); err != nil {
		return Explain(err, place)
	}
	defer conf.Store.Close()
	s, err := server.New(ctx, conf)
	if err != nil {
		return Explain(err, place)
	}
	fmt.Fprintf(c.Stderr, "cairn serves %s\n", s.URL())
	gone, err := writeDown(c.Bool("background"), s, conf, place)
	if err != nil {
		return err
	}
	defer gone()
	if !c.Bool("background") { // who started it claims it
		if err := sayClaim(ctx, c.Stderr, conf.Store, s.URL()); err != nil {
			return err
		}
	}
	defer reloadOnHangup(s, conf.Log)()
	server.Notify(c.Getenv, "READY=1")
	go func() {
		<-ctx.Done()
		stop() // the next signal ends the process at once
		server.Notify(c.Getenv, "STOPPING=1")
	}()
	return s.Run(ctx)
}

// writeDown says in the data directory which process serves it, until gone is
// called. Without that file cairn up and cairn down do not know the process; who
// reads and signs in is served all the same, by one that starts on a full disk.
func writeDown(background bool, s *server.Server, conf server.Config, place server.Place) (gone func(), err error) {
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
		Background: background, Cairn: conf.Version, Binary: binary, Token: conf.Own.Token,
	}
	if err := local.Begun(place.Dir, state); err != nil {
		if background { // cairn up waits for the file
			return nil, err
		}
		conf.Log.Warn("it cannot be written down that the server runs: cairn up and cairn down do not know it", "error", err)
		return func() {}, nil
	}
	return func() {
		if err := local.Ended(place.Dir); err != nil {
			conf.Log.Warn("it cannot be written down that the server ended", "error", err)
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
