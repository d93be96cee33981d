package auth

import (
	"net/http"
)

// settings says which ways to sign in there are.
func (s *server) settings(w http.ResponseWriter, r *http.Request) {
	external := map[string]bool{}
	for _, name := range []string{"anonymous_users", "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab",
		"google", "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch", "twitter", "phone", "zoom"} {
		external[name] = false
	}
	external["email"] = true
	for _, p := range s.Providers {
		external[p.Name()] = true
	}
	answer(w, http.StatusOK, map[string]any{
		"external": external, "disable_signup": !s.Signup, "mailer_autoconfirm": s.Mailer == nil, "phone_autoconfirm": false,
		"sms_provider": "", "saml_enabled": false, "saml_private_key_next_configured": false, "passkeys_enabled": false,
	})
}

func (s *server) health(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]string{"version": "", "name": "cairn", "description": "sign-in of cairn's team server, in the protocol of GoTrue"})
}

// jwks has no key: tokens are signed with a secret that only the server has.
func (s *server) jwks(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=600")
	answer(w, http.StatusOK, map[string][]string{"keys": {}})
}
