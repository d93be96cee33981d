package servecmd

import (
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"

	"cairn/internal/command"
	"cairn/internal/team/server"
	"cairn/internal/team/server/auth"
	"cairn/internal/team/server/auth/provider"
	"cairn/internal/term"
	"cairn/internal/version"
)

// configOf is what the flags and the environment say of a server.
func configOf(c *command.Call, place server.Place) (conf server.Config, err error) {
	conf = server.Config{
		Version: version.Full(), Listen: c.String("listen"), URL: c.String("url"), Insecure: c.Bool("insecure"),
		TLS:    server.TLS{Cert: c.Path(c.String("tls-cert")), Key: c.Path(c.String("tls-key")), Host: c.String("autocert"), Dir: place.Certificates()},
		Signup: c.Bool("signup"), RedirectAllow: c.List("redirect-allow"), SignupDomains: c.List("signup-domain"), Issuers: c.List("ci-issuer"),
		JWTSecret: []byte(c.Getenv("CAIRN_JWT_SECRET")), MetricsToken: c.Getenv("CAIRN_METRICS_TOKEN"),
		RetainMonths: c.Int("retain-months"), AuditDays: c.Int("audit-days"), Litestream: c.Getenv("LITESTREAM") != "",
		AllowPrivateWebhooks: c.Bool("allow-private-webhooks"),
	}
	if conf.Quotas, err = quotas(c, "team-"); err != nil {
		return conf, err
	}
	if c.Bool("background") { // of this machine's own user
		conf.Quotas = noQuotas()
	}
	if conf.Log, err = logTo(c.Stderr, c.String("log-format"), c.String("log-level")); err != nil {
		return conf, err
	}
	if conf.Proxies, err = networks(c.List("trust-proxy")); err != nil {
		return conf, err
	}
	if conf.Providers, err = providers(c); err != nil {
		return conf, err
	}
	if conf.AuditDays > 36500 {
		return conf, command.Usagef("--audit-days must be between 1 and 36500, not %d", conf.AuditDays)
	}
	return conf, checkIssuers(conf.Issuers)
}

func logTo(w io.Writer, format, level string) (*slog.Logger, error) {
	var at slog.Level
	if err := at.UnmarshalText([]byte(level)); err != nil {
		return nil, command.Usagef("--log-level must be debug, info, warn or error, not %q", term.Line(level))
	}
	o := &slog.HandlerOptions{Level: at}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, o)), nil
	}
	return slog.New(slog.NewTextHandler(w, o)), nil
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
			return nil, command.Usagef("--trust-proxy must be an address or a network such as 10.0.0.0/8, not %q", term.Line(text))
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

// providers reads --provider: NAME=CLIENT_ID, with @URL behind it for what is
// neither GitHub nor Google. The secret is in the environment.
func providers(c *command.Call) (out []auth.Provider, err error) {
	for _, text := range c.List("provider") {
		name, id, ok := strings.Cut(strings.TrimSpace(text), "=")
		if !ok {
			return nil, command.Usagef("--provider must be NAME=CLIENT_ID such as github=Iv1.0123, not %q", term.Line(text))
		}
		issuer := ""
		if i := strings.Index(id, "@http"); i >= 0 {
			id, issuer = id[:i], id[i+1:]
		}
		key := "CAIRN_PROVIDER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_SECRET"
		secret := c.Getenv(key)
		if secret == "" {
			return nil, command.Usagef("--provider %s needs its client secret in %s", name, key)
		}
		p, err := provider.New(provider.Config{Name: name, ID: id, Secret: secret, URL: issuer})
		if err != nil {
			return nil, command.Usage(err)
		}
		out = append(out, p)
	}
	return out, nil
}

// checkIssuers wants the URLs of --ci-issuer to be such that their keys can be trusted.
func checkIssuers(list []string) error {
	for _, text := range list {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && u.Hostname() == "127.0.0.1") {
			return command.Usagef("--ci-issuer must be https://HOST, not %q", term.Line(text))
		}
	}
	return nil
}
