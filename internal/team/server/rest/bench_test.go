package rest

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/access"
)

// fakeRows answers with what a test gives it, and keeps what it was asked.
type fakeRows struct {
	got    rows.Answer
	value  string
	err    error
	as     db.Identity
	write  *postgrest.Write
	query  *postgrest.Query
	counts bool
	args   map[string]jsontext.Value
}

func (f *fakeRows) Select(_ context.Context, _ *db.Tx, as db.Identity, q *postgrest.Query, count bool) (*rows.Answer, error) {
	f.as, f.query, f.counts = as, q, count
	return &f.got, f.err
}
func (f *fakeRows) Insert(_ context.Context, _ *db.Tx, as db.Identity, w *postgrest.Write, _ bool) (*rows.Answer, error) {
	f.as, f.write = as, w
	return &f.got, f.err
}
func (f *fakeRows) Update(_ context.Context, _ *db.Tx, as db.Identity, w *postgrest.Write, _ bool) (*rows.Answer, error) {
	f.as, f.write = as, w
	return &f.got, f.err
}
func (f *fakeRows) Delete(_ context.Context, _ *db.Tx, as db.Identity, q *postgrest.Query, _ bool) (*rows.Answer, error) {
	f.as, f.query = as, q
	return &f.got, f.err
}
func (f *fakeRows) Call(_ context.Context, _ *db.Tx, as db.Identity, _ string, args map[string]jsontext.Value) (jsontext.Value, error) {
	f.as, f.args = as, args
	if f.value == "" {
		return nil, f.err
	}
	return jsontext.Value(f.value), f.err
}

func (f *fakeRows) Push(ctx context.Context, _ *db.DB, as db.Identity, name string, args map[string]jsontext.Value) (jsontext.Value, error) {
	return f.Call(ctx, nil, as, name, args)
}

// everyone is a store of sessions in which one is over.
type everyone struct{ over uuid.UUID }

func (e everyone) SessionAlive(_ context.Context, id uuid.UUID) (bool, error) {
	return id != e.over, nil
}
func (e everyone) CIToken(context.Context, string) (db.Identity, error) {
	return db.Identity{}, access.ErrInvalid
}

var ada, over = uuid.MustParse("00000000-0000-4000-8000-00000000000a"), uuid.MustParse("00000000-0000-4000-8000-0000000000ff")

type bench struct {
	*handler
	fake *fakeRows
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
	if _, err := d.Migrate(context.Background(), false); err != nil { // whose update it is, is a row
		t.Fatal(err)
	}
	keys, err := access.NewKeys([]byte(strings.Repeat("k", access.MinSecret)), "http://127.0.0.1/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{fake: &fakeRows{got: rows.Answer{Total: -1}}, keys: keys, log: &strings.Builder{}}
	b.handler = &handler{db: d, access: &access.Access{Keys: keys, Store: everyone{over}}, log: slog.New(slog.NewTextHandler(b.log, nil)), rows: b.fake, functions: functions()}
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

func objects(texts ...string) []jsontext.Value {
	var list []jsontext.Value
	for _, text := range texts {
		list = append(list, jsontext.Value(text))
	}
	return list
}
