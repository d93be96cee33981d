package access

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/db"

	"github.com/golang-jwt/jwt/v5"
)

func TestVerify(t *testing.T) {
	k, err := NewKeys([]byte(strings.Repeat("k", MinSecret)), "http://127.0.0.1/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	good, _, err := k.Sign(Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: "x"}, Role: "authenticated"})
	if err != nil {
		t.Fatal(err)
	}
	c, raw, err := k.Verify(good)
	if err != nil || c.Subject != "x" || !strings.Contains(string(raw), `"sub":"x"`) {
		t.Fatalf("our own token: %+v, %s, %v", c, raw, err)
	}
	part := strings.Split(good, ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
	other, _ := NewKeys([]byte(strings.Repeat("o", MinSecret)), "")
	forged, _, _ := other.Sign(Claims{Role: "authenticated"})
	wrongAlg, _ := jwt.NewWithClaims(jwt.SigningMethodHS512, jwt.MapClaims{"exp": time.Now().Add(time.Hour).Unix()}).SignedString(k.held.ring.Load().Secret)
	forever, _ := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"sub": "x"}).SignedString(k.held.ring.Load().Secret)
	// The last letter of a signature has two bits more than the signature: they must be zero.
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	spare := good[:len(good)-1] + string(letters[strings.IndexByte(letters, good[len(good)-1])+1])
	for name, token := range map[string]string{
		"with bits that mean nothing": spare,
		"alg none":                    none + "." + part[1] + ".", "alg none with the signature": none + "." + part[1] + "." + part[2],
		"another secret": forged, "another algorithm": wrongAlg, "without an end": forever,
		"changed":     part[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"role":"service_role","exp":4102444800}`)) + "." + part[2],
		"not a token": "sb_publishable_x", "empty": "", "dots": "..",
	} {
		if _, _, err := k.Verify(token); !errors.Is(err, db.ErrToken) {
			t.Errorf("%s: %v, want db.ErrToken", name, err)
		}
	}
	k.now = func() time.Time { return time.Now().Add(TokenLife + time.Minute) }
	if _, _, err := k.Verify(good); !errors.Is(err, ErrExpired) {
		t.Errorf("after its hour: %v, want ErrExpired", err)
	}
}
