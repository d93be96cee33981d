package auth

import (
	"net/http"
	"net/url"
)

// A Provider is where people may sign in instead: GitHub, Google, any OpenID Connect.
type Provider interface {
	Name() string  // github, as in ?provider=
	Title() string // GitHub, as on a button
}

// provider returns the one of a name, nil if there is none.
func (s *server) provider(name string) Provider {
	for _, p := range s.Providers {
		if p.Name() == name {
			return p
		}
	}
	return nil
}

// authorize sends the browser to a provider.
func (s *server) authorize(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, failure{status: 400, code: "validation_failed", message: "Unsupported provider: provider is not enabled"})
}

// callback is where a provider sends the browser back to.
func (s *server) callback(w http.ResponseWriter, r *http.Request) {
	s.refuseCallback(w, s.redirect(""), failure{code: "bad_oauth_state", message: "OAuth state parameter is invalid"})
}

// refuseCallback sends the browser on with what went wrong.
func (s *server) refuseCallback(w http.ResponseWriter, to *url.URL, f failure) {
	u := withQuery(to, "error", "invalid_request")
	u = withQuery(u, "error_code", f.code)
	away(w, withQuery(u, "error_description", f.message), "")
}
