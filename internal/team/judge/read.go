package judge

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// OutputOf is what there is to judge of a result: its output, as text where
// that is all there is of it. It is "" where the runner wrote none; a preview
// is not judged, for what was cut off may be what matters.
func OutputOf(r *result.Result) string { return TextOf(r.Output) }

// TextOf is an object as a judge reads it: the text of its only member, or all
// of it as JSON; "" where there is nothing in it.
func TextOf(object jsontext.Value) string {
	var members map[string]jsontext.Value
	if object.Kind() != '{' || json.Unmarshal(object, &members) != nil || len(members) == 0 {
		return ""
	}
	for _, v := range members {
		if len(members) == 1 {
			return plainText(v)
		}
	}
	return indented(object)
}

// InputOf is what the output answers, where the result says so in a member that
// runners have for it: input, prompt, user_message or vars.
func InputOf(r *result.Result) string {
	var members map[string]jsontext.Value
	if len(r.X) == 0 || json.Unmarshal(r.X, &members) != nil {
		return ""
	}
	for _, name := range [...]string{"input", "prompt", "user_message", "vars"} {
		if text := plainText(members[name]); text != "" {
			return text
		}
	}
	return ""
}

// plainText is a string as it is, anything else as JSON.
func plainText(v jsontext.Value) string {
	var text string
	switch {
	case len(v) == 0 || v.Kind() == 'n':
		return ""
	case json.Unmarshal(v, &text) == nil:
		return text
	}
	return indented(v)
}

func indented(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Indent() // it was read before, so it is JSON
	return string(v)
}
