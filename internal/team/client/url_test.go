package client

import (
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/home"
	"cairn/internal/team/wire"
)

func TestCleanURL(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"https://Team.Example.com/", "https://team.example.com"},
		{" HTTPS://team.example.com:443/base/ ", "https://team.example.com/base"},
		{"http://127.0.0.1:80", "http://127.0.0.1"},
		{"https://team.example.com:8443", "https://team.example.com:8443"},
		{"team.example.com", ""}, {"ftp://x", ""}, {"https://", ""}, {"https://a:b@x", ""}, {"https://x?q", ""}, {"https://x#f", ""}, {"", ""}, {"https://x\n", "https://x"},
	} {
		if got, err := CleanURL(tt[0]); got != tt[1] || (err == nil) != (tt[1] != "") {
			t.Errorf("%q: %q, %v", tt[0], got, err)
		}
	}
}

// What Open refuses, so that nothing can send it.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	token := CI{Token: wire.TokenPrefix + "x"}
	for name, tt := range map[string]struct {
		o    Options
		kind error
	}{
		"plain http":               {Options{URL: "http://team.example.com"}, ErrRefused},
		"plain http that is meant": {Options{URL: "http://team.example.com", InsecureHTTP: true}, nil},
		"a key with a line's end":  {Options{URL: "http://localhost:7373", AnonKey: "a\r\nX-Evil: 1"}, ErrRefused},
		"this machine":             {Options{URL: "http://localhost:7373"}, nil},
		"pinned by nobody":         {Options{URL: "https://a.example", CI: token}, ErrSignIn},
		"another is pinned":        {Options{URL: "https://a.example", CI: token, Pinned: []string{"https://a.example.evil", "http://a.example", "https://a.example/x"}}, ErrSignIn},
		"pinned":                   {Options{URL: "https://A.example/", CI: token, Pinned: []string{"https://a.example"}}, nil},
		"a user, not pinned":       {Options{URL: "https://a.example", CI: CI{Email: "a", Password: "b"}}, ErrSignIn},
		"some other token":         {Options{URL: "https://a.example", CI: CI{Token: "ghp_x"}, Pinned: []string{"https://a.example"}}, ErrSignIn},
	} {
		tt.o.Home = home.Home(t.TempDir())
		_, err := Open(tt.o)
		if !errors.Is(err, tt.kind) || (err == nil) != (tt.kind == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "ghp_x") {
			t.Errorf("%s shows the token: %v", name, err)
		}
	}
}

// A token stays with its server, whoever says where to go next.
func TestRedirects(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s got %q", r.Host, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	d := newDouble(t)
	m := newMember(t, d)
	c, err := Open(Options{URL: d.URL, Home: m.home})
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{other.URL + "/x", "//" + strings.TrimPrefix(other.URL, "http://") + "/x", "https" + strings.TrimPrefix(d.URL, "http") + "/x"} {
		d.fail(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusTemporaryRedirect) })
		if err := c.Do(t.Context(), http.MethodGet, wire.Rest+"teams", nil, nil, nil); !errors.Is(err, ErrNetwork) {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// What speaks nothing newer than TLS 1.1 gets no token.
func TestOldTLS(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	c, err := Open(Options{URL: s.URL, Home: home.Home(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Reach(t.Context()); !errors.Is(err, ErrNetwork) || !strings.Contains(err.Error(), "protocol version") {
		t.Errorf("%v", err)
	}
}

// Three ports are tried; when all are taken that is said.
func TestCallbackPorts(t *testing.T) {
	t.Parallel()
	var taken []int
	for range 2 {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		taken = append(taken, l.Addr().(*net.TCPAddr).Port)
	}
	if _, err := NewCallback(taken); err == nil || !strings.Contains(err.Error(), strconv.Itoa(taken[1])) {
		t.Errorf("%v", err)
	}
	cb, err := NewCallback(append(taken, 0))
	if err != nil {
		t.Fatal(err)
	}
	defer cb.Close()
	get := func() int {
		res, err := http.Get(cb.URL() + "&code=c")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if first, second := get(), get(); first != 200 || second != 410 {
		t.Errorf("%d, %d", first, second)
	}
	if code, err := cb.Wait(t.Context()); code != "c" || err != nil {
		t.Errorf("%q, %v", code, err)
	}
}

func TestPasted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" abc ": "abc",
		"http://127.0.0.1:7374/callback?state=s&code=abc":                                            "abc",
		"http://127.0.0.1:7374/callback#code=abc":                                                    "abc",
		"http://127.0.0.1:7374/callback#error=access_denied&error_description=Email+link+is+invalid": "",
		"http://127.0.0.1:7374/callback":                                                             "",
	} {
		if got, err := Pasted(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string][2]string{
		"tok":                                  {"tok", ""},
		"https://T.example/#tok":               {"tok", "https://t.example"},
		"https://t.example/join?token=tok":     {"tok", "https://t.example"},
		"https://t.example/base/join#token=t1": {"t1", "https://t.example/base"},
	} {
		if got := [2]string{InviteToken(text), InviteServer(text)}; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
