package provider

import (
	"strings"
	"testing"
)

func TestNew(t *testing.T) {
	for want, c := range map[string]Config{
		"small letters":     {Name: "Git Hub", ID: "i", Secret: "s"},
		"client id":         {Name: "github", Secret: "s"},
		"the client secret": {Name: "github", ID: "i"},
		"URL of its issuer": {Name: "corp", ID: "i", Secret: "s"},
		"https://HOST":      {Name: "corp", ID: "i", Secret: "s", URL: "http://corp.test"},
		"provider corp":     {Name: "corp", ID: "i", Secret: "s", URL: "https://user:word@corp.test"},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "word") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, x := range []struct{ name, url, title, auth string }{
		{"github", "", "GitHub", "https://github.com/login/oauth/authorize?"},
		{"github", "https://git.corp.test/", "GitHub", "https://git.corp.test/login/oauth/authorize?"},
	} {
		p, err := New(Config{Name: x.name, ID: "i", Secret: "hush", URL: x.url})
		if err != nil {
			t.Fatal(err)
		}
		to, err := p.AuthURL(t.Context(), Attempt{Callback: "https://team.test/auth/v1/callback", State: "st", Verifier: strings.Repeat("v", 43)})
		if err != nil || p.Title() != x.title || !strings.HasPrefix(to, x.auth) || !strings.Contains(to, "scope=user%3Aemail") || !strings.Contains(to, "state=st") || strings.Contains(to, "hush") || strings.Contains(to, "vvv") {
			t.Errorf("%s, %v", to, err)
		}
	}
	for url, api := range map[string]string{"": "https://api.github.com", "https://git.corp.test": "https://git.corp.test/api/v3"} {
		p, _ := New(Config{Name: "github", ID: "i", Secret: "s", URL: url})
		if g := p.(*gitHub); g.api != api {
			t.Errorf("%q: %s", url, g.api)
		}
	}
	g, err := New(Config{Name: "google", ID: "i", Secret: "s"})
	if err != nil || g.Issuer() != "https://accounts.google.com" || g.Title() != "Google" {
		t.Errorf("%+v, %v", g, err)
	}
}
