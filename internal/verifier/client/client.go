// Package client asks a language model which lines a compaction should not have
// left out: one POST to the Messages API, and nothing else. Only the process of
// verifier.AskChild and who shows what would be asked import it.
package client

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // the prompt
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"cairn/internal/compact"
	"cairn/internal/tokens"
	"cairn/internal/verifier"
)

// Errors of Ask besides those of the context and the network.
var (
	ErrAnswer = errors.New("the verifier's answer makes no sense")
	ErrURL    = errors.New("not an address of an API")
)

// A StatusError is a refusal by the server.
type StatusError struct {
	Host   string
	Code   int    // such as 429
	Status string // such as "429 Too Many Requests"
}

func (e *StatusError) Error() string { return e.Host + " answered " + e.Status }

// FromEnv is the client of the environment; it may lack a key.
func FromEnv(getenv func(string) string, model string) Client {
	return Client{BaseURL: cmp.Or(getenv(verifier.URLVariable), DefaultURL), Key: getenv(verifier.KeyVariable), Model: model}
}

// A Client is whom to ask.
type Client struct {
	BaseURL string // "": DefaultURL; with a path if the API is below one
	Key     string
	Model   string
}

// DefaultURL is asked when the environment names no other.
const DefaultURL = "https://api.anthropic.com"

const (
	apiVersion = "2023-06-01"
	answerMax  = 512      // tokens; numbers alone take far fewer
	replyMax   = 64 << 10 // bytes
)

//go:embed prompt.md
var system string

// Prompt is the text that Ask sends for q, and its size in tokens, estimated.
func Prompt(q compact.Question) (text string, size int) {
	var b strings.Builder
	last := 0
	for _, l := range q.Lines {
		if last > 0 && l.N-last > len(q.Lines) { // more than blank lines are missing
			b.WriteString("(lines that are not sent)\n")
		}
		last = l.N
		b.WriteString(strconv.Itoa(l.N))
		if l.Shown {
			b.WriteString("= ")
		} else {
			b.WriteString("- ")
		}
		b.WriteString(l.Text + "\n")
	}
	text = b.String()
	return text, tokens.Estimate(system) + tokens.Estimate(text)
}

type (
	request struct {
		Model     string    `json:"model"`
		MaxTokens int       `json:"max_tokens"`
		System    string    `json:"system"`
		Messages  []message `json:"messages"`
	}
	message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	reply struct {
		Model   string
		Content []struct{ Type, Text string }
		Usage   struct {
			Input      int `json:"input_tokens"`
			CacheWrite int `json:"cache_creation_input_tokens"`
			CacheRead  int `json:"cache_read_input_tokens"`
			Output     int `json:"output_tokens"`
		}
	}
)

// Ask returns the answer to q. With ErrAnswer it has what the answer cost and
// nothing else.
func (c Client) Ask(ctx context.Context, q compact.Question) (compact.Answer, error) {
	text, _ := Prompt(q)
	body, err := json.Marshal(request{c.Model, answerMax, system, []message{{"user", text}}})
	if err != nil {
		return compact.Answer{}, err
	}
	data, err := c.post(ctx, body)
	if err != nil {
		return compact.Answer{}, err
	}
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return compact.Answer{}, ErrAnswer
	}
	a := compact.Answer{Model: r.Model, InputTokens: r.Usage.Input + r.Usage.CacheWrite + r.Usage.CacheRead, OutputTokens: r.Usage.Output}
	if a.Model == "" {
		a.Model = c.Model
	}
	said := ""
	for _, part := range r.Content {
		if part.Type == "text" {
			said += part.Text
		}
	}
	a.Numbers, a.Lines, err = missing(said)
	return a, err
}

// post sends body and returns the reply to it.
func (c Client) post(ctx context.Context, body []byte) ([]byte, error) {
	base := cmp.Or(c.BaseURL, DefaultURL)
	at, err := url.Parse(base)
	if err != nil {
		return nil, ErrURL // which may hold a password: it is not repeated
	}
	if at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		return nil, fmt.Errorf("%q: %w", at.Redacted(), ErrURL)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.JoinPath("v1", "messages").String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Api-Key", c.Key)
	req.Header.Set("Anthropic-Version", apiVersion)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "cairn")
	client := http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, MaxResponseHeaderBytes: replyMax},
		// The key and the output go where the user said, and nowhere that an
		// answer names.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, &StatusError{at.Host, res.StatusCode, res.Status}
	}
	return io.ReadAll(io.LimitReader(res.Body, replyMax)) // a longer one is no JSON then
}

// missing reads what the model said: {"missing": [12, "a whole line"]},
// perhaps in a code fence, or NONE.
func missing(said string) (numbers []int, whole []string, err error) {
	if strings.Trim(said, " \n.\"`") == "NONE" {
		return nil, nil, nil
	}
	var a struct{ Missing *[]json.RawMessage }
	start := max(strings.IndexByte(said, '{'), 0)
	if err := json.NewDecoder(strings.NewReader(said[start:])).Decode(&a); err != nil || a.Missing == nil {
		return nil, nil, ErrAnswer
	}
	for _, m := range *a.Missing {
		var n int
		var line string
		switch {
		case json.Unmarshal(m, &n) == nil:
			numbers = append(numbers, n)
		case json.Unmarshal(m, &line) == nil:
			whole = append(whole, line)
		default:
			return nil, nil, ErrAnswer
		}
	}
	return numbers, whole, nil
}
