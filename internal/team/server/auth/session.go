package auth

import (
	"encoding/json"
	"errors"
	"net/http"
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
func (s *server) logout(w http.ResponseWriter, r *http.Request) {
	u, session, err := s.halfway(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	scope := account.Scope(r.URL.Query().Get("scope"))
	switch scope {
	case "":
		scope = account.Global
	case account.Global, account.Local, account.Others:
	default:
		s.fail(w, r, failure{status: 400, code: "validation_failed", message: "Unsupported logout scope: global, local and others are there"})
		return
	}
	if session == uuid.Nil && scope != account.Global {
		err = errors.New("the token has no session")
	} else {
		err = s.accounts.End(r.Context(), u.ID, session, scope)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
