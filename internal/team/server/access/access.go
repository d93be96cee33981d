package access

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// Access recognizes who a request is from.
type Access struct {
	Keys  *Keys
	Store Store
}

// A Store knows sessions and tokens of CI; db/account is one.
type Store interface {
	// SessionAlive says whether a session is there and not over; db.ErrFactor.
	SessionAlive(ctx context.Context, session uuid.UUID) (bool, error)
	// CIToken returns the identity that a token of CI acts as, db.ErrToken when it
	// is unknown, expired or revoked.
	CIToken(ctx context.Context, token string) (db.Identity, error)
}

// ErrRole is a further error of Identify, answered with 401 as those of package db are.
var ErrRole = errors.New("the token has a role that no request may have")

// Identify returns who a request is from: by the bearer token, or by the apikey
// header where there is none. Without both it is a stranger, role anon, and the
// error is nil. With db.ErrFactor the identity is known and may do nothing yet. Claims are nil for strangers, the service key and tokens of CI.
func (a *Access) Identify(r *http.Request) (db.Identity, *Claims, error) {
	token := Bearer(r)
	if token == "" {
		token = r.Header.Get("apikey")
	}
	if token == "" {
		return db.Identity{Role: db.Anon}, nil, nil
	}
	if strings.HasPrefix(token, wire.TokenPrefix) {
		as, err := a.Store.CIToken(r.Context(), token)
		db.OriginOf(r.Context()).Is(as)
		return as, nil, err
	}
	c, raw, err := a.Keys.Verify(token)
	if err != nil {
		return db.Identity{}, nil, err
	}
	as := db.Identity{Role: db.Role(c.Role), Claims: raw}
	switch as.Role {
	case db.Anon, db.Service:
		db.OriginOf(r.Context()).Is(as)
		return as, nil, nil
	case db.Authenticated:
	default:
		return db.Identity{}, nil, ErrRole
	}
	if as.User, err = c.User(); err != nil {
		return db.Identity{}, nil, db.ErrToken
	}
	if c.SessionID != "" {
		if as.Session, err = uuid.Parse(c.SessionID); err != nil {
			return db.Identity{}, nil, db.ErrToken
		}
		switch alive, err := a.Store.SessionAlive(r.Context(), as.Session); {
		case errors.Is(err, db.ErrFactor): // the API of sign-in lets it show the factor
			return as, c, err
		case err != nil:
			return db.Identity{}, nil, err
		case !alive:
			return db.Identity{}, c, db.ErrSession
		}
	}
	db.OriginOf(r.Context()).Is(as)
	return as, c, nil
}

// Bearer returns the token of the Authorization header, "" if there is none.
func Bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

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
