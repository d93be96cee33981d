package provider

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"cairn/internal/team/db/account"
	"cairn/internal/team/server/issuer"
)

// openID speaks OpenID Connect.
type openID struct {
	base
	issuer *issuer.Issuer
}

func (o *openID) Issuer() string { return o.issuer.URL() }

func (o *openID) config(p *oidc.Provider, a Attempt) *oauth2.Config {
	return &oauth2.Config{ClientID: o.id, ClientSecret: o.secret, Endpoint: p.Endpoint(), RedirectURL: a.Callback, Scopes: []string{oidc.ScopeOpenID, "email", "profile"}}
}

func (o *openID) AuthURL(_ context.Context, a Attempt) (string, error) {
	p, err := o.issuer.Discover()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrDown, err)
	}
	return o.config(p, a).AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), nil
}

// claims of an ID token or of the issuer's userinfo.
type claims struct {
	Email    string `json:"email"`
	Verified any    `json:"email_verified"` // some issuers write "true"
	Name     string `json:"name"`
	Picture  string `json:"picture"`
}

func (c claims) verified() bool { return c.Verified == true || c.Verified == "true" }

// Person checks the ID token: signature, issuer, audience, end and nonce.
// Issuers that keep the address out of it are asked for it.
func (o *openID) Person(ctx context.Context, code string, a Attempt) (account.Person, error) {
	p, err := o.issuer.Discover()
	if err != nil {
		return account.Person{}, fmt.Errorf("%w: %w", ErrDown, err)
	}
	config := o.config(p, a)
	token, err := o.exchange(ctx, config, code, a.Verifier)
	if err != nil {
		return account.Person{}, err
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := o.issuer.Verify(ctx, raw, &oidc.Config{ClientID: o.id, SupportedSigningAlgs: []string{oidc.RS256, oidc.ES256, oidc.PS256}})
	switch {
	case errors.Is(err, issuer.ErrDown):
		return account.Person{}, fmt.Errorf("%w: %w", ErrDown, err)
	case err != nil:
		return account.Person{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if id.Subject == "" || subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(a.Nonce)) != 1 {
		return account.Person{}, fmt.Errorf("%w: the ID token is of another sign-in", ErrRefused)
	}
	var c claims
	if err := id.Claims(&c); err != nil {
		return account.Person{}, fmt.Errorf("%w: claims of the ID token cannot be read", ErrRefused)
	}
	if c.Email == "" && p.UserInfoEndpoint() != "" {
		info, err := p.UserInfo(oidc.ClientContext(ctx, o.client), oauth2.StaticTokenSource(token))
		if _, offline := errors.AsType[*url.Error](err); offline {
			return account.Person{}, fmt.Errorf("%w: %w", ErrDown, err)
		}
		if err != nil || info.Subject != id.Subject || info.Claims(&c) != nil {
			return account.Person{}, fmt.Errorf("%w: userinfo is not of who has signed in", ErrRefused)
		}
	}
	out := account.Person{Provider: o.name, ID: id.Subject, Email: c.Email, Verified: c.verified() && c.Email != ""}
	out.Data = about(out, c.Name, c.Picture)
	out.Data["iss"] = id.Issuer
	return out, nil
}
