package judge

import "strings"

// The two kinds of API that are spoken.
const (
	Anthropic = "anthropic" // the Messages API
	OpenAI    = "openai"    // chat completions, as many servers speak them
)

// tiers are the models of each tier: what a judge costs and how well it judges.
// The price table has the same ones.
var tiers = map[string]map[string]string{
	Anthropic: {"fast": "claude-haiku-5-5", "standard": "claude-sonnet-5-5", "full": "claude-opus-5-5"},
	OpenAI:    {"fast": "gpt-6-luna", "standard": "gpt-6.1-terra", "full": "gpt-6.1-sol"},
}

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

// ModelOf returns a vendor's model of a tier, "" where there is none.
func ModelOf(vendor, tier string) string {
	tier, _ = ParseTier(tier)
	return tiers[vendor][tier]
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
