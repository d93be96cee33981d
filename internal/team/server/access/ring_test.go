package access

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/db"
)

func secret(letter string) []byte { return []byte(strings.Repeat(letter, MinSecret)) }

func TestParse(t *testing.T) {
	a, b := string(secret("a")), string(secret("b"))
	for text, want := range map[string]string{
		a:                 a,
		a + "," + b:       a + " " + b,
		a + ",short":      a + ",short", // a comma of the secret's own
		"," + a:           "," + a,
		a + "," + b + ",": a + "," + b + ",",
	} {
		r := Parse([]byte(text))
		got := string(r.Secret)
		for _, f := range r.Former {
			got += " " + string(f.Secret)
		}
		if got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestRing: a former key is good until its end and signs nothing; the public key
// outlives every key.
func TestRing(t *testing.T) {
	k, err := NewKeys(secret("a"), "")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	k.now = func() time.Time { return now }
	anon, _ := k.Public(db.Anon)
	service, _ := k.Public(db.Service)
	token, _, _ := k.Sign(Claims{Role: "authenticated"})
	k.Set(Ring{Secret: secret("b"), Former: []Former{{secret("a"), now.Add(time.Minute)}}, Anon: anon})
	fresh, _, _ := k.Sign(Claims{Role: "authenticated"})
	if is, _ := k.Public(db.Anon); is != anon {
		t.Error("the public key is another one")
	}
	if is, _ := k.Public(db.Service); is == service {
		t.Error("the service key is the same")
	}
	good := func(when string, tokens map[string]bool) {
		t.Helper()
		for token, want := range tokens {
			c, raw, err := k.Verify(token)
			if (err == nil) != want || err != nil && !errors.Is(err, db.ErrToken) {
				t.Errorf("%s: %s: %v", when, token[len(token)-6:], err)
			}
			if token == anon && want && (c == nil || c.Role != "anon" || len(raw) == 0) {
				t.Errorf("%s: the public key is %+v", when, c)
			}
		}
	}
	good("at first", map[string]bool{token: true, fresh: true, anon: true, service: true})
	now = now.Add(2 * time.Minute)
	good("after its end", map[string]bool{token: false, fresh: true, anon: true, service: false})
	k.Set(Ring{Secret: secret("b"), Anon: "another"})
	good("with another public key", map[string]bool{fresh: true, anon: false, "another": true})
	if text := fmt.Sprintf("%v %+v %s", *k.held.ring.Load(), Former{Secret: secret("a")}, k); strings.Contains(text, "aaa") || strings.Contains(text, "bbb") {
		t.Errorf("printed: %s", text)
	}
}

// TestRenewed: a token that another server signed a moment ago is good, and
// strangers' tokens do not have the database asked without end.
func TestRenewed(t *testing.T) {
	k, _ := NewKeys(secret("a"), "")
	other, _ := NewKeys(secret("b"), "")
	stranger, _ := NewKeys(secret("c"), "")
	asked := 0
	k.RenewBy(func() (Ring, error) { asked++; return Ring{Secret: secret("b")}, nil })
	token, _, _ := other.Sign(Claims{Role: "authenticated"})
	forged, _, _ := stranger.Sign(Claims{Role: "authenticated"})
	if _, _, err := k.Verify(token); err != nil || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
	for range 100 {
		if _, _, err := k.Verify(forged); !errors.Is(err, db.ErrToken) {
			t.Fatal(err)
		}
	}
	if asked > 3 {
		t.Errorf("asked %d times", asked)
	}
	if !bytes.Equal(k.held.ring.Load().Secret, secret("b")) {
		t.Error("the ring is the old one")
	}
}
