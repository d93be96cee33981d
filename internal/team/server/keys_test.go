package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// TestRotateKey: servers of one database follow a new key without a restart;
// what the old one signed stays good, or ends; the public key stays.
func TestRotateKey(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		st := &Store{DB: d}
		if err := account.New(d).RotateKey(ctx, account.Rotation{}); !errors.Is(err, account.ErrNoKey) {
			t.Errorf("before any server: %v", err)
		}
		one, _ := made(t, Config{Store: st})
		two, _ := made(t, Config{Store: st})
		person := dbtest.Member(t, d, dbtest.Team(t, d, "one"), "owner")
		sign := func(s *Server) string {
			token, _, err := s.keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: person.User.String()}, Role: "authenticated"})
			if err != nil {
				t.Fatal(err)
			}
			return token
		}
		check := func(what string, s *Server, token string, want int) {
			t.Helper()
			r := httptest.NewRequest(http.MethodGet, wire.Rest+"teams?select=slug", nil)
			r.RemoteAddr = "127.0.0.1:1"
			r.Host = s.listener.Addr().String()
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%s: %d %s, want %d", what, w.Code, w.Body, want)
			}
		}
		anon, old := one.anonKey(), sign(one)
		check("before", two, old, 200)
		if err := RotateKey(ctx, st, false, false); err != nil {
			t.Fatal(err)
		}
		if err := one.keys.Renew(); err != nil { // as its watch does
			t.Fatal(err)
		}
		fresh := sign(one)
		check("the old one's where it was replaced", one, old, 200)
		check("the new one's where nobody has heard of it", two, fresh, 200)
		check("the old one's there", two, old, 200)
		if two.anonKey() != anon || one.anonKey() != anon {
			t.Error("the public key is another one")
		}
		if err := RotateKey(ctx, st, true, true); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Server{one, two} {
			if err := s.keys.Renew(); err != nil {
				t.Fatal(err)
			}
			check("after --now", s, old, 401)
			check("after --now, of the one before", s, fresh, 401)
			check("the public key that was replaced", s, anon, 401)
			check("signed now", s, sign(one), 200)
		}
		three, _ := made(t, Config{Store: st})
		check("after a restart", three, sign(two), 200)
		if three.anonKey() != one.anonKey() || three.anonKey() == anon {
			t.Error("the public key is not the new one")
		}
		if n := dbtest.Count(t, d, `select count(*) from audit_log where action = 'key.rotated'`); n != 2 {
			t.Errorf("%d entries", n)
		}
	})
}

// TestKeyOfTheEnvironment: two secrets, the first signs; the public key is the one it was.
func TestKeyOfTheEnvironment(t *testing.T) {
	st := opened(t)
	a, b := "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	first, _ := made(t, Config{Store: st, JWTSecret: []byte(a)})
	old, _, _ := first.keys.Sign(access.Claims{Role: "authenticated"})
	both, _ := made(t, Config{Store: st, JWTSecret: []byte(b + "," + a)})
	last, _ := made(t, Config{Store: st, JWTSecret: []byte(b)})
	if _, _, err := both.keys.Verify(old); err != nil {
		t.Error(err)
	}
	if _, _, err := last.keys.Verify(old); !errors.Is(err, db.ErrToken) {
		t.Errorf("without the old one: %v", err)
	}
	fresh, _, _ := both.keys.Sign(access.Claims{Role: "authenticated"})
	if _, _, err := last.keys.Verify(fresh); err != nil {
		t.Error(err)
	}
	if first.anonKey() != last.anonKey() {
		t.Error("the public key is another one")
	}
}
