package auth

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// The second record: refresh tokens that are used more than once, codes, and signing out.
func TestReplayRotation(t *testing.T) {
	t.Parallel()
	record := readJSON[[]struct {
		Label  string
		Status int
		Body   any
		Loc    string
		H      map[string]string
	}](t, "gotrue-real-refresh-rotation.json")
	known := readJSON[[]difference](t, "differences-rotation.json")
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		cmp := &comparison{t: t, known: known, seen: map[int]bool{}}
		next := 0
		check := func(r reply) reply {
			t.Helper()
			c := record[next]
			label := fmt.Sprintf("%d %s", next, c.Label)
			next++
			cmp.same(label, "status", fmt.Sprint(c.Status), fmt.Sprint(r.status))
			cmp.same(label, "code", c.H["x-sb-error-code"], r.header.Get("X-Sb-Error-Code"))
			cmp.same(label, "location", where(strings.ReplaceAll(c.Loc, "http://127.0.0.1:3000", "http://team.test")), where(r.header.Get("Location")))
			var ours any
			if json.Unmarshal([]byte(r.body), &ours) == nil && c.Body != nil && r.status == c.Status {
				cmp.shape(label, "", c.Body, ours)
			}
			return r
		}
		refresh := func(token string) reply {
			return s.call("POST", "/auth/v1/token?grant_type=refresh_token", "", map[string]string{"refresh_token": token})
		}
		_, in := s.person("bob@beta.test")
		rt0, access := in.text("refresh_token"), in.text("access_token")
		three := make([]reply, 3)
		var wg sync.WaitGroup
		for i := range three {
			wg.Go(func() { three[i] = refresh(rt0) })
		}
		wg.Wait()
		rt1 := three[0].text("refresh_token")
		for _, r := range three {
			if check(r).text("refresh_token") != rt1 {
				t.Error("refreshes side by side got different tokens")
			}
		}
		rt2 := check(refresh(rt1)).text("refresh_token")
		s.pass(20 * time.Second)
		check(refresh(rt0))
		check(refresh(rt2))
		check(s.call("GET", "/auth/v1/user", access, nil))
		check(refresh("abcdefghijkl"))

		link := func() reply {
			return s.call("POST", "/auth/v1/admin/generate_link", s.service, map[string]string{"type": "magiclink", "email": "bob@beta.test"})
		}
		verify := func(code, of string) reply {
			return s.call("POST", "/auth/v1/verify", "", map[string]string{"type": of, "email": "bob@beta.test", "token": code})
		}
		code := check(link()).text("email_otp")
		check(verify(code, "email"))
		code = link().text("email_otp")
		check(verify(code, "magiclink"))
		check(verify(code, "magiclink"))
		token := link().text("hashed_token")
		check(s.call("GET", "/auth/v1/verify?type=magiclink&token="+token+"&redirect_to="+url.QueryEscape("https://evil.example/x"), "", nil))

		s2, s3 := s.signIn("bob@beta.test", "correct-horse"), s.signIn("bob@beta.test", "correct-horse")
		check(s.call("POST", "/auth/v1/logout?scope=others", s2.text("access_token"), nil))
		check(refresh(s3.text("refresh_token")))
		s2 = check(refresh(s2.text("refresh_token")))
		check(s.call("POST", "/auth/v1/logout?scope=global", s2.text("access_token"), nil))
		check(s.call("POST", "/auth/v1/logout?scope=bogus", s2.text("access_token"), nil))
		check(s.call("GET", "/auth/v1/health", "", nil))
		cmp.used()
	})
}
