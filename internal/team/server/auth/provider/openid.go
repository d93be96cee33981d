package provider

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"cairn/internal/team/db/account"
)

// openID speaks OpenID Connect. What the issuer says of itself is fetched when
// it is first wanted, so that the server starts without it.
type openID struct {
	base
	issuer string

	mu    sync.Mutex
	known *oidc.Provider
}

func (o *openID) Issuer() string { return o.issuer }

func (o *openID) discover() (*oidc.Provider, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil {
		// Keys are fetched later with this context, so it is no request's.
		p, err := oidc.NewProvider(oidc.ClientContext(context.Background(), o.client), o.issuer)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDown, err)
		}
		o.known = p
	}
	return o.known, nil
}

func (o *openID) config(p *oidc.Provider, a Attempt) *oauth2.Config {
	return &oauth2.Config{ClientID: o.id, ClientSecret: o.secret, Endpoint: p.Endpoint(), RedirectURL: a.Callback, Scopes: []string{oidc.ScopeOpenID, "email", "profile"}}
}

func (o *openID) AuthURL(_ context.Context, a Attempt) (string, error) {
	p, err := o.discover()
	if err != nil {
		return "", err
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
	p, err := o.discover()
	if err != nil {
		return account.Person{}, err
	}
	config := o.config(p, a)
	token, err := o.exchange(ctx, config, code, a.Verifier)
	if err != nil {
		return account.Person{}, err
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := p.Verifier(&oidc.Config{ClientID: o.id}).Verify(oidc.ClientContext(ctx, o.client), raw)
	if err != nil {
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
