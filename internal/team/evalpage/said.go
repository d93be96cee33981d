package evalpage

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// A Text is one text of a stranger, under a name.
type Text struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Cut  int    `json:"cut,omitzero"` // bytes that the page does not have
}

// mostText is how many bytes of one text a page has. The script shows fewer at first.
const mostText = 1 << 20

func textOf(name, said string) Text {
	t := Text{Name: Visible(name), Text: said}
	if len(said) > mostText {
		t.Text, t.Cut = strings.ToValidUTF8(said[:mostText], ""), len(said)-mostText
	}
	t.Text = Visible(t.Text)
	return t
}

// Visible spells out what a reader would not see: control characters, and characters
// that turn the direction of writing or have no width.
func Visible(said string) string {
	if !strings.ContainsFunc(said, unseen) && utf8.ValidString(said) {
		return said
	}
	var b strings.Builder
	for _, r := range strings.ReplaceAll(said, "\r\n", "\n") {
		switch {
		case !unseen(r):
			b.WriteRune(r)
		case r == 0x1b:
			b.WriteString("⟨ESC⟩")
		default:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		}
	}
	return b.String()
}

func unseen(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r == '\u200c' || r == '\u200d': // joiners, which scripts and emoji are written with
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u00ad' || r == '\u2028' || r == '\u2029' || r >= 0xe0000 && r <= 0xe0fff
}

// members are those of an object in their order.
func members(v jsontext.Value) (list []member) {
	dec := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if v.Kind() != '{' {
		return nil
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return list
		}
		of := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return list
		}
		list = append(list, member{of, value.Clone()})
	}
	return list
}

type member struct {
	name  string
	value jsontext.Value
}

// plain is a value as a person reads it: a text as it is, messages one after the
// other, anything else as JSON; "" where there is nothing in it.
func plain(v jsontext.Value) string {
	var said string
	switch {
	case len(v) == 0 || v.Kind() == 'n' || string(v) == "{}" || string(v) == "[]":
		return ""
	case v.Kind() == '"' && json.Unmarshal(v, &said, jsontext.AllowInvalidUTF8(true)) == nil:
		return said
	}
	if said = messages(v); said != "" {
		return said
	}
	v = v.Clone()
	if v.Indent(jsontext.WithIndent("  ")) != nil {
		return string(v)
	}
	return string(v)
}

// messages are those of a conversation, "" where a value is none.
func messages(v jsontext.Value) string {
	var list []struct {
		Role    string         `json:"role"`
		Content jsontext.Value `json:"content"`
	}
	if v.Kind() != '[' || json.Unmarshal(v, &list) != nil || len(list) == 0 {
		return ""
	}
	var b strings.Builder
	for i, m := range list {
		said := plain(m.Content)
		if m.Role == "" || said == "" {
			return ""
		}
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(m.Role + ":\n" + said)
	}
	return b.String()
}

// Members of a result under which runners and readers keep what was asked and
// what was wanted. The first that is there counts.
var (
	inputNames    = []string{"input", "question", "user_message", "vars"}
	promptNames   = []string{"rendered_prompt", "prompt", "messages"}
	expectedNames = []string{"expected", "expected_output", "reference", "target", "ideal"}
	traceNames    = []string{"trace_url", "trace"}
	usageNames    = []string{"usage", "token_usage", "tokens"}
	// shownElsewhere have a place of their own on the page.
	shownElsewhere = []string{"judges", "judge_thresholds", "checks", "turns", "turns_used", "identity"}
)

// asked is what a result was asked, and the members that are left.
func asked(r *result.Result) (texts []Text, rest []member) {
	all := members(r.X)
	take := func(name string, of []string) {
		for _, one := range of {
			i := slices.IndexFunc(all, func(m member) bool { return m.name == one })
			if i < 0 {
				continue
			}
			if said := plain(all[i].value); said != "" {
				texts = append(texts, textOf(name, said))
				all = slices.Delete(all, i, i+1)
				return
			}
		}
	}
	take("Input", inputNames)
	take("Prompt", promptNames)
	take("Expected", expectedNames)
	if len(texts) > 1 && texts[0].Name == "Input" && texts[1].Name == "Prompt" && texts[0].Text == texts[1].Text {
		texts = slices.Delete(texts, 0, 1)
	}
	return texts, all
}

// answered is what came back: the members of the output, or the preview where the
// runner wrote no output.
func answered(r *result.Result) (texts []Text) {
	list := members(r.Output)
	for _, m := range list {
		said := plain(m.value)
		if said == "" {
			continue
		}
		name := m.name
		if len(list) == 1 {
			name = ""
		}
		texts = append(texts, textOf(name, said))
	}
	if len(list) == 0 {
		if said := plain(r.Output); said != "" {
			return []Text{textOf("", said)}
		}
		if said := strings.TrimSpace(r.ResponsePreview); said != "" {
			return []Text{textOf("Preview of the response", said)}
		}
	}
	return texts
}

// find returns the first member of these names.
func find(list []member, names []string) jsontext.Value {
	for _, name := range names {
		for _, m := range list {
			if m.name == name {
				return m.value
			}
		}
	}
	return nil
}

// traceOf is the address of a trace that a runner names, "" where it names none
// that is safe to follow.
func traceOf(list []member) string {
	var said string
	if v := find(list, traceNames); v.Kind() != '"' || json.Unmarshal(v, &said) != nil {
		return ""
	}
	return webAddress(said)
}

// webAddress is an address that a link may lead to: https, with a host and nothing
// that hides it.
func webAddress(said string) string {
	u, err := url.Parse(said)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Opaque != "" || strings.ContainsFunc(said, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return u.String()
}

// tokensOf says how many tokens an attempt used, "" where the runner does not say.
func tokensOf(list []member) string {
	v, used := find(list, usageNames), map[string]float64{}
	if v.Kind() == '0' {
		v = jsontext.Value(`{"total": ` + string(v) + `}`)
	}
	for _, m := range members(v) {
		var n float64
		if m.value.Kind() == '0' && json.Unmarshal(m.value, &n) == nil && n < 1e15 {
			used[m.name] = n
		}
	}
	in := cmp.Or(used["input_tokens"], used["prompt_tokens"], used["input"], used["prompt"])
	out := cmp.Or(used["output_tokens"], used["completion_tokens"], used["output"], used["completion"])
	switch total := cmp.Or(used["total_tokens"], used["total"]); {
	case in > 0 || out > 0:
		return text.Approx(int64(in)) + " tokens in, " + text.Approx(int64(out)) + " out"
	case total > 0:
		return text.Approx(int64(total)) + " tokens"
	}
	return ""
}
