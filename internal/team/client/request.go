package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/retry"
	"cairn/internal/team/wire"
)

// A Request of a client.
type Request struct {
	Method string
	Path   string // from the server's root: wire.Rest + a table, wire.PushEvalRun, …
	Query  url.Values
	Prefer string
	Body   any // marshaled as JSON; []byte goes as it is; nil for none
	most   int // bytes of the answer, 0 for what the method has
}

// RowsOf asks for a page of a table's rows.
func RowsOf(table string, query url.Values) Request {
	return Request{Method: http.MethodGet, Path: wire.Rest + table, Query: query, most: PageBytes}
}

const (
	// Most bytes of an answer: of rows that are read, and of a word about what was
	// written, of which ten may come at once.
	mostRead, mostSaid = 64 << 20, 1 << 20

	// askFor is how long a request may take that a context does not limit.
	askFor = 30 * time.Second
)

// Do sends a request as the user or job that is signed in and decodes the
// answer into out, unless that is nil. The error is an *Error, or one around it.
func (c *Client) Do(ctx context.Context, method, path string, query url.Values, body, out any) error {
	return c.Send(ctx, Request{Method: method, Path: path, Query: query, Body: body}, out)
}

// reply is Do that returns the answer.
func reply[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any) (out T, err error) {
	err = c.Do(ctx, method, path, query, body, &out)
	return out, err
}

// Send is Do with every part of a request. A token that the server takes for
// expired is refreshed once.
func (c *Client) Send(ctx context.Context, r Request, out any) error {
	for again := false; ; again = true {
		token, err := c.token(ctx)
		if err != nil {
			return err
		}
		err = c.send(ctx, r, token, out)
		if again || !isKind(err, ErrSignIn) {
			return err
		}
		if err := c.renew(ctx, token); err != nil {
			return err
		}
	}
}

// send makes one request. Without a token it is a stranger's.
func (c *Client) send(ctx context.Context, r Request, token string, out any) error {
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, askFor)
		defer cancel()
	}
	req, err := c.prepare(ctx, r, token)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return networkError(c.base, err)
	}
	defer res.Body.Close()
	c.lookAtClock(res.Header.Get("Date"))
	most := cmp.Or(r.most, mostSaid)
	if r.most == 0 && r.Method == http.MethodGet {
		most = mostRead
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, int64(most)+1))
	switch {
	case err != nil:
		e := networkError(c.base, err)
		if errors.Is(err, context.DeadlineExceeded) {
			e.cause = errors.Join(errTooSlow, err)
		}
		return e
	case len(data) > most:
		return &Error{Kind: ErrNetwork, Status: res.StatusCode, Message: fmt.Sprintf("%s answered with more than %d MB", c.base, most>>20), cause: errTooMuch}
	}
	return c.read(r, res, data, out)
}

func (c *Client) prepare(ctx context.Context, r Request, token string) (*http.Request, error) {
	var body io.Reader
	switch b := r.Body.(type) {
	case nil:
	case []byte:
		body = bytes.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	target := c.base + r.Path
	if len(r.Query) > 0 {
		target += "?" + r.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, target, body)
	if err != nil {
		return nil, err
	}
	h := req.Header
	h.Set("Accept", "application/json")
	h.Set("User-Agent", "cairn/"+c.opts.Version)
	h.Set("X-Supabase-Api-Version", "2024-01-01")
	if body != nil {
		h.Set("Content-Type", "application/json")
	}
	if c.opts.AnonKey != "" {
		h.Set("Apikey", c.opts.AnonKey)
	}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	if strings.HasPrefix(r.Path, wire.Rest) {
		profile := "Content-Profile"
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			profile = "Accept-Profile"
		}
		h.Set(profile, "public")
	}
	if r.Prefer != "" {
		h.Set("Prefer", r.Prefer)
	}
	return req, nil
}

// read makes of an answer a value or an error. What is not JSON is not the
// server's word, whatever its status: a proxy or a network's sign-in page says
// it, so nothing may be concluded from it. Nor is an empty answer where one is
// wanted, or one about a table without the range that PostgREST always sends:
// to believe it would drop a record that nobody has.
func (c *Client) read(r Request, res *http.Response, data []byte, out any) error {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	isJSON := strings.HasSuffix(kind, "json")
	empty := len(bytes.TrimSpace(data)) == 0
	switch {
	case res.StatusCode >= 400:
		return c.refusal(res, data, kind, isJSON)
	case res.StatusCode >= 300:
		return c.stranger(res, "it sends us to "+hostOf(res.Header.Get("Location")))
	case empty && out == nil && r.Method != http.MethodGet && (ranged(res) || !r.ofTable()):
		return nil
	case empty:
		return c.stranger(res, "the answer is empty")
	case !isJSON:
		return c.stranger(res, "the answer is "+kindText(kind))
	case r.ofTable() && !ranged(res):
		return c.stranger(res, "the answer has no Content-Range")
	case out != nil && string(bytes.TrimSpace(data)) == "null":
		return c.stranger(res, "the answer is null")
	}
	if out == nil {
		out = new(jsontext.Value)
	}
	if err := json.Unmarshal(data, out); err != nil {
		return &Error{Kind: ErrNetwork, Status: res.StatusCode, Message: c.base + " answered with something else than was asked for: " + last(err), cause: err}
	}
	return nil
}

// ofTable reports whether a request is for rows of a table.
func (r Request) ofTable() bool {
	name, is := strings.CutPrefix(r.Path, wire.Rest)
	return is && !strings.HasPrefix(name, "rpc/")
}

func ranged(res *http.Response) bool {
	return res.Header.Get("Content-Range") != "" || res.Header.Get("Preference-Applied") != ""
}

// stranger is the error of an answer that is not the server's.
func (c *Client) stranger(res *http.Response, what string) *Error {
	return &Error{Kind: ErrNetwork, Status: res.StatusCode, Message: fmt.Sprintf("%s is not what answers: %s; does the network want a sign-in", c.base, what)}
}

func hostOf(location string) string {
	if u, err := url.Parse(location); err == nil && u.Host != "" {
		return u.Host
	}
	return "another page"
}

func kindText(kind string) string {
	switch kind {
	case "":
		return "of no kind"
	case "text/html":
		return "a web page"
	}
	return kind
}

// refusal is the error of an answer of 400 and more.
func (c *Client) refusal(res *http.Response, data []byte, kind string, isJSON bool) *Error {
	e := &Error{Status: res.StatusCode, After: retry.After(res.Header, c.serverNow())}
	var said struct {
		Code      any    `json:"code"`
		ErrorCode string `json:"error_code"`
		Message   string `json:"message"`
		Msg       string `json:"msg"`
		Hint      string `json:"hint"`
	}
	known := isJSON && json.Unmarshal(data, &said) == nil && said.Message+said.Msg+said.ErrorCode != ""
	if known {
		e.Message = said.Message + said.Msg
		if e.Code, _ = said.Code.(string); said.ErrorCode != "" {
			e.Code = said.ErrorCode
		}
	}
	switch s := res.StatusCode; {
	case s == http.StatusRequestTimeout, s == http.StatusTooManyRequests, s >= 500:
		e.Kind = ErrBusy
		if !known {
			e.Message = fmt.Sprintf("%s answered %s", c.base, res.Status)
		}
	case s == http.StatusUnauthorized && isJSON:
		e.Kind = ErrSignIn
	case s == http.StatusRequestEntityTooLarge:
		e.Kind = ErrRefused
		if !known {
			e.Message = "the request is too large"
		}
	case !known:
		return c.stranger(res, res.Status+" and "+kindText(kind))
	case s == http.StatusForbidden:
		e.Kind = ErrDenied
	default:
		e.Kind = ErrRefused
	}
	if e.Message == "" {
		e.Message = fmt.Sprintf("%s answered %s", c.base, res.Status)
	}
	return e
}
