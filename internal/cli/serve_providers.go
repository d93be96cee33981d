package cli

import (
	"fmt"
	"strings"

	"cairn/internal/team/server/auth"
	"cairn/internal/team/server/auth/provider"
)

// signInProviders reads --provider: NAME=CLIENT_ID, with @URL behind it for
// what is neither GitHub nor Google. The secret is in the environment.
func signInProviders(env *Env, list []string) (out []auth.Provider, err error) {
	for _, text := range list {
		name, id, ok := strings.Cut(strings.TrimSpace(text), "=")
		if !ok {
			return nil, withKind(errUsage, fmt.Errorf("--provider %q: NAME=CLIENT_ID is wanted, as github=Iv1.0123", text))
		}
		url := ""
		if i := strings.Index(id, "@http"); i >= 0 {
			id, url = id[:i], id[i+1:]
		}
		key := "CAIRN_PROVIDER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_SECRET"
		secret := env.Getenv(key)
		if secret == "" {
			return nil, withKind(errUsage, fmt.Errorf("--provider %s: its client secret is wanted in %s", name, key))
		}
		p, err := provider.New(provider.Config{Name: name, ID: id, Secret: secret, URL: url})
		if err != nil {
			return nil, withKind(errUsage, err)
		}
		out = append(out, p)
	}
	return out, nil
}
