package auth

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

// token gives a session for a password, a refresh token or a PKCE code.
func (s *server) token(w http.ResponseWriter, r *http.Request) {
	var err error
	if err = s.limits.take(anyRequest, s.network(r)); err != nil {
		s.fail(w, r, err)
		return
	}
	var out any
	switch r.URL.Query().Get("grant_type") {
	case "password":
		out, err = s.byPassword(w, r)
	case "refresh_token":
		out, err = s.byRefresh(w, r)
	case "pkce":
		out, err = s.byPKCE(w, r)
	default:
		err = failure{status: 400, code: "invalid_credentials", message: "unsupported_grant_type"}
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, out)
}

// A passwordSession says also whether the password is weak now; null is that it is not.
type passwordSession struct {
	wire.Session
	WeakPassword *weakness `json:"weak_password"`
}

func (s *server) byPassword(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Email    string `json:"email"`
		Password string `json:"password"`
		Phone    string `json:"phone"`
	}
	if err := read(w, r, &q); err != nil {
		return nil, err
	}
	switch {
	case q.Phone != "":
		return nil, failure{status: 400, code: "phone_provider_disabled", message: "Phone logins are disabled"}
	case q.Email == "":
		return nil, failure{status: 400, code: "validation_failed", message: "missing email or phone"}
	}
	u, err := s.checkPassword(r, q.Email, q.Password)
	if err != nil {
		return nil, err
	}
	made, err := s.begin(r, u.ID, "password")
	return passwordSession{Session: made}, err
}

// checkPassword returns the user of an address and password. Wrong ones are
// counted for the stranger's address and the mail address together.
func (s *server) checkPassword(r *http.Request, email, password string) (u account.User, err error) {
	err = s.hashed(r, func() error {
		return s.guess(r, email, func() (err error) {
			u, err = s.accounts.SignIn(r.Context(), email, password)
			return err
		})
	})
	return u, err
}

func (s *server) byRefresh(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		RefreshToken string `json:"refresh_token"`
	}
	if err := read(w, r, &q); err != nil {
		return nil, err
	}
	if !account.IsRefreshToken(q.RefreshToken) {
		return nil, failure{status: 400, code: "validation_failed", message: "Refresh token is not valid"}
	}
	next, err := s.accounts.Refresh(r.Context(), q.RefreshToken)
	if err != nil {
		return nil, err
	}
	return s.session(r, next.User, next.Session, next.Token)
}

// guess tries a password or code of a user if the stranger's address may try
// another one, and counts it if it is wrong.
func (s *server) guess(r *http.Request, email string, try func() error) error {
	from := s.network(r)
	one, wrong := from+mailKey(email), false
	if err := s.limits.start(guessing, one); err != nil {
		return err
	}
	defer func() { s.limits.end(guessing, one, wrong) }()
	if err := s.limits.start(spraying, from); err != nil {
		return err
	}
	defer func() { s.limits.end(spraying, from, wrong) }()
	err := try()
	wrong = errors.Is(err, account.ErrPassword) || errors.Is(err, account.ErrToken) || errors.Is(err, account.ErrCode)
	if wrong && s.limits.take(noting, one) == nil && s.limits.take(notingAll, "") == nil {
		if err := s.accounts.Refused(r.Context(), email); err != nil {
			s.Log.Warn("the audit log lacks a sign-in that failed", "error", err)
		}
	}
	return err
}

// mailKey is a mail address as part of a limit's key: a hash, since a stranger
// chooses how long it is.
func mailKey(email string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(strings.TrimSpace(email))))
	return string(sum[:])
}

// byPKCE exchanges the code of a sign-in in a browser, for who began it.
func (s *server) byPKCE(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Code     string `json:"auth_code"`
		Verifier string `json:"code_verifier"`
	}
	if err := read(w, r, &q); err != nil {
		return nil, err
	}
	if q.Code == "" || q.Verifier == "" {
		return nil, failure{status: 400, code: "validation_failed", message: "invalid request: both auth code and code verifier should be non-empty"}
	}
	f, err := s.accounts.TakeCode(r.Context(), q.Code, q.Verifier)
	switch {
	case errors.Is(err, account.ErrToken):
		return nil, failure{status: 404, code: "flow_state_not_found", message: "invalid flow state, no valid flow state found"}
	case errors.Is(err, account.ErrVerifier):
		return nil, failure{status: 400, code: "bad_code_verifier", message: "code challenge does not match previously saved code verifier"}
	case err != nil:
		return nil, err
	}
	return s.beginFlow(r, f)
}
