package judge

import (
	"fmt"
	"math"
	"net/http"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
)

const (
	// Embeddings is the vendor of similar: OpenAI's server, or a compatible one.
	Embeddings = "embeddings"
	// EmbeddingModel is the default model of similar.
	EmbeddingModel = "text-embedding-3-small"

	similarity = "similarity" // the one criterion of similar
)

// embedAPI asks for the embeddings of two texts and replies with their cosine in
// the form of a judge's answer.
type embedAPI struct{ openAPI }

func (embedAPI) request(m *message) ([]string, any) {
	texts := []string{}
	for _, t := range m.turns {
		texts = append(texts, t.Content)
	}
	return []string{"embeddings"}, struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{m.model, texts}
}

func (embedAPI) sign(h http.Header, key string) { openAPI{}.sign(h, key) }

func (embedAPI) reply(data []byte) (reply, error) {
	var in struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"`
		Usage struct {
			Prompt int64 `json:"prompt_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return reply{}, err
	}
	r := reply{usage: result.Cost{InputTokens: in.Usage.Prompt}}
	if len(in.Data) != 2 || in.Data[0].Index == in.Data[1].Index || len(in.Data[0].Embedding) != len(in.Data[1].Embedding) {
		return r, nil // not usable, and so an error
	}
	near, ok := cosine(in.Data[0].Embedding, in.Data[1].Embedding)
	if ok {
		r.text = fmt.Sprintf(`{"criteria":{%q:{"reasoning":"cosine of the embeddings","score":%.6f}}}`, similarity, near)
	}
	return r, nil
}

// cosine of the angle between two vectors, 0 where they point away from each
// other; ok is false where one has no direction.
func cosine(a, b []float64) (c float64, ok bool) {
	var dot, aa, bb float64
	for i := range a {
		dot += a[i] * b[i]
		aa += a[i] * a[i]
		bb += b[i] * b[i]
	}
	c = dot / (math.Sqrt(aa) * math.Sqrt(bb))
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return 0, false
	}
	return min(1, max(0, c)), true
}
