package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// A GitHub Enterprise server of --provider signs people in, in a browser that
// comes back to the client, through the binary as it is shipped.
func TestServeProvider(t *testing.T) {
	var email atomic.Value // of who sits in front of the browser
	email.Store("ada@example.com")
	github := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		say := func(v any) {
			rw.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(rw).Encode(v)
		}
		switch r.URL.Path {
		case "/login/oauth/authorize":
			q := r.URL.Query()
			http.Redirect(rw, r, q.Get("redirect_uri")+"?"+url.Values{"code": {"good"}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
		case "/login/oauth/access_token":
			id, secret, ok := r.BasicAuth()
			if !ok {
				id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
			}
			if id != "client" || secret != "hush-hush" {
				say(map[string]string{"error": "incorrect_client_credentials"})
				return
			}
			say(map[string]string{"access_token": "at", "token_type": "bearer"})
		case "/api/v3/user":
			say(map[string]any{"id": len(email.Load().(string)), "login": "somebody"})
		case "/api/v3/user/emails":
			say([]map[string]any{{"email": email.Load(), "primary": true, "verified": true}})
		default:
			http.NotFound(rw, r)
		}
	}))
	defer github.Close()
	home := t.TempDir()
	t.Setenv("CAIRN_PROVIDER_GITHUB_SECRET", "hush-hush")
	p := serving(t, home, "--provider", "github=client@"+github.URL, "--signup-domain", "team.example")
	cairn := func(args ...string) *exec.Cmd {
		cmd := exec.Command(built(t), args...)
		cmd.Env = append(p.Env, "CAIRN_SIGNIN_PORT=0", "CAIRN_SYNC_BACKGROUND=0", "CAIRN_PROVIDER_GITHUB_SECRET=")
		return cmd
	}
	for _, args := range [][]string{{"serve", "user", "add", "ada@example.com"}, {"serve", "team", "create", "acme", "--owner", "ada@example.com"}} {
		if out, err := cairn(args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	repo := t.TempDir()
	if err := os.Mkdir(filepath.Join(repo, ".cairn"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(repo, ".cairn", "team.json"), []byte(`{"url":"`+p.url+`","anon_key":"","team_slug":"acme"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	setup := cairn("sync", "setup", "--provider", "github", "--no-browser")
	setup.Dir = repo
	var out bytes.Buffer
	setup.Stdout = &out
	talk, err := setup.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	keyboard, err := setup.StdinPipe() // on which nobody types
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	if err := setup.Start(); err != nil {
		t.Fatal(err)
	}
	defer setup.Process.Kill()
	lines := bufio.NewScanner(talk)
	link := ""
	for link == "" && lines.Scan() {
		link = regexp.MustCompile(`http://\S+`).FindString(lines.Text())
	}
	go io.Copy(io.Discard, talk)
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar}
	if res, err := browser.Get(link); err != nil || res.StatusCode != 200 || res.Request.URL.Path != "/callback" {
		t.Fatalf("%s: %v %v", link, res, err)
	}
	if err := setup.Wait(); err != nil || !strings.Contains(out.String(), "as ada@example.com") || !strings.Contains(out.String(), "acme: 1 member") {
		t.Fatalf("%v: %s", err, out.String())
	}

	// Of others, those with an address of the domain are let in.
	for who, want := range map[string]string{"bob@team.example": "?code=", "mallory@evil.example": "error=access_denied"} {
		email.Store(who)
		jar, _ := cookiejar.New(nil)
		ends := ""
		browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			if r.URL.Path == "/end" {
				ends = r.URL.String()
				return http.ErrUseLastResponse
			}
			return nil
		}}
		q := url.Values{"provider": {"github"}, "redirect_to": {"http://127.0.0.1:9/end"}, "code_challenge": {strings.Repeat("c", 43)}, "code_challenge_method": {"s256"}}
		if _, err := browser.Get(p.url + "/auth/v1/authorize?" + q.Encode()); err != nil || !strings.Contains(ends, want) {
			t.Errorf("%s ends at %q, %v; want %s", who, ends, err, want)
		}
	}
	p.Process.Kill()
	for said := range p.log {
		if strings.Contains(said, "hush-hush") || strings.Contains(said, "good") {
			t.Errorf("the log has a secret: %s", said)
		}
	}
}
