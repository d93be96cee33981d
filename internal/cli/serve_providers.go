package cli

import (
	"net/url"
	"strings"

	"cairn/internal/command"
	"cairn/internal/team/server/auth"
	"cairn/internal/team/server/auth/provider"
)

// signInProviders reads --provider: NAME=CLIENT_ID, with @URL behind it for
// what is neither GitHub nor Google. The secret is in the environment.
func signInProviders(env *Env, list []string) (out []auth.Provider, err error) {
	for _, text := range list {
		name, id, ok := strings.Cut(strings.TrimSpace(text), "=")
		if !ok {
			return nil, command.Usagef("--provider %q: NAME=CLIENT_ID is wanted, as github=Iv1.0123", text)
		}
		issuer := ""
		if i := strings.Index(id, "@http"); i >= 0 {
			id, issuer = id[:i], id[i+1:]
		}
		key := "CAIRN_PROVIDER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_SECRET"
		secret := env.Getenv(key)
		if secret == "" {
			return nil, command.Usagef("--provider %s: its client secret is wanted in %s", name, key)
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
			return command.Usagef("--ci-issuer %q: https://HOST is wanted", text)
		}
	}
	return nil
}
