package access

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// pageRole is the role in a browser's token: no request to an API may have it,
// so that a cookie is worth nothing as a bearer token.
const pageRole = "page"

// SignPage makes the token that a browser keeps, valid as long as its session.
func (k *Keys) SignPage(user, session uuid.UUID, email string, until time.Time) (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodHS256, Claims{
		RegisteredClaims: jwt.RegisteredClaims{Issuer: k.issuer, Subject: user.String(), IssuedAt: jwt.NewNumericDate(k.now()), ExpiresAt: jwt.NewNumericDate(until)},
		Audience:         pageRole, Role: pageRole, Email: email, SessionID: session.String(),
	}).SignedString(k.held.ring.Load().Secret)
}

// Page returns who a browser's token is of, and their address. The identity is
// that of any signed-in person: policies of the database go by its claims.
func (a *Access) Page(r *http.Request, token string) (db.Identity, string, error) {
	c, _, err := a.Keys.Verify(token)
	if err != nil {
		return db.Identity{}, "", err
	}
	user, errUser := c.User()
	session, errSession := uuid.Parse(c.SessionID)
	if c.Role != pageRole || c.Audience != pageRole || errUser != nil || errSession != nil {
		return db.Identity{}, "", db.ErrToken
	}
	switch alive, err := a.Store.SessionAlive(r.Context(), session); {
	case err != nil:
		return db.Identity{}, "", err
	case !alive:
		return db.Identity{}, "", db.ErrSession
	}
	claims, err := json.Marshal(map[string]string{"sub": user.String(), "role": string(db.Authenticated), "session_id": session.String()})
	as := db.Identity{Role: db.Authenticated, User: user, Session: session, Claims: claims}
	db.OriginOf(r.Context()).Is(as)
	return as, c.Email, err
}
