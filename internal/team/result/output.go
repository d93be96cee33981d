package result

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/text"
)

// MostPreview is the length of a preview in characters.
const MostPreview = 200

// Answered sets the answer of a case. Results store only objects: any other
// value, most often a text, becomes {"response": value}. A text is also the
// preview, if there is none.
func (r *Result) Answered(v jsontext.Value) {
	r.Output = v
	switch v.Kind() {
	case 0, 'n', '{':
		return
	case '"':
		var said string
		if r.ResponsePreview == "" && json.Unmarshal(v, &said) == nil {
			r.ResponsePreview = text.First(said, MostPreview)
		}
	}
	r.Output = append(append(jsontext.Value(`{"response":`), v...), '}')
}
