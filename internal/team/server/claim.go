package server

import (
	"context"
	"net/url"
	"strings"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

// A Claim makes whoever has it the server's first user.
type Claim struct {
	URL   string `json:"url"`
	Token string `json:"token"`
	Link  string `json:"link"` // for a browser
}

// NewClaim makes a claim of a server that has no user yet; account.ErrClaimed
// where it has one. It is good for [account.ClaimLife].
func NewClaim(ctx context.Context, st *Store, site string) (Claim, error) {
	token, err := account.New(st.DB).NewClaim(ctx)
	if err != nil {
		return Claim{}, err
	}
	return Claim{URL: site, Token: token, Link: site + "/claim?" + url.Values{"token": {token}}.Encode()}, nil
}

// SignInLink is what a mail would have said: who opens it is signed in as the
// user that the token was issued for.
func SignInLink(site string, kind account.Kind, token string) string {
	q := url.Values{"token": {token}, "type": {string(kind)}, "redirect_to": {site}}
	return strings.TrimRight(site, "/") + wire.Auth + "verify?" + q.Encode()
}
