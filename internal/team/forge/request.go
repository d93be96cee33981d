package forge

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/retry"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A client speaks to one API with one token.
type client struct {
	base          *url.URL
	header, token string
	http          *http.Client
}

const (
	askFor   = 15 * time.Second // for one request, with its answer
	mostRead = 32 << 20         // bytes of a page of comments
	mostSaid = 200              // characters of an answer that stand in an error
	tries    = 4
)

// newHTTP follows a redirect only on the same host: the token goes nowhere else.
func newHTTP() *http.Client {
	return &http.Client{
		Timeout: askFor,
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
			ForceAttemptHTTP2: true, TLSHandshakeTimeout: askFor, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > 5 || r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// A statusError is an answer other than 2xx.
type statusError struct {
	code  int
	said  string
	after time.Duration // the server wants so long a pause
	limit bool          // too many requests
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%d %s", e.code, http.StatusText(e.code))
	if e.said != "" {
		text += ": " + e.said
	}
	return text
}

// refusal reports whether the token may not do that.
func refusal(err error) bool {
	var s *statusError
	return errors.As(err, &s) && !s.limit && (s.code == http.StatusForbidden || s.code == http.StatusUnauthorized || s.code == http.StatusNotFound)
}

// do sends a request and reads the answer into out, unless that is nil.
func (c *client) do(ctx context.Context, method string, path []string, query url.Values, body, out any) (http.Header, error) {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	to := c.base.JoinPath(path...)
	to.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set(c.header, c.token)
	req.Header.Set("User-Agent", "cairn")
	req.Header.Set("Accept", "application/json")
	if data != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.header == "Authorization" {
		req.Header.Set("Accept", "application/vnd.github+json")
		req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	}
	res, err := c.http.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the address says nothing new
		}
		return nil, fmt.Errorf("%s does not answer: %w", to.Host, err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, mostRead))
	if res.StatusCode/100 != 2 {
		s := &statusError{code: res.StatusCode, said: c.hide(message(answer)), after: retry.After(res.Header, time.Now())}
		s.limit = s.code == http.StatusTooManyRequests || s.code == http.StatusForbidden && (s.after > 0 || res.Header.Get("X-Ratelimit-Remaining") == "0")
		return nil, s
	}
	if err == nil && out != nil {
		if err = json.Unmarshal(answer, out); err != nil {
			err = fmt.Errorf("%s sent no such JSON as its documentation says", to.Host)
		}
	}
	return res.Header, err
}

// message is what an error's body says.
func message(body []byte) string {
	var said struct {
		Message jsontext.Value `json:"message"`
		Error   jsontext.Value `json:"error"`
	}
	if json.Unmarshal(body, &said) != nil {
		return ""
	}
	for _, v := range []jsontext.Value{said.Message, said.Error} {
		var s string
		if json.Unmarshal(v, &s) == nil && s != "" {
			return s
		}
		if len(v) > 0 && string(v) != "null" {
			return string(v)
		}
	}
	return ""
}

// hide takes the token out of what a server said, should it repeat it.
func (c *client) hide(said string) string {
	secret := strings.TrimPrefix(c.token, "Bearer ")
	return text.Shorten(term.Line(strings.ReplaceAll(said, secret, "…")), mostSaid)
}

// again does what failed and may succeed later once more, from the beginning: a
// comment that was made though no answer came is found then.
func (c *client) again(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		var s *statusError
		isStatus := errors.As(err, &s)
		if err == nil || ctx.Err() != nil || try == tries || isStatus && !s.limit && s.code < 500 {
			return err
		}
		pause := retry.Delay(try, time.Second, 8*time.Second)
		if isStatus && s.after > 0 {
			pause = s.after
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause {
			return err
		}
		if retry.Wait(ctx, pause) != nil {
			return err
		}
	}
}
