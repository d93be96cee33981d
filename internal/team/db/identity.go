package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"

	"github.com/google/uuid"
)

// A Role is what a transaction may do. The first three are Supabase's.
type Role string

const (
	Anon          Role = "anon"
	Authenticated Role = "authenticated"
	Service       Role = "service_role"
	// Server is the server itself: sign-in, tokens of CI, jobs. No request has this role.
	Server Role = "cairn_server"
)

// An Identity is on whose behalf a transaction runs.
type Identity struct {
	Role    Role
	User    uuid.UUID
	Session uuid.UUID
	// Claims of the access token, a JSON object: PostgreSQL's policies read them.
	Claims []byte
	// Team, Repo and Scopes narrow down what a token of CI may do: its team, its
	// repository ("" is every one). The zero team is a person's token: no limit.
	// PostgreSQL's policies know the team and the repository, too.
	Team   uuid.UUID
	Repo   string
	Scopes []string
	Token  uuid.UUID // the token's id
}

// ServerItself is the identity of the server's own work.
var ServerItself = Identity{Role: Server}

// Why somebody has no identity. What keeps sessions and tokens returns them, and
// so does what reads a request; they are answered with 401.
var (
	ErrToken   = errors.New("JWT is not valid")
	ErrSession = errors.New("the session is over") // signed out, or its refresh token was used twice
	// ErrFactor is an ErrSession: the user has a second factor that it has not shown.
	ErrFactor error = unproven{}
)

type unproven struct{}

func (unproven) Error() string { return "the second factor is missing: sign in with its code" }
func (unproven) Unwrap() error { return ErrSession }

// become makes the transaction run as somebody. SQLite has no roles: there the
// predicate of db/rows is what separates teams.
func (t *Tx) become(ctx context.Context, as Identity) error {
	if t.dialect != PostgreSQL {
		return nil
	}
	if as.Role == Server && t.project {
		as.Role = "none" // the connection's own user: the tables are its
	}
	query := `select set_config('role', ?, true), set_config('request.jwt.claims', ?, true), set_config('jit', 'off', true),
		set_config('cairn.team', ?, true), set_config('cairn.repo', ?, true), set_config('cairn.origin', ?, true)`
	team := ""
	if as.Team != uuid.Nil {
		team = as.Team.String()
	}
	args := []any{string(as.Role), string(as.Claims), team, as.Repo, origin(ctx, as).setting()}
	if t.pooled > 0 {
		query += `, set_config('timezone', 'UTC', true), set_config('statement_timeout', ?, true)`
		args = append(args, strconv.FormatInt(t.pooled.Milliseconds(), 10))
	}
	return t.Do(ctx, query, args...)
}

// Known makes a user of another server's in a copy of its rows, or changes the
// address; nobody can sign in as them.
func (d *DB) Known(ctx context.Context, user uuid.UUID, email string) error {
	return d.Do(ctx, `insert into auth.users (id, email) values (?, ?) on conflict (id) do update set email = excluded.email`, user, email)
}

// Hashed is what a token is kept as: its SHA-256 in hex.
func Hashed(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
