package auth

import (
	"errors"
	"net"
	"net/http"
	"net/netip"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
)

// bearer returns who the bearer token is of. The apikey header proves nobody here.
func (s *server) bearer(r *http.Request) (db.Identity, *access.Claims, error) {
	if access.Bearer(r) == "" {
		return db.Identity{}, nil, failure{status: 401, code: "no_authorization", message: "This endpoint requires a valid Bearer token"}
	}
	as, c, err := s.Access.Identify(r)
	switch {
	case errors.Is(err, db.ErrFactor):
		return as, c, err
	case errors.Is(err, access.ErrExpired):
		return as, nil, badJWT("invalid JWT: unable to parse or verify signature, token has invalid claims: token is expired")
	case errors.Is(err, db.ErrToken), errors.Is(err, access.ErrRole):
		return as, nil, badJWT("invalid JWT: unable to parse or verify signature, token signature is invalid")
	case errors.Is(err, db.ErrSession):
		return as, nil, s.gone(r, c)
	}
	return as, c, err
}

func badJWT(message string) failure {
	return failure{status: 403, code: "bad_jwt", message: message}
}

// gone tells a session that is over from a user that is gone.
func (s *server) gone(r *http.Request, c *access.Claims) error {
	id, err := c.User()
	if err != nil {
		return badJWT("invalid claim: sub claim must be a UUID")
	}
	_, err = s.accounts.User(r.Context(), id)
	switch {
	case errors.Is(err, account.ErrNotFound):
		return failure{status: 403, code: "user_not_found", message: "User from sub claim in JWT does not exist"}
	case err != nil:
		return err
	}
	return failure{status: 403, code: "session_not_found", message: "Session from session_id claim in JWT does not exist"}
}

// person returns the user that the bearer token is of, and the session.
func (s *server) person(r *http.Request) (account.User, uuid.UUID, error) {
	as, c, err := s.bearer(r)
	return s.personOf(r, as, c, err)
}

// halfway is person also for a session that has not shown its second factor.
func (s *server) halfway(r *http.Request) (account.User, uuid.UUID, error) {
	as, c, err := s.bearer(r)
	if errors.Is(err, db.ErrFactor) {
		err = nil
	}
	return s.personOf(r, as, c, err)
}

func (s *server) personOf(r *http.Request, as db.Identity, c *access.Claims, err error) (account.User, uuid.UUID, error) {
	switch {
	case err != nil:
		return account.User{}, uuid.Nil, err
	case c == nil || as.Role != db.Authenticated:
		return account.User{}, uuid.Nil, badJWT("invalid claim: missing sub claim")
	}
	u, err := s.accounts.User(r.Context(), as.User)
	if errors.Is(err, account.ErrNotFound) {
		err = failure{status: 403, code: "user_not_found", message: "User from sub claim in JWT does not exist"}
	}
	return u, as.Session, err
}

// admin is nil for the service key.
func (s *server) admin(r *http.Request) error {
	as, _, err := s.bearer(r)
	if err == nil && as.Role != db.Service {
		err = failure{status: 403, code: "not_admin", message: "User not allowed"}
	}
	return err
}

// ip returns from where a request is.
func (s *server) ip(r *http.Request) netip.Addr {
	if s.ClientIP != nil {
		return s.ClientIP(r)
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	ip, _ := netip.ParseAddr(host) // the zero one where there is none
	return ip.Unmap()
}
