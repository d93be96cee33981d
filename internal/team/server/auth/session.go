package auth

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
)

// begin signs a user in. method is how: password, otp, oauth, invite.
func (s *server) begin(r *http.Request, user uuid.UUID, method string) (wire.Session, error) {
	return s.beginFlow(r, account.Flow{User: user, Method: method})
}

// beginFlow signs in whoever a flow says has signed in, and how.
func (s *server) beginFlow(r *http.Request, f account.Flow) (wire.Session, error) {
	user := f.User
	made, refresh, err := s.accounts.Begin(r.Context(), account.Session{User: user, Method: f.Method, SecondFactor: f.SecondFactor, UserAgent: r.UserAgent(), IP: s.ip(r).String()})
	if err != nil {
		return wire.Session{}, err
	}
	u, err := s.accounts.User(r.Context(), user)
	if err != nil {
		return wire.Session{}, err
	}
	return s.session(r, u, made, refresh)
}

// session is the answer to whoever has signed in or refreshed.
func (s *server) session(r *http.Request, u account.User, of account.Session, refresh string) (wire.Session, error) {
	aal, amr := "aal1", []access.Method{{Method: of.Method, Timestamp: of.Created.Unix()}}
	if !of.SecondFactor.IsZero() {
		aal, amr = "aal2", append([]access.Method{{Method: "totp", Timestamp: of.SecondFactor.Unix()}}, amr...)
	}
	token, expires, err := s.Access.Keys.Sign(access.Claims{
		RegisteredClaims: jwt.RegisteredClaims{Subject: u.ID.String()}, Email: u.Email, Role: string(db.Authenticated), AAL: aal,
		AppMetadata: json.RawMessage(object(u.App)), UserMetadata: json.RawMessage(object(u.Data)),
		AMR: amr, SessionID: of.ID.String(),
	})
	if err != nil {
		return wire.Session{}, err
	}
	shown, err := s.shown(r, u)
	return wire.Session{AccessToken: token, TokenType: "bearer", ExpiresIn: int(access.TokenLife.Seconds()), ExpiresAt: expires.Unix(),
		RefreshToken: refresh, User: shown}, err
}

// shown is a user with its identities as the API has it.
func (s *server) shown(r *http.Request, u account.User) (wire.User, error) {
	ids, err := s.accounts.Identities(r.Context(), u.ID)
	out := bare(u)
	for _, i := range ids {
		out.Identities = append(out.Identities, wire.Identity{IdentityID: i.ID.String(), ID: i.ProviderID, UserID: i.User.String(), IdentityData: object(i.Data),
			Provider: i.Provider, LastSignInAt: stamp(i.LastSignIn), CreatedAt: stamp(i.Created), UpdatedAt: stamp(i.Updated), Email: i.Email})
	}
	if err == nil {
		var list []account.Factor
		list, err = s.accounts.Factors(r.Context(), u.ID)
		out.Factors = factors(list)
	}
	return out, err
}

// bare is a user without identities, as lists have it.
func bare(u account.User) wire.User {
	return wire.User{ID: u.ID.String(), Aud: string(db.Authenticated), Role: string(db.Authenticated), Email: u.Email,
		EmailConfirmedAt: stamp(u.Confirmed), ConfirmedAt: stamp(u.Confirmed), InvitedAt: stamp(u.Invited), ConfirmationSentAt: stamp(u.Confirmation),
		RecoverySentAt: stamp(u.Recovery), LastSignInAt: stamp(u.LastSignIn), BannedUntil: stamp(u.BannedUntil),
		AppMetadata: object(u.App), UserMetadata: object(u.Data), CreatedAt: stamp(u.Created), UpdatedAt: stamp(u.Updated)}
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999Z")
}

func object(m map[string]any) jsontext.Value {
	data, err := jsonv2.Marshal(m, jsonv2.Deterministic(true))
	if err != nil || m == nil {
		return jsontext.Value("{}")
	}
	return data
}

// logout ends sessions: ?scope=global, local or others.
func (s *server) logout(w http.ResponseWriter, r *http.Request) (any, error) {
	u, session, err := s.halfway(r)
	if err != nil {
		return nil, err
	}
	scope := account.Scope(r.URL.Query().Get("scope"))
	switch scope {
	case "":
		scope = account.Global
	case account.Global, account.Local, account.Others:
	default:
		return nil, failure{status: 400, code: "validation_failed", message: "Unsupported logout scope: global, local and others are there"}
	}
	if session == uuid.Nil && scope != account.Global {
		return nil, errors.New("the token has no session")
	}
	if err := s.accounts.End(r.Context(), u.ID, session, scope); err != nil {
		return nil, err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil, nil
}

// token gives a session for a password, a refresh token or a PKCE code.
func (s *server) token(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.limits.take(anyRequest, s.network(r)); err != nil {
		return nil, err
	}
	switch r.URL.Query().Get("grant_type") {
	case "password":
		return s.byPassword(w, r)
	case "refresh_token":
		return s.byRefresh(w, r)
	case "pkce":
		return s.byPKCE(w, r)
	}
	return nil, failure{status: 400, code: "invalid_credentials", message: "unsupported_grant_type"}
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
