package judge

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
	"cairn/internal/tokens"
)

// An api is one way to ask a model.
type api interface {
	// request returns where below the endpoint's address a message goes, and
	// what goes there.
	request(m *message) (path []string, body any)
	// sign puts the key into a request.
	sign(h http.Header, key string)
	// reply reads an answer with status 200.
	reply(data []byte) (reply, error)
}

// message is what a model is asked.
type message struct {
	model       string
	system      string
	turns       []turn
	schema      map[string]any
	limit       int // tokens of the answer, thinking among them
	temperature *float64
	without     map[string]bool // optional parts that the server has refused
}

// size is how many tokens are sent, estimated.
func (m *message) size() int {
	n := tokens.Estimate(m.system)
	for _, t := range m.turns {
		n += tokens.Estimate(t.Content)
	}
	return n
}

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Optional parts of a request, as servers call them when they refuse one.
const (
	partSchema = "schema"
	partLimit  = "limit"
)

// reply is what came back.
type reply struct {
	text    string
	usage   result.Cost // tokens of one call
	stopped stop
	refusal string // what it said instead
}

// stop is why an answer ended.
type stop int

const (
	done stop = iota
	full      // at the limit of tokens
	refused
)

// encode writes a request. What was cut in the middle of a letter by a runner
// is sent with a mark for it.
func encode(body any) ([]byte, error) {
	return json.Marshal(body, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// refusedPart is the optional part of a request that a server's message says
// it does not take, "" if it says of none.
func refusedPart(message string) string {
	for _, p := range [...]struct{ said, part string }{
		{"output_config", partSchema}, {"output_format", partSchema}, {"response_format", partSchema}, {"json_schema", partSchema}, {"structured output", partSchema},
		{"max_completion_tokens", partLimit}, {"max_tokens", partLimit},
	} {
		if strings.Contains(strings.ToLower(message), p.said) {
			return p.part
		}
	}
	return ""
}

// anthropicAPI is the Messages API. The schema goes by output_config: the tool
// that older clients forced for it is refused by models since 5.5.
type anthropicAPI struct{}

const anthropicVersion = "2023-06-01"

func (anthropicAPI) request(m *message) ([]string, any) {
	type format struct {
		Type   string         `json:"type"`
		Schema map[string]any `json:"schema"`
	}
	type config struct {
		Format format `json:"format"`
	}
	body := struct {
		Model       string   `json:"model"`
		MaxTokens   int      `json:"max_tokens"`
		System      string   `json:"system"`
		Messages    []turn   `json:"messages"`
		Temperature *float64 `json:"temperature,omitzero"`
		Config      *config  `json:"output_config,omitzero"`
	}{m.model, m.limit, m.system, m.turns, m.temperature, nil}
	if !m.without[partSchema] {
		body.Config = &config{format{"json_schema", m.schema}}
	}
	return []string{"v1", "messages"}, body
}

func (anthropicAPI) sign(h http.Header, key string) {
	h.Set("X-Api-Key", key)
	h.Set("Anthropic-Version", anthropicVersion)
}

func (anthropicAPI) reply(data []byte) (reply, error) {
	var in struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StopReason string `json:"stop_reason"`
		Usage      struct {
			Input      int64 `json:"input_tokens"`
			Output     int64 `json:"output_tokens"`
			CacheRead  int64 `json:"cache_read_input_tokens"`
			CacheWrite int64 `json:"cache_creation_input_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return reply{}, err
	}
	u := in.Usage
	r := reply{usage: result.Cost{InputTokens: u.Input, OutputTokens: u.Output, CacheReadTokens: u.CacheRead, CacheWriteTokens: u.CacheWrite}}
	for _, part := range in.Content {
		if part.Type == "text" {
			r.text += part.Text
		}
	}
	switch in.StopReason {
	case "max_tokens":
		r.stopped = full
	case "refusal":
		r.stopped, r.refusal = refused, r.text
	}
	return r, nil
}

// openAPI is chat completions, of OpenAI and of all who speak as they do.
type openAPI struct{}

func (openAPI) request(m *message) ([]string, any) {
	type schema struct {
		Name   string         `json:"name"`
		Strict bool           `json:"strict"`
		Schema map[string]any `json:"schema"`
	}
	type format struct {
		Type   string `json:"type"`
		Schema schema `json:"json_schema"`
	}
	body := struct {
		Model       string   `json:"model"`
		Messages    []turn   `json:"messages"`
		Limit       int      `json:"max_completion_tokens,omitzero"`
		Temperature *float64 `json:"temperature,omitzero"`
		Format      *format  `json:"response_format,omitzero"`
	}{Model: m.model, Temperature: m.temperature}
	body.Messages = append([]turn{{"system", m.system}}, m.turns...)
	if !m.without[partLimit] {
		body.Limit = m.limit
	}
	if !m.without[partSchema] {
		body.Format = &format{"json_schema", schema{"judgement", true, m.schema}}
	}
	return []string{"chat", "completions"}, body
}

func (openAPI) sign(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func (openAPI) reply(data []byte) (reply, error) {
	var in struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"` // null is ""
				Refusal string `json:"refusal"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Prompt     int64 `json:"prompt_tokens"` // those of a cache among them
			Completion int64 `json:"completion_tokens"`
			Details    struct {
				Cached int64 `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return reply{}, err
	}
	u := in.Usage
	cached := min(max(0, u.Details.Cached), u.Prompt)
	r := reply{usage: result.Cost{InputTokens: u.Prompt - cached, OutputTokens: u.Completion, CacheReadTokens: cached}}
	if len(in.Choices) == 0 {
		return r, nil
	}
	c := in.Choices[0]
	r.text = c.Message.Content
	switch {
	case c.Message.Refusal != "" || c.FinishReason == "content_filter":
		r.stopped, r.refusal = refused, c.Message.Refusal
	case c.FinishReason == "length":
		r.stopped = full
	}
	return r, nil
}

// The two kinds of API that are spoken.
const (
	Anthropic = "anthropic" // the Messages API
	OpenAI    = "openai"    // chat completions, as many servers speak them
)

// ParseTier reads a tier or one of the names that models gave it: haiku, sonnet
// and opus. "" is standard.
func ParseTier(word string) (tier string, ok bool) {
	switch strings.ToLower(word) {
	case "fast", "haiku":
		return "fast", true
	case "", "standard", "sonnet":
		return "standard", true
	case "full", "opus":
		return "full", true
	}
	return "", false
}

// ModelOf returns a vendor's model of a tier, "" where there is none: what a judge
// costs and how well it judges. The price table has the same ones.
func ModelOf(vendor, tier string) string {
	tier, _ = ParseTier(tier)
	return map[string]map[string]string{
		Anthropic: {"fast": "claude-haiku-5-5", "standard": "claude-sonnet-5-5", "full": "claude-opus-5-5"},
		OpenAI:    {"fast": "gpt-6-luna", "standard": "gpt-6.1-terra", "full": "gpt-6.1-sol"},
	}[vendor][tier]
}

// Model is the model of a tier where a question names none: of the vendor that
// there is a key for, Anthropic first, or of the server that was named.
func (c *Client) Model(tier string) string {
	if c.Anthropic.Key == "" && (c.OpenAI.Key != "" || c.OpenAI.URL != "") {
		return ModelOf(OpenAI, tier)
	}
	return ModelOf(Anthropic, tier)
}

// VendorOf says which API a model is asked through, and under what name:
// anthropic:NAME and openai:NAME say so, of the rest claude models are
// Anthropic's.
func VendorOf(model string) (vendor, name string) {
	for _, v := range []string{Anthropic, OpenAI} {
		if name, ok := strings.CutPrefix(model, v+":"); ok {
			return v, name
		}
	}
	if strings.HasPrefix(strings.ToLower(model), "claude") {
		return Anthropic, model
	}
	return OpenAI, model
}
