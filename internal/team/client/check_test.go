package client_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"cairn/internal/home"
	"cairn/internal/team/client"
)

// After the server's signing key has changed, its word for the old token is
// 403: the session goes on with a new one, and nobody has to sign in again.
func TestWhoAfterNewKey(t *testing.T) {
	t.Parallel()
	given := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/auth/v1/token":
			given++
			fmt.Fprintf(w, `{"access_token":"token%d","refresh_token":"r","expires_at":%d,"user":{"id":"u","email":"dev@example.com"}}`, given, time.Now().Add(time.Hour).Unix())
		case r.Header.Get("Authorization") == "Bearer token2":
			fmt.Fprint(w, `{"id":"u","email":"dev@example.com"}`)
		default:
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"code":"bad_jwt","message":"invalid JWT"}`)
		}
	}))
	defer s.Close()
	h := home.Home(t.TempDir())
	c, err := client.Open(client.Options{URL: s.URL, TeamSlug: "acme", Home: h, Log: client.OpenLog(h)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Password(t.Context(), "dev@example.com", "correct-horse"); err != nil {
		t.Fatal(err)
	}
	if email, err := c.Who(t.Context()); err != nil || email != "dev@example.com" || given != 2 {
		t.Errorf("%q, %v after %d tokens", email, err, given)
	}
}
