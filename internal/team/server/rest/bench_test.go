package rest

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/server/access"
	"cairn/test/dbtest"
)

// everyone is a store of sessions in which one is over.
type everyone struct{ over uuid.UUID }

func (e everyone) SessionAlive(_ context.Context, id uuid.UUID) (bool, error) {
	return id != e.over, nil
}
func (e everyone) CIToken(context.Context, string) (db.Identity, error) {
	return db.Identity{}, db.ErrToken
}

var ada, over = uuid.MustParse("00000000-0000-4000-8000-00000000000a"), uuid.MustParse("00000000-0000-4000-8000-0000000000ff")

type bench struct {
	*handler
	team uuid.UUID // of which Ada is an owner
	keys *access.Keys
	log  *strings.Builder
}

func newBench(t *testing.T) *bench {
	t.Helper()
	d, err := db.Open(context.Background(), filepath.Join(t.TempDir(), "cairn.db"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if _, err := d.Migrate(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	keys, err := access.NewKeys([]byte(strings.Repeat("k", access.MinSecret)), "http://127.0.0.1/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{team: dbtest.Team(t, d, "acme"), keys: keys, log: &strings.Builder{}}
	dbtest.Exec(t, d, `insert into auth.users (id, email) values (?, 'ada@example.com')`, ada)
	dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, b.team, ada)
	b.handler = &handler{db: d, access: &access.Access{Keys: keys, Store: everyone{over}}, log: slog.New(slog.NewTextHandler(b.log, nil)), room: newRoom()}
	return b
}

// token is Ada's in a session.
func (b *bench) token(t *testing.T, session uuid.UUID) string {
	t.Helper()
	token, _, err := b.keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: ada.String()}, Role: "authenticated", SessionID: session.String()})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// ask sends a request as Ada. Headers are "Name: value".
func (b *bench) ask(t *testing.T, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+b.token(t, uuid.New()))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	return w
}
