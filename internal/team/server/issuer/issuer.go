// Package issuer asks who issues OIDC tokens for its keys and checks tokens with
// them: of a provider that people sign in at (server/auth/provider) and of a
// workflow (server/ci), which import it. What a token lets anybody do never
// belongs here.
package issuer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/time/rate"
)

// ErrDown says that an issuer could not be asked.
var ErrDown = errors.New("the issuer of the token cannot be reached")

const (
	again      = 5 * time.Second // how long nobody asks an issuer that could not be reached
	mostAnswer = 1 << 20         // bytes of an answer that are read
)

// An Issuer signs OIDC tokens. What it says of itself is fetched when it is
// first wanted, its keys then and when a token names a key that is not among
// them, so that the server starts without it.
type Issuer struct {
	url    string
	client *http.Client

	mu       sync.Mutex
	provider *oidc.Provider // nil until the issuer has answered once
	keys     *keys
	err      error // why it has not
	failed   time.Time
}

// New returns the issuer of a URL. client asks it, nil for one with a timeout of 10 s.
func New(url string, client *http.Client) *Issuer {
	if client == nil {
		client = &http.Client{Timeout: 10 * time.Second}
	}
	asking := *client
	// A stranger can name keys that there are not: how often the issuer is asked
	// because of that has a limit.
	asking.Transport = &transport{next: client.Transport, limit: rate.NewLimiter(1, 10)}
	return &Issuer{url: url, client: &asking}
}

// URL is what the issuer calls itself.
func (i *Issuer) URL() string { return i.url }

// Verify checks a token's signature, issuer and times, and its audience as the
// configuration has it. ErrDown when the issuer could not be asked.
func (i *Issuer) Verify(ctx context.Context, raw string, c *oidc.Config) (*oidc.IDToken, error) {
	if _, err := i.Discover(); err != nil {
		return nil, err
	}
	var down error
	token, err := oidc.NewVerifier(i.url, i.keys, c).Verify(context.WithValue(ctx, downKey{}, &down), raw)
	if down != nil {
		return nil, down
	}
	return token, err
}

// Discover returns what the issuer says of itself; ErrDown.
func (i *Issuer) Discover() (*oidc.Provider, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.provider != nil || time.Since(i.failed) < again {
		return i.provider, i.err
	}
	// The keys are fetched with this context later, so it is no request's.
	ctx := oidc.ClientContext(context.Background(), i.client)
	p, err := oidc.NewProvider(ctx, i.url)
	var says struct {
		Keys string `json:"jwks_uri"`
	}
	if err == nil {
		err = p.Claims(&says)
	}
	if err != nil {
		i.err, i.failed = fmt.Errorf("%w: %w", ErrDown, err), time.Now()
		return nil, i.err
	}
	i.err, i.provider, i.keys = nil, p, &keys{oidc.NewRemoteKeySet(ctx, says.Keys)}
	return i.provider, nil
}

// downKey is the context's key of an *error, where keys says that they could
// not be fetched: the verifier keeps only the words of an error.
type downKey struct{}

type keys struct{ *oidc.RemoteKeySet }

func (k *keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, token)
	if down, ok := ctx.Value(downKey{}).(*error); ok && errors.Is(err, ErrDown) {
		*down = err
	}
	return payload, err
}

// A transport makes every answer but 200 ErrDown, and has a limit.
type transport struct {
	next  http.RoundTripper
	limit *rate.Limiter
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.limit.Allow() {
		return nil, fmt.Errorf("%w: it was asked too often", ErrDown)
	}
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDown, err)
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("%w: it answered %s", ErrDown, answer.Status)
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, mostAnswer), answer.Body}
	return answer, nil
}
