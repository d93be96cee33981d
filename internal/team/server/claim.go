package server

import (
	"context"
	"net/url"

	"cairn/internal/team/db/account"
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
