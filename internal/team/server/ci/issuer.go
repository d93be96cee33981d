package ci

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/time/rate"
)

// errDown says that an issuer could not be asked for its keys.
var errDown = errors.New("the issuer of the token cannot be reached")

// again is how long nobody asks an issuer that could not be reached.
const again = 5 * time.Second

// An issuer signs OIDC tokens. What it says of itself is fetched when it is
// first wanted, its keys then and when a token names a key that is not among them.
type issuer struct {
	url    string
	client *http.Client

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier // nil until the issuer has answered once
	err      error                 // why it has not
	failed   time.Time
}

func newIssuer(url string, client *http.Client) *issuer {
	if client == nil {
		client = &http.Client{Timeout: 10 * time.Second}
	}
	asking := *client
	// A stranger can name keys that there are not: how often the issuer is asked
	// because of that has a limit.
	asking.Transport = &transport{next: client.Transport, limit: rate.NewLimiter(1, 10)}
	return &issuer{url: url, client: &asking}
}

// verify checks signature, issuer and times of a token, not its audience. The
// error is errDown when the issuer could not be asked.
func (i *issuer) verify(ctx context.Context, raw string) (*oidc.IDToken, error) {
	v, err := i.ready()
	if err != nil {
		return nil, err
	}
	var down error
	token, err := v.Verify(context.WithValue(ctx, downKey{}, &down), raw)
	if down != nil {
		return nil, down
	}
	return token, err
}

func (i *issuer) ready() (*oidc.IDTokenVerifier, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.verifier != nil || time.Since(i.failed) < again {
		return i.verifier, i.err
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
		i.err, i.failed = fmt.Errorf("%w: %w", errDown, err), time.Now()
		return nil, i.err
	}
	i.err = nil
	i.verifier = oidc.NewVerifier(i.url, &keys{oidc.NewRemoteKeySet(ctx, says.Keys)},
		&oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: []string{oidc.RS256, oidc.ES256}})
	return i.verifier, nil
}

// downKey is the context's key of an *error, where keys says that they could
// not be fetched: the verifier keeps only the words of an error.
type downKey struct{}

type keys struct{ *oidc.RemoteKeySet }

func (k *keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, token)
	if down, ok := ctx.Value(downKey{}).(*error); ok && errors.Is(err, errDown) {
		*down = err
	}
	return payload, err
}

// A transport makes every answer but 200 errDown, and has a limit.
type transport struct {
	next  http.RoundTripper
	limit *rate.Limiter
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.limit.Allow() {
		return nil, fmt.Errorf("%w: it was asked too often", errDown)
	}
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDown, err)
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("%w: it answered %s", errDown, answer.Status)
	}
	return answer, nil
}
