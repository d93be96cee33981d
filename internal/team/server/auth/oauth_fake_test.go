package auth

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"cairn/internal/team/server/auth/provider"
)

// A fake is a provider: an OpenID Connect issuer and a GitHub at once.
type fake struct {
	*httptest.Server
	t   *testing.T
	key *rsa.PrivateKey

	mu       sync.Mutex
	asked    url.Values     // of the last sign-in
	claims   map[string]any // of the next ID token; nil takes one away
	userinfo map[string]any
	user     map[string]any // GitHub's
	emails   []map[string]any
	down     string // the path that answers 502
	signWith *rsa.PrivateKey
}

func newFake(t *testing.T) *fake {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{t: t, key: key, signWith: key}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) set(fn func()) { f.mu.Lock(); defer f.mu.Unlock(); fn() }

// provider makes the configured provider of a name.
func (f *fake) provider(name string) provider.Provider {
	f.t.Helper()
	p, err := provider.New(provider.Config{Name: name, ID: "client", Secret: "hush", URL: f.URL})
	if err != nil {
		f.t.Fatal(err)
	}
	return p
}

// consent is what the user does at the provider: the browser comes back with a code.
func (f *fake) consent(location string) (state string) {
	f.t.Helper()
	u, err := url.Parse(location)
	q := u.Query()
	if err != nil || !strings.HasPrefix(location, f.URL) || q.Get("client_id") != "client" || q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" ||
		q.Get("redirect_uri") != "http://team.test/auth/v1/callback" {
		f.t.Fatalf("sent to %s", location)
	}
	f.set(func() { f.asked = q })
	return q.Get("state")
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	answer := func(v any) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(v)
	}
	if r.URL.Path == f.down {
		http.Error(w, "the secret is hush", http.StatusBadGateway)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer(map[string]any{"issuer": f.URL, "authorization_endpoint": f.URL + "/authorize", "token_endpoint": f.URL + "/token", "jwks_uri": f.URL + "/keys",
			"userinfo_endpoint": f.URL + "/userinfo", "id_token_signing_alg_values_supported": []string{"RS256"}})
	case "/keys":
		answer(map[string]any{"keys": []any{map[string]string{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "k",
			"n": base64.RawURLEncoding.EncodeToString(f.key.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(f.key.E)).Bytes())}}})
	case "/token", "/login/oauth/access_token":
		r.ParseForm()
		id, secret, ok := r.BasicAuth()
		if !ok {
			id, secret = r.Form.Get("client_id"), r.Form.Get("client_secret")
		}
		sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
		if id != "client" || secret != "hush" || r.Form.Get("code") != "good" || r.Form.Get("redirect_uri") != f.asked.Get("redirect_uri") ||
			base64.RawURLEncoding.EncodeToString(sum[:]) != f.asked.Get("code_challenge") {
			if strings.HasPrefix(r.URL.Path, "/login") { // GitHub says so with 200
				answer(map[string]string{"error": "bad_verification_code"})
				return
			}
			w.WriteHeader(http.StatusBadRequest)
			answer(map[string]string{"error": "invalid_grant"})
			return
		}
		token := map[string]any{"access_token": "at", "token_type": "bearer"}
		if r.URL.Path == "/token" {
			token["id_token"] = f.idToken()
		}
		answer(token)
	case "/userinfo":
		answer(f.userinfo)
	case "/api/v3/user":
		answer(f.user)
	case "/api/v3/user/emails":
		answer(f.emails)
	default:
		http.NotFound(w, r)
	}
}

func (f *fake) idToken() string {
	c := jwt.MapClaims{"iss": f.URL, "aud": "client", "sub": "person-1", "nonce": f.asked.Get("nonce"), "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
		"email": "Ada@acme.test", "email_verified": true, "name": "Ada"}
	maps.Copy(c, f.claims)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, c)
	token.Header["kid"] = "k"
	text, err := token.SignedString(f.signWith)
	if err != nil {
		panic(err)
	}
	return text
}

// A browser keeps cookies.
type browser struct {
	s       *site
	cookies map[string]string
}

func (s *site) browser() *browser { return &browser{s, map[string]string{}} }

func (b *browser) get(path string) reply {
	var cookies []string
	for k, v := range b.cookies {
		cookies = append(cookies, k+"="+v)
	}
	r := b.s.send("GET", path, "", nil, map[string]string{"Cookie": strings.Join(cookies, "; ")})
	for _, c := range (&http.Response{Header: r.header}).Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode {
			b.s.t.Errorf("cookie %v", c)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	return r
}

// start goes to the provider and consents there.
func (b *browser) start(f *fake, name, more string) (state string) {
	b.s.t.Helper()
	r := b.get("/auth/v1/authorize?provider=" + name + "&redirect_to=" + url.QueryEscape("http://127.0.0.1:4321/back") + more)
	b.s.want("authorize", r, 302, "")
	return f.consent(r.header.Get("Location"))
}

// arrive comes back from the provider; it returns where the browser is sent.
func (b *browser) arrive(state, code string) *url.URL {
	b.s.t.Helper()
	r := b.get("/auth/v1/callback?state=" + url.QueryEscape(state) + "&code=" + url.QueryEscape(code))
	u, err := url.Parse(r.header.Get("Location"))
	if r.status != 303 || err != nil {
		b.s.t.Fatalf("callback: %d %v %s", r.status, r.header, r.body)
	}
	return u
}

// ended is in a word how a sign-in ended: an error's code, "code", or the user's address.
func (b *browser) ended(u *url.URL) string {
	q, f := u.Query(), url.Values{}
	if u.Fragment != "" {
		f, _ = url.ParseQuery(u.Fragment)
	}
	switch {
	case q.Has("error"):
		return q.Get("error") + " " + q.Get("error_code")
	case q.Has("code"):
		return "code"
	case f.Get("access_token") != "":
		return b.s.call("GET", "/auth/v1/user", f.Get("access_token"), nil).text("email")
	}
	return fmt.Sprintf("nothing: %s", u)
}
