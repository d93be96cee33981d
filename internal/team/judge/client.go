package judge

import (
	"bytes"
	"cairn/internal/team/retry"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Addresses that are asked where the environment names no other.
const (
	AnthropicURL = "https://api.anthropic.com"
	OpenAIURL    = "https://api.openai.com/v1"
)

const replyMax = 4 << 20 // bytes of an answer

// An Endpoint is where an API is and who asks.
type Endpoint struct {
	URL      string // "" is the vendor's; with a path if the API is below one
	Key      string // never in an error or a log
	Variable string // of the environment, that the key comes from; for messages
}

// A Client sends requests, and sends them again where that may help. Its
// fields are set before first use; it may then be used by many at once.
type Client struct {
	Anthropic, OpenAI Endpoint
	Tries             int           // of one request; 0 is 6
	Timeout           time.Duration // of one try; 0 is 5 minutes

	sleep func(context.Context, time.Duration) error // nil waits; for tests
	gates [2]gate                                    // of the two endpoints
	once  sync.Once
	http  *http.Client
}

// Errors of asking, besides those of the context.
type (
	// A KeyError is a server that does not take the key, or one that needs a key
	// and none is set.
	KeyError struct {
		Host, Status, Variable string
	}
	// A ReachError is a server that could not be reached, or that was busy or
	// broken, at every try.
	ReachError struct {
		Host  string
		Tries int
		Why   string
	}
	// A RefusedError is a request that the server takes at no time.
	RefusedError struct {
		Host    string
		Code    int // such as 404
		Message string
	}
)

func (e *KeyError) Error() string {
	if e.Status == "" {
		return e.Host + " needs a key, and " + e.Variable + " is not set"
	}
	return e.Host + " answered " + e.Status
}

func (e *ReachError) Error() string {
	return fmt.Sprintf("asking %s failed %d times, at last with %s", e.Host, e.Tries, e.Why)
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s answered %d: %s", e.Host, e.Code, e.Message)
}

func (c *Client) endpoint(vendor string) (Endpoint, api, *gate) {
	if vendor == Anthropic {
		e := c.Anthropic
		e.URL = cmp.Or(e.URL, AnthropicURL)
		return e, anthropicAPI{}, &c.gates[0]
	}
	e := c.OpenAI
	e.URL = cmp.Or(e.URL, OpenAIURL)
	if vendor == Embeddings {
		return e, embedAPI{}, &c.gates[1]
	}
	return e, openAPI{}, &c.gates[1]
}

// Server names the server of a vendor: its address without a password and
// without what makes no difference.
func (c *Client) Server(vendor string) string {
	e, _, _ := c.endpoint(vendor)
	at, err := url.Parse(e.URL)
	if err != nil {
		return "" // nothing is asked there
	}
	return strings.ToLower(at.Scheme+"://"+at.Host) + strings.TrimRight(at.EscapedPath(), "/")
}

// Check says whether a vendor can be asked: its address is one, and there is a
// key, or the address is on this machine.
func (c *Client) Check(vendor string) error {
	e, _, _ := c.endpoint(vendor)
	at, err := url.Parse(e.URL)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		return fmt.Errorf("the address of the %s API is not one of http or https", vendor) // which may hold a password
	}
	if e.Key == "" && !loopback(at.Hostname()) {
		return &KeyError{Host: at.Host, Variable: e.Variable}
	}
	if e.Key != "" && at.Scheme == "http" && !loopback(at.Hostname()) && !private(at.Hostname()) {
		return fmt.Errorf("%s is not asked over http: the key would be read on the way; https is wanted", at.Host)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// private reports whether a host is of a network of one's own: an address of
// one, or a name without a dot, as containers have.
func private(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast()) || ip == nil && !strings.Contains(host, ".")
}

// ask sends one message and returns the reply to it.
func (c *Client) ask(ctx context.Context, vendor string, m *message, log func(kind string, data []byte)) (reply, error) {
	e, speak, gate := c.endpoint(vendor)
	at, err := url.Parse(e.URL)
	if err != nil {
		return reply{}, errors.New("the address of the API is not one")
	}
	path, content := speak.request(m)
	body, err := encode(content)
	if err != nil {
		return reply{}, err
	}
	log("request to "+at.Host, body)
	tries := cmp.Or(c.Tries, 6)
	for try := 1; ; try++ {
		if err := gate.wait(ctx, c.rest); err != nil {
			return reply{}, err
		}
		data, err := c.send(ctx, e, at.JoinPath(path...), speak, body)
		var again *againError
		switch {
		case err == nil:
			log("answer", data)
			r, err := speak.reply(data)
			if err != nil {
				return reply{}, wrong("%s sent what is no JSON of its API", at.Host)
			}
			return r, nil
		case ctx.Err() != nil:
			return reply{}, ctx.Err()
		case !errors.As(err, &again):
			log("answer", []byte(err.Error()))
			return reply{}, err
		}
		log("answer", []byte(again.why))
		wait := max(again.after, retry.Delay(try, time.Second, time.Minute))
		deadline, has := ctx.Deadline()
		if try >= tries || has && time.Now().Add(wait).After(deadline) {
			return reply{}, &ReachError{at.Host, try, again.why}
		}
		if again.busy {
			gate.close(wait)
			continue
		}
		if err := c.rest(ctx, wait); err != nil {
			return reply{}, err
		}
	}
}

func (c *Client) rest(ctx context.Context, d time.Duration) error {
	if c.sleep != nil {
		return c.sleep(ctx, d)
	}
	return retry.Wait(ctx, d)
}

// send tries once.
func (c *Client) send(ctx context.Context, e Endpoint, to *url.URL, speak api, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.Timeout, 5*time.Minute))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address of the API is not one")
	}
	speak.sign(req.Header, e.Key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "cairn")
	res, err := c.client().Do(req)
	if err != nil {
		return nil, &againError{why: hide(networkWhy(err), e.Key)}
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(res.Body, replyMax))
	switch code := res.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return nil, &KeyError{to.Host, res.Status, e.Variable}
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return nil, &againError{why: strings.TrimSpace(res.Status), after: retry.After(res.Header, time.Now()), busy: code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable || code == 529}
	case code != http.StatusOK:
		return nil, &RefusedError{to.Host, code, hide(errorMessage(data, res.Status), e.Key)}
	case err != nil: // it ended in the middle
		return nil, &againError{why: hide(networkWhy(err), e.Key)}
	case !jsontext.Value(data).IsValid():
		return nil, &againError{why: "an answer that is no JSON, or ends in the middle of it"}
	}
	return data, nil
}

func (c *Client) client() *http.Client {
	c.once.Do(func() { c.http = newHTTP() })
	return c.http
}

// newHTTP makes a client that follows nothing: the key and the output go where
// the user said, and nowhere that an answer names.
func newHTTP() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true,
			MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 20 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
