package result

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/text"
)

// MostPreview is how many characters of an answer its preview has.
const MostPreview = 200

// Answered sets what a case answered. Results store objects, which all that
// shows, grades or sends an output can count on; any other value, most often a
// text, becomes {"response": value}. A text is its own preview where there is
// none.
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
