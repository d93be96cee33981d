package judge

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
)

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
