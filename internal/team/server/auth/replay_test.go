package auth

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// A capture is one exchange with a real GoTrue.
type capture struct {
	Label   string
	Request struct {
		Method  string
		URL     string
		Headers map[string]string
		Body    any
	}
	Response struct {
		Status  int
		Headers map[string]string
		Body    any
	}
}

// A difference is where we answer otherwise, on purpose. The documentation has
// the same table.
type difference struct {
	Label  string `json:"label"`  // of the exchange, * for every one
	What   string `json:"what"`   // status, code, location, or the path of a value in the body
	GoTrue string `json:"gotrue"` // what it has there
	Cairn  string `json:"cairn"`  // what we have
	Reason string `json:"reason"`
}

func readJSON[T any](t *testing.T, file string) (out T) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A comparison collects where answers differ from the real ones.
type comparison struct {
	t     *testing.T
	known []difference
	seen  map[int]bool
}

func (c *comparison) differ(label, what, theirs, ours string) {
	for i, d := range c.known {
		if (d.Label == label || d.Label == "*") && d.What == what && d.GoTrue == theirs && d.Cairn == ours {
			c.seen[i] = true
			return
		}
	}
	c.t.Errorf("%s: %s: %s, GoTrue has %s", label, what, ours, theirs)
}

func (c *comparison) same(label, what, theirs, ours string) {
	if theirs != ours {
		c.differ(label, what, theirs, ours)
	}
}

// shape compares keys and types.
func (c *comparison) shape(label, path string, theirs, ours any) {
	if a, b := kind(theirs), kind(ours); a != b {
		c.differ(label, path, a, b)
		return
	}
	switch a := theirs.(type) {
	case map[string]any:
		b := ours.(map[string]any)
		all := maps.Clone(a)
		maps.Copy(all, b)
		for _, k := range slices.Sorted(maps.Keys(all)) {
			_, inA := a[k]
			_, inB := b[k]
			if !inA || !inB {
				c.differ(label, strings.TrimPrefix(path+"."+k, "."), present(a, k), present(b, k))
				continue
			}
			c.shape(label, strings.TrimPrefix(path+"."+k, "."), a[k], b[k])
		}
	case []any:
		b := ours.([]any)
		if len(a) > 0 && len(b) > 0 {
			c.shape(label, path+"[]", a[0], b[0])
		} else {
			c.same(label, path, fmt.Sprintf("%d items", len(a)), fmt.Sprintf("%d items", len(b)))
		}
	}
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func present(m map[string]any, k string) string {
	if v, ok := m[k]; ok {
		return kind(v)
	}
	return "absent"
}

// used says that each known difference was met.
func (c *comparison) used() {
	for i, d := range c.known {
		if !c.seen[i] {
			c.t.Errorf("no difference any more: %s: %s", d.Label, d.What)
		}
	}
}

// A player sends captured requests and puts our values in the place of those
// that GoTrue had made up.
type player struct {
	*site
	ours map[string]string // by what GoTrue had
	last string            // access token of the session in use
}

// learn pairs the texts of two answers.
func (p *player) learn(theirs, ours any) {
	switch a := theirs.(type) {
	case map[string]any:
		b, _ := ours.(map[string]any)
		for k := range a {
			p.learn(a[k], b[k])
		}
	case string:
		if b, ok := ours.(string); ok && len(a) >= 6 && a != b && !strings.Contains(a, "…") {
			p.ours[a] = b
		}
	}
}

func (p *player) translate(text string) string {
	for _, theirs := range slices.SortedFunc(maps.Keys(p.ours), func(a, b string) int { return len(b) - len(a) }) {
		text = strings.ReplaceAll(text, theirs, p.ours[theirs])
	}
	return text
}

// bearer is the token that a capture had; they were taken out of it.
func (p *player) bearer(c capture) string {
	if c.Request.Headers["authorization"] == "" {
		return ""
	}
	secret, day := []byte(p.secret), p.now().Add(24*time.Hour).Unix()
	switch {
	case strings.Contains(c.Label, "anon key"):
		return p.anon
	case strings.HasPrefix(c.Request.URL, "/auth/v1/admin/"), strings.HasPrefix(c.Request.URL, "/auth/v1/invite"):
		return p.service
	case strings.Contains(c.Label, "alg none"):
		return p.signed(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, jwt.MapClaims{"sub": "x", "role": "authenticated", "exp": day})
	case strings.Contains(c.Label, "forged"):
		return p.signed(jwt.SigningMethodHS256, []byte("another secret of the length that is wanted"), jwt.MapClaims{"sub": "x", "role": "authenticated", "exp": day})
	case strings.Contains(c.Label, "expired") && !strings.Contains(c.Label, "unexpired"):
		return p.signed(jwt.SigningMethodHS256, secret, jwt.MapClaims{"sub": "x", "role": "authenticated", "exp": p.now().Add(-time.Hour).Unix()})
	case strings.HasPrefix(c.Request.URL, "/auth/v1/user"), strings.HasPrefix(c.Request.URL, "/auth/v1/logout"):
		return p.last
	}
	return p.anon
}

func (p *player) play(c capture) reply {
	body, _ := json.Marshal(c.Request.Body)
	if text, ok := c.Request.Body.(string); ok {
		body = []byte(text)
	}
	path := p.translate(c.Request.URL)
	if strings.Contains(c.Label, "oversized") {
		body = []byte(`{"email":"` + strings.Repeat("a", 3_000_000) + `"}`)
	}
	if u, _ := url.Parse(path); u.Query().Get("token") != "" && u.Query().Get("token") == urlToken(c.Request.URL) { // it was in a mail
		_, link, _ := strings.Cut(p.mails[len(p.mails)-1].text, "http://team.test")
		path, _, _ = strings.Cut(link, "\n")
	}
	text := p.translate(string(body))
	if c.Request.Body == nil {
		text = ""
	}
	r := p.send(c.Request.Method, path, p.bearer(c), text, map[string]string{versionHeader: c.Request.Headers["x-supabase-api-version"], "apikey": p.anon})
	var ours any
	if json.Unmarshal([]byte(r.body), &ours) == nil {
		p.learn(c.Response.Body, ours)
	}
	if token := r.text("access_token"); token != "" {
		p.last = token
	}
	if code := urlCode(c.Response.Headers["location"]); code != "" {
		p.ours[code] = urlCode(r.header.Get("Location"))
	}
	return r
}

func urlToken(text string) string {
	u, _ := url.Parse(text)
	return u.Query().Get("token")
}

func urlCode(text string) string {
	u, _ := url.Parse(text)
	return u.Query().Get("code")
}

// where is a redirect without what is different each time: its address, the
// names in its query and in its fragment, and error codes.
func where(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return location
	}
	fragment, _ := url.ParseQuery(u.Fragment)
	return fmt.Sprintf("%s://%s%s ?%s #%s %s", u.Scheme, u.Host, u.Path, strings.Join(slices.Sorted(maps.Keys(u.Query())), ","),
		strings.Join(slices.Sorted(maps.Keys(fragment)), ","), fragment.Get("error_code")+u.Query().Get("error_code"))
}

// Every exchange that was recorded with a real GoTrue, in order.
func TestReplay(t *testing.T) {
	t.Parallel()
	record := readJSON[struct {
		Captures []capture
		Claims   any
		Header   any `json:"jwt_header"`
	}](t, "gotrue-real.json")
	known := readJSON[[]difference](t, "differences.json")
	each(t, func(c *Config) { c.Signup, c.SiteURL = true, "http://team.test" }, func(t *testing.T, s *site) {
		s.t = t
		p := &player{site: s, ours: map[string]string{"http://127.0.0.1:3000": "http://team.test"}}
		cmp := &comparison{t: t, known: known, seen: map[int]bool{}}
		for i, c := range record.Captures {
			if strings.Contains(c.Label, "after interval") || c.Label == "signInWithOtp pkce" {
				s.pass(2 * time.Minute)
			}
			label := fmt.Sprintf("%d %s", i, c.Label)
			r := p.play(c)
			cmp.same(label, "status", fmt.Sprint(c.Response.Status), fmt.Sprint(r.status))
			cmp.same(label, "code", c.Response.Headers["x-sb-error-code"], r.header.Get("X-Sb-Error-Code"))
			cmp.same(label, "version", c.Response.Headers["x-supabase-api-version"], r.header.Get(versionHeader))
			cmp.same(label, "allow", c.Response.Headers["allow"], r.header.Get("Allow"))
			cmp.same(label, "location", where(p.translate(c.Response.Headers["location"])), where(r.header.Get("Location")))
			if _, text := c.Response.Body.(string); text || r.status != c.Response.Status {
				continue // of a redirect's text for people, and of another answer, nothing can be the same
			}
			var ours any
			if err := json.Unmarshal([]byte(r.body), &ours); err != nil {
				t.Errorf("%s: %v", label, err)
			}
			cmp.shape(label, "", c.Response.Body, ours)
		}
		cmp.used()
		_, in := s.person("claims@acme.test")
		for i, theirs := range []any{record.Header, record.Claims} {
			data, err := base64.RawURLEncoding.DecodeString(strings.Split(in.text("access_token"), ".")[i])
			var ours any
			if err != nil || json.Unmarshal(data, &ours) != nil {
				t.Fatalf("%s: %v", data, err)
			}
			if claims, ok := ours.(map[string]any); ok && i == 1 {
				claims["app_metadata"], claims["user_metadata"] = theirs.(map[string]any)["app_metadata"], theirs.(map[string]any)["user_metadata"] // the user's own
			}
			cmp.shape("access token", "", theirs, ours)
		}
	})
}
