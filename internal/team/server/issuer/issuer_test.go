package issuer

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// An issuer that cannot be reached is left alone for a while, and found again after it.
func TestDiscover(t *testing.T) {
	var asked atomic.Int32
	var up atomic.Bool
	var url string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if !up.Load() {
			http.Error(w, "no", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"issuer":"` + url + `","jwks_uri":"` + url + `/keys"}`))
	}))
	defer server.Close()
	url = server.URL
	i := New(url, nil)
	for range 3 {
		if _, err := i.Discover(); !errors.Is(err, ErrDown) {
			t.Fatalf("down: %v", err)
		}
	}
	if _, err := i.Verify(t.Context(), "x", &oidc.Config{SkipClientIDCheck: true}); !errors.Is(err, ErrDown) {
		t.Errorf("down: %v", err)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times while it was down", n)
	}
	up.Store(true)
	i.failed = time.Now().Add(-again)
	for range 3 {
		if _, err := i.Discover(); err != nil {
			t.Fatalf("up again: %v", err)
		}
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
	if _, err := i.Verify(t.Context(), "x", &oidc.Config{SkipClientIDCheck: true}); err == nil || errors.Is(err, ErrDown) {
		t.Errorf("not a token: %v", err)
	}
}

func TestDiscoverOther(t *testing.T) {
	for what, answer := range map[string]string{
		"another issuer": `{"issuer":"https://evil.test","jwks_uri":"https://evil.test/keys"}`,
		"no JSON":        `<html>`,
		"a long answer":  strings.Repeat(" ", mostAnswer) + `{"issuer":"URL","jwks_uri":"URL/keys"}`,
	} {
		var server *httptest.Server
		server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(strings.ReplaceAll(answer, "URL", server.URL)))
		}))
		if _, err := New(server.URL, nil).Discover(); !errors.Is(err, ErrDown) {
			t.Errorf("%s: %v", what, err)
		}
		server.Close()
	}
}
