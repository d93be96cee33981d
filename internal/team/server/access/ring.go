package access

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// A Ring is the secrets that tokens are signed and checked with, and the public
// key that clients were configured with, which outlives them.
type Ring struct {
	Secret []byte // signs
	Former []Former
	Anon   string // "" is one that is made of Secret
}

// A Former secret signs nothing any more; what it has signed stays good until its end.
type Former struct {
	Secret []byte
	Until  time.Time // zero: as long as it is in the ring
}

// Parse reads the secrets of a text: the newest first, with commas between. A
// comma that leaves a part too short for a secret is one of the secret's own.
func Parse(text []byte) Ring {
	parts := bytes.Split(text, []byte{','})
	for _, p := range parts {
		if len(p) < MinSecret {
			return Ring{Secret: text}
		}
	}
	r := Ring{Secret: parts[0]}
	for _, p := range parts[1:] {
		r.Former = append(r.Former, Former{Secret: p})
	}
	return r
}

// Format keeps secrets out of whatever prints a ring.
func (r Ring) Format(f fmt.State, _ rune) { fmt.Fprint(f, "ring") }

// Format keeps the secret out of whatever prints it.
func (s Former) Format(f fmt.State, _ rune) { fmt.Fprint(f, "secret") }

// keys are what a token may be signed with now.
func (r *Ring) keys(now time.Time) jwt.VerificationKeySet {
	set := jwt.VerificationKeySet{Keys: []jwt.VerificationKey{r.Secret}}
	for _, f := range r.Former {
		if f.Until.IsZero() || now.Before(f.Until) {
			set.Keys = append(set.Keys, f.Secret)
		}
	}
	return set
}

// isAnon says whether a token is the public key.
func (r *Ring) isAnon(token string) bool {
	return r.Anon != "" && subtle.ConstantTimeCompare([]byte(r.Anon), []byte(token)) == 1
}

// holder keeps the ring, which may be replaced while it is used.
type holder struct {
	ring atomic.Pointer[Ring]
	mu   sync.Mutex
	last time.Time // when it was renewed because of a token that nobody knows
	// renew reads the ring anew, nil where it never changes.
	renew func() (Ring, error)
}

// askAgain is how often strangers' tokens can have the ring read anew.
const askAgain = time.Second

// Set replaces the ring.
func (k *Keys) Set(r Ring) { k.held.ring.Store(&r) }

// RenewBy has the ring read anew where a token is signed with an unknown key:
// another server may have begun to use one a moment ago.
func (k *Keys) RenewBy(fn func() (Ring, error)) { k.held.renew = fn }

// Renew reads the ring anew.
func (k *Keys) Renew() error {
	if k.held.renew == nil {
		return nil
	}
	r, err := k.held.renew()
	if err == nil {
		k.Set(r)
	}
	return err
}

// renewed says whether there is another ring than one that did not know a token.
func (k *Keys) renewed(was *Ring) bool {
	if k.held.renew == nil {
		return false
	}
	k.held.mu.Lock()
	defer k.held.mu.Unlock()
	if now := time.Now(); now.Sub(k.held.last) >= askAgain {
		k.held.last = now
		if k.Renew() != nil {
			return false
		}
	}
	is := k.held.ring.Load()
	return is != was && !bytes.Equal(is.Secret, was.Secret)
}
