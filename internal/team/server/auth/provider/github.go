package provider

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"golang.org/x/oauth2"

	"cairn/internal/team/db/account"
	"cairn/internal/text"
)

// gitHub speaks OAuth 2 without OpenID Connect:
// docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
type gitHub struct {
	base
	api    string
	config oauth2.Config
}

func newGitHub(b base, url string) *gitHub {
	g := &gitHub{base: b, api: url + "/api/v3", config: oauth2.Config{ClientID: b.id, ClientSecret: b.secret, Scopes: []string{"user:email"},
		Endpoint: oauth2.Endpoint{AuthURL: url + "/login/oauth/authorize", TokenURL: url + "/login/oauth/access_token", AuthStyle: oauth2.AuthStyleInParams}}}
	if url == "https://github.com" {
		g.api = "https://api.github.com"
	}
	return g
}

func (g *gitHub) Issuer() string { return "" }

// of is the configuration of one attempt.
func (g *gitHub) of(a Attempt) *oauth2.Config {
	c := g.config
	c.RedirectURL = a.Callback
	return &c
}

func (g *gitHub) AuthURL(_ context.Context, a Attempt) (string, error) {
	return g.of(a).AuthCodeURL(a.State, oauth2.S256ChallengeOption(a.Verifier)), nil
}

// Person takes the primary address, if GitHub has verified it. The number is the
// person: a login can be given up and taken by another.
func (g *gitHub) Person(ctx context.Context, code string, a Attempt) (account.Person, error) {
	token, err := g.exchange(ctx, g.of(a), code, a.Verifier)
	if err != nil {
		return account.Person{}, err
	}
	var user struct {
		ID     int64  `json:"id"`
		Login  string `json:"login"`
		Name   string `json:"name"`
		Avatar string `json:"avatar_url"`
	}
	if err := g.get(ctx, token, "/user", &user); err != nil {
		return account.Person{}, err
	}
	var emails []struct {
		Email    string `json:"email"`
		Primary  bool   `json:"primary"`
		Verified bool   `json:"verified"`
	}
	if err := g.get(ctx, token, "/user/emails", &emails); err != nil {
		return account.Person{}, err
	}
	if user.ID == 0 {
		return account.Person{}, fmt.Errorf("%w: it does not say who has signed in", ErrRefused)
	}
	p := account.Person{Provider: g.name, ID: strconv.FormatInt(user.ID, 10)}
	for _, e := range emails {
		if e.Primary {
			p.Email, p.Verified = e.Email, e.Verified
		}
	}
	p.Data = about(p, user.Name, user.Avatar)
	p.Data["user_name"], p.Data["preferred_username"] = user.Login, user.Login
	return p, nil
}

func (g *gitHub) get(ctx context.Context, token *oauth2.Token, path string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, g.api+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/vnd.github+json")
	token.SetAuthHeader(r)
	answer, err := g.client.Do(r)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDown, err)
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusTooManyRequests, answer.StatusCode >= 500:
		return fmt.Errorf("%w: %s answered %s", ErrDown, path, answer.Status)
	case answer.StatusCode != http.StatusOK:
		return fmt.Errorf("%w: %s answered %s", ErrRefused, path, answer.Status)
	}
	if err := json.UnmarshalRead(answer.Body, into); err != nil {
		return fmt.Errorf("%w: %s is not what GitHub answers", ErrRefused, path)
	}
	return nil
}

// about is what is kept of a person in words that every provider shares.
func about(p account.Person, name, avatar string) map[string]any {
	data := map[string]any{"sub": p.ID, "provider_id": p.ID, "email": p.Email, "email_verified": p.Verified, "phone_verified": false}
	if name = strings.TrimSpace(name); name != "" {
		data["name"], data["full_name"] = text.Head(name, mostText), text.Head(name, mostText)
	}
	if strings.HasPrefix(avatar, "https://") && len(avatar) <= mostText {
		data["avatar_url"] = avatar
	}
	return data
}

// mostText is how many bytes are kept of what a person wrote about itself.
const mostText = 500
