package judge

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
)

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
