package auth

import (
	"net/http"
	"strings"
	"time"

	"cairn/internal/team/wire"
)

// retryProvider is after how long one asks again whether a provider is there.
const retryProvider = 10 * time.Second

// stateLetters is the fewest letters of a state that can be ours.
const stateLetters = 16

// isState says whether a text can be a state: small letters and digits.
func isState(state string) bool {
	return len(state) >= stateLetters && len(state) <= 100 && strings.Trim(state, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// cookie ties a state to a browser for some seconds, -1 to forget it. Each
// sign-in has one of its own, so that two tabs do not get in each other's way.
func (s *server) cookie(state string, seconds int) *http.Cookie {
	c := &http.Cookie{Name: "cairn-state-" + state[:8], Value: state, Path: wire.Auth + "callback", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if strings.HasPrefix(s.SiteURL, "https://") {
		c.Name, c.Path, c.Secure = "__Host-"+c.Name, "/", true // no other host of the domain can set it
	}
	return c
}

// word keeps of a provider's error what can be one of RFC 6749's.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, s[:min(len(s), 40)])
	if s == "" {
		return "error"
	}
	return s
}

// explained says on a page why a sign-in at a provider failed. Only the code is
// taken from the address: anybody can write a link with any text in it.
func explained(code string) string {
	switch code {
	case "provider_email_needs_verification":
		return "The provider does not say that your e-mail address is verified. Verify it there, then begin again on your machine."
	case "signup_disabled":
		return "There is no account for your e-mail address here. Ask an admin of the team for an invitation."
	case "user_banned":
		return "Your account is banned. Ask an admin of the team."
	case "bad_oauth_state":
		return "The sign-in took too long or began in another browser. Begin again on your machine."
	case "bad_oauth_callback":
		return "The provider did not let you in. Begin again on your machine."
	}
	return "The provider could not be asked who you are. Begin again on your machine in a minute."
}
