package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/retry"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
)

const (
	watchTime = 5 * time.Second // how often a server looks whether the key is another one
	renewTime = 2 * time.Second // how long it waits for the database then
	// formerKey is how long a key that was replaced is good for: as long as the
	// newest token that it signed, and the clocks' difference.
	formerKey = access.TokenLife + time.Minute
)

// Keys returns what signs and checks tokens: with the secrets given, the newest
// first (see [access.Parse]), or with those that the database keeps. The public
// key is the database's, whatever signs.
func Keys(ctx context.Context, d *db.DB, secret []byte, url string) (*access.Keys, error) {
	accounts := account.New(d)
	if len(secret) == 0 {
		if _, err := accounts.Secret(ctx, "jwt", randomSecret); err != nil {
			return nil, err
		}
	}
	ring, err := readRing(ctx, accounts, secret)
	if err != nil {
		return nil, err
	}
	keys, err := access.NewKeys(ring.Secret, strings.TrimRight(url, "/")+strings.TrimRight(wire.Auth, "/"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if ring.Anon, err = accounts.AnonKey(ctx, func() []byte { key, _ := keys.Public(db.Anon); return []byte(key) }); err != nil {
		return nil, err
	}
	keys.Set(ring)
	keys.RenewBy(func() (access.Ring, error) {
		ctx, stop := context.WithTimeout(context.Background(), renewTime)
		defer stop()
		return readRing(ctx, accounts, secret)
	})
	return keys, nil
}

// readRing reads the database's keys, or puts those that were given in their place.
func readRing(ctx context.Context, accounts *account.Accounts, secret []byte) (access.Ring, error) {
	k, err := accounts.Keyring(ctx)
	if err != nil {
		return access.Ring{}, err
	}
	r := access.Ring{Secret: k.Secret}
	for _, f := range k.Former {
		r.Former = append(r.Former, access.Former(f))
	}
	if len(secret) > 0 {
		r = access.Parse(secret)
	}
	r.Anon = k.Anon
	return r, nil
}

func randomSecret() []byte {
	b := make([]byte, access.MinSecret)
	rand.Read(b) // never fails
	return b
}

// anonKey is the public key: everybody's.
func (s *Server) anonKey() string {
	key, _ := s.keys.Public(db.Anon) // signing with a secret that is long enough does not fail
	return key
}

// watchKeys looks until ctx is over whether somebody has replaced the key: then
// every server of the database goes on with the new one.
func (s *Server) watchKeys(ctx context.Context) {
	for {
		if retry.Wait(ctx, watchTime) != nil {
			return
		}
		if err := s.keys.Renew(); err != nil && ctx.Err() == nil {
			s.log.Warn("it is not known whether the signing key was replaced", "error", err)
		}
	}
}

// RotateKey replaces the database's signing key; what the old one has signed
// stays good until it has ended, or ends at once. anon replaces the public key,
// too, which every client is configured with.
func RotateKey(ctx context.Context, st *Store, atOnce, anon bool) error {
	r := account.Rotation{Secret: randomSecret(), Keep: formerKey}
	if atOnce {
		r.Keep = 0
	}
	if _, err := Keys(ctx, st.DB, nil, ""); err != nil { // has the public key of today written down
		return err
	}
	if anon {
		fresh, err := access.NewKeys(r.Secret, "")
		if err != nil {
			return err
		}
		r.Anon, err = fresh.Public(db.Anon)
		if err != nil {
			return err
		}
	}
	return account.New(st.DB).RotateKey(ctx, r)
}

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
