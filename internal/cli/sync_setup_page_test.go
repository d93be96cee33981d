//go:build unix

package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cairn/internal/command"
	"cairn/internal/team/wire"
)

// supabase is as much of a Supabase project as a sign-in touches.
func supabase(t *testing.T) (url string, challenge func(string)) {
	var want string
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case wire.Auth + "settings":
			io.WriteString(rw, `{"external":{"email":true,"github":true,"google":false}}`)
		case wire.Auth + "token":
			var body struct {
				Code     string `json:"auth_code"`
				Verifier string `json:"code_verifier"`
			}
			_ = json.NewDecoder(r.Body).Decode(&body)
			sum := sha256.Sum256([]byte(body.Verifier))
			if body.Code != "the-code" || base64.RawURLEncoding.EncodeToString(sum[:]) != want {
				rw.WriteHeader(400)
				io.WriteString(rw, `{"code":"bad_code_verifier","message":"code challenge does not match"}`)
				return
			}
			fmt.Fprintf(rw, `{"access_token":"a","refresh_token":"r","expires_at":%d,"user":{"id":"u","email":"dev@example.com"}}`, time.Now().Add(time.Hour).Unix())
		case wire.Rest + "teams":
			rw.Header().Set("Content-Range", "0-0/*")
			io.WriteString(rw, `[{"id":"11111111-1111-4111-8111-111111111111","slug":"acme"}]`)
		case wire.TeamPulse:
			io.WriteString(rw, `{"members":3,"runs":47,"cost_usd":1,"ships":1,"last_ship_at":"`+time.Now().Add(-2*time.Hour).Format(time.RFC3339)+`"}`)
		default:
			rw.WriteHeader(404)
			io.WriteString(rw, `{"message":"no Route matched with those values"}`)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, func(c string) { want = c }
}

// linkSeen hands on the first link that is printed.
type linkSeen struct {
	bytes.Buffer
	links chan string
}

func (l *linkSeen) Write(p []byte) (int, error) {
	if m := regexp.MustCompile(`http://\S+`).FindString(string(p)); m != "" {
		select {
		case l.links <- m:
		default:
		}
	}
	return l.Buffer.Write(p)
}

// The browser comes back to this machine, or the address that it ended on is
// pasted; what is not ours is not taken.
func TestSyncBrowser(t *testing.T) {
	t.Parallel()
	for _, paste := range []bool{false, true} {
		w := newSyncWorld(t)
		project, want := supabase(t)
		w.repo(filepath.Join(t.TempDir(), "repo"), project)
		w.env["CAIRN_SIGNIN_PORT"] = "0"
		talk := &linkSeen{links: make(chan string, 1)}
		in, typed := io.Pipe()
		var out bytes.Buffer
		e := &Env{Stdin: in, Stdout: &out, Stderr: talk, Getenv: func(k string) string { return w.env[k] }, Dir: w.dir}
		root := newRootFor(e, line("sync setup --no-browser"))
		root.SetArgs(line("sync setup --no-browser"))
		ended := make(chan int)
		go func() { ended <- exitCode(e, root.Execute()) }()
		link, err := url.Parse(<-talk.links)
		if err != nil || link.Path != wire.Auth+"authorize" || link.Query().Get("provider") != "github" {
			t.Fatal(link, err)
		}
		want(link.Query().Get("code_challenge"))
		back := link.Query().Get("redirect_to")
		if paste {
			go fmt.Fprintln(typed, back+"&code=the-code")
		} else {
			for bad, status := range map[string]int{strings.Replace(back, "state=", "state=x", 1) + "&code=evil": 400, strings.Replace(back, "/callback", "/other", 1): 404} {
				res, err := http.Get(bad)
				if err != nil || res.StatusCode != status {
					t.Errorf("%s: %v %v", bad, res, err)
				}
			}
			res, err := http.Post(back+"&code=evil", "text/plain", nil)
			if err != nil || res.StatusCode != 404 {
				t.Errorf("POST: %v %v", res, err)
			}
			if res, err = http.Get(back + "&code=the-code"); err != nil || res.StatusCode != 200 {
				t.Errorf("%v %v", res, err)
			}
		}
		if code := <-ended; code != command.ExitOK || !strings.Contains(out.String(), "acme: 3 members, 47 eval runs this week, last ship 2h ago") {
			t.Errorf("exit %d: %s%s", code, out.String(), talk.String())
		}
		typed.Close()
	}
}
