package auth

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
	"cairn/test/browsertest"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) {
	os.Exit(pgtest.Main(func() int { return browsertest.Main(m) }))
}

// A site is a server of this package with its keys, a clock that the test
// moves, and the mails that it sent.
type site struct {
	t        *testing.T
	handler  http.Handler
	accounts *account.Accounts
	db       *db.DB
	secret   []byte
	keys     *access.Keys
	anon     string
	service  string
	config   Config

	settle func() // waits for what is done after answers

	mu    sync.Mutex
	ahead time.Duration
	used  string // the code that totp gave last
	mails []mail
}

type mail struct{ to, subject, text, html string }

func (s *site) Send(_ context.Context, to, subject, text, html string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, mail{to, subject, text, html})
	return nil
}

// noCI is a store without tokens of CI.
type noCI struct{ *account.Accounts }

func (noCI) CIToken(context.Context, string) (db.Identity, error) {
	return db.Identity{}, db.ErrToken
}

func (s *site) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.ahead)
}

func (s *site) pass(d time.Duration) { s.mu.Lock(); defer s.mu.Unlock(); s.ahead += d }

// each runs a test on both databases; change may alter the server's settings.
func each(t *testing.T, change func(*Config), test func(*testing.T, *site)) {
	dbtest.EachURL(t, func(t *testing.T, url string) { test(t, newSite(t, url, change)) })
}

// newSite serves a database, which is migrated where it is not yet.
func newSite(t *testing.T, url string, change func(*Config)) *site {
	d := dbtest.Open(t, url)
	if _, err := d.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, db: d, accounts: account.New(d), secret: bytes.Repeat([]byte("s"), 32)}
	var err error
	s.accounts.SetClock(s.now)
	s.accounts.SetCost(bcrypt.MinCost)
	if s.keys, err = access.NewKeys(s.secret, "http://team.test/auth/v1"); err != nil {
		t.Fatal(err)
	}
	s.anon, _ = s.keys.Public(db.Anon)
	s.service, _ = s.keys.Public(db.Service)
	c := Config{Accounts: s.accounts, Access: &access.Access{Keys: s.keys, Store: noCI{s.accounts}}, SiteURL: "http://team.test", Mailer: s, Now: s.now}
	if change != nil {
		change(&c)
	}
	s.config = c
	s.serve()
	return s
}

// serve makes the handler from the settings.
func (s *site) serve() {
	s.t.Helper()
	inner, err := newServer(s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	s.handler, s.settle = inner.routes(), inner.working.Wait
	s.t.Cleanup(s.settle)
}

// listen serves the site to browsers and returns its address.
func (s *site) listen(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	s.config.SiteURL = server.URL
	s.serve()
	return server.URL
}

// invite makes a team with an owner and invites an address to it.
func (s *site) invite(owner uuid.UUID, slug, email string) (token string) {
	s.t.Helper()
	ctx, team := context.Background(), uuid.New()
	token = "invitation-" + rand.Text()
	sum := sha256.Sum256([]byte(token))
	err := s.db.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into teams (id, name, slug) values (?, ?, ?)`, team, "Team "+slug, slug)
		if err == nil {
			_, err = tx.Exec(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, team, owner)
		}
		if err == nil {
			_, err = tx.Exec(ctx, `insert into team_invites (team_id, id, email, token_hash, expires_at) values (?, ?, ?, ?, ?)`,
				team, uuid.New(), email, hex.EncodeToString(sum[:]), s.now().Add(time.Hour))
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return token
}

// A reply to call.
type reply struct {
	status int
	header http.Header
	body   string
}

// field of a JSON object, by path: "user.email".
func (r reply) field(path string) any {
	var v any
	if json.Unmarshal([]byte(r.body), &v) != nil {
		return nil
	}
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

func (r reply) text(path string) string {
	s, _ := r.field(path).(string)
	return s
}

// call sends a request. body is a text as it is, or marshaled.
func (s *site) call(method, path, bearer string, body any) reply {
	return s.send(method, path, bearer, body, map[string]string{"apikey": s.anon})
}

func (s *site) send(method, path, bearer string, body any, header map[string]string) reply {
	s.t.Helper()
	var data []byte
	switch b := body.(type) {
	case nil:
	case string:
		data = []byte(b)
	default:
		data, _ = json.Marshal(b)
	}
	r := httptest.NewRequest(method, path, bytes.NewReader(data))
	for k, v := range header {
		r.Header.Set(k, v)
	}
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return reply{w.Code, w.Header(), w.Body.String()}
}

// want checks a status and GoTrue's error code, "" for none.
func (s *site) want(what string, r reply, status int, code string) {
	s.t.Helper()
	if got := r.header.Get("X-Sb-Error-Code"); r.status != status || got != code {
		s.t.Errorf("%s: %d %q %s; want %d %q", what, r.status, got, r.body, status, code)
	}
}

// person makes a user with a password and signs it in.
func (s *site) person(email string) (user account.User, session reply) {
	s.t.Helper()
	user, err := s.accounts.CreateUser(context.Background(), account.NewUser{Email: email, Password: "correct-horse", Confirmed: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return user, s.signIn(email, "correct-horse")
}

func (s *site) signIn(email, password string) reply {
	return s.call("POST", "/auth/v1/token?grant_type=password", "", map[string]string{"email": email, "password": password})
}

// signed makes a token of any claims with any algorithm.
func (s *site) signed(method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
	s.t.Helper()
	token, err := jwt.NewWithClaims(method, claims).SignedString(key)
	if err != nil {
		s.t.Fatal(err)
	}
	return token
}
