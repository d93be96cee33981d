package reader

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// foreign are the options for JSON that other tools wrote: half a surrogate
// pair, as from a response that was cut, becomes U+FFFD.
func foreign() json.Options { return jsontext.AllowInvalidUTF8(true) }

// decode reads one JSON value that fills data.
func decode(data []byte, v any) {
	if err := json.Unmarshal(data, v, foreign()); err != nil {
		must.Fail(result.Explain(data, err)[0])
	}
}

// withoutNaN writes null for the NaN and Infinity that Python writes.
func withoutNaN(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	out := make([]byte, 0, len(data))
	quoted := false
	for i := 0; i < len(data); i++ {
		b := data[i]
		switch {
		case b == '"':
			quoted = !quoted
		case b == '\\' && quoted && i+1 < len(data):
			out = append(out, b)
			i++
			b = data[i]
		case !quoted:
			n := 0
			for _, word := range [...]string{"NaN", "Infinity", "-Infinity"} {
				if bytes.HasPrefix(data[i:], []byte(word)) {
					n = len(word)
				}
			}
			if n > 0 {
				out = append(out, "null"...)
				i += n - 1
				continue
			}
		}
		out = append(out, b)
	}
	return out
}

// quote is s as a JSON string.
func quote(s string) jsontext.Value {
	b, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\ufffd"))
	if err != nil {
		return jsontext.Value(`""`)
	}
	return b
}

// quoted is quote, and nothing for an empty text.
func quoted(s string) jsontext.Value {
	if s == "" {
		return nil
	}
	return quote(s)
}

// array is a list of values without the empty ones, and nothing for none.
func array(list []jsontext.Value) jsontext.Value {
	out := []byte{'['}
	for _, v := range list {
		if len(v) == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	if len(out) == 1 {
		return nil
	}
	return append(out, ']')
}

// object writes members in their order; those without a value are left out.
func object(members ...member) jsontext.Value {
	out := []byte{'{'}
	for _, m := range members {
		if len(m.value) == 0 || m.value.Kind() == 'n' {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, quote(m.name)...)
		out = append(out, ':')
		out = append(out, m.value...)
	}
	if len(out) == 1 {
		return nil
	}
	return append(out, '}')
}

type member struct {
	name  string
	value jsontext.Value
}

// asText is a string's text, and any other value as JSON.
func asText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		var s string
		if json.Unmarshal(v, &s, foreign()) == nil {
			return s
		}
	case 'n', 0:
		return ""
	}
	return string(v)
}

// valid makes a value that may stand in a file of ours: half surrogates go.
func valid(v jsontext.Value) jsontext.Value {
	if len(v) == 0 {
		return nil
	}
	var out bytes.Buffer
	dec := jsontext.NewDecoder(bytes.NewReader(v), foreign())
	enc := jsontext.NewEncoder(&out, foreign())
	whole, err := dec.ReadValue()
	if err != nil || enc.WriteValue(whole) != nil {
		return nil
	}
	return bytes.TrimSpace(out.Bytes())
}

// respond sets what a case answered. A response that is no object becomes one.
func respond(r *result.Result, v jsontext.Value) {
	switch v.Kind() {
	case 0, 'n':
		return
	case '{':
		if v = valid(v); len(v) > 2 {
			r.Output = v
			r.ResponsePreview = preview(string(v))
		}
	default:
		s := asText(v)
		if s == "" {
			return
		}
		r.ResponsePreview = preview(s)
		r.Answered(valid(v))
	}
}

// asks sets what identifies the input of a case, if the file says it.
func asks(r *result.Result, input string) {
	if input != "" {
		r.SetContent(result.Identity{Input: result.ContentID(input)})
	}
}

// tokensOf are the counts of tokens above 0.
func tokensOf(input, output, cacheRead, cacheWrite float64) member {
	var list []member
	for _, n := range [...]struct {
		name string
		n    float64
	}{{"input", input}, {"output", output}, {"cache_read", cacheRead}, {"cache_write", cacheWrite}} {
		if n.n > 0 {
			list = append(list, member{n.name, numeral(n.n)})
		}
	}
	return member{"tokens", object(list...)}
}

// unknownModel is the model of costs whose file names none.
const unknownModel = "(unknown)"

// byModel sorts costs.
func byModel(costs []result.Cost) {
	slices.SortFunc(costs, func(a, b result.Cost) int { return strings.Compare(a.Model, b.Model) })
}

// numeral is a figure as JSON.
func numeral(f float64) jsontext.Value { return jsontext.Value(strconv.FormatFloat(f, 'g', -1, 64)) }

// optional is a figure that may not be there.
func optional(f *float64) jsontext.Value {
	if f == nil {
		return nil
	}
	return numeral(*f)
}

// number reads a figure of a property; text that is none is not ok.
func number(s string) (f float64, ok bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// whole reads a count, which JSON of JavaScript may write as 12.0.
func whole(f float64) int64 {
	if !(f > -1e15 && f < 1e15) {
		return 0
	}
	return int64(f)
}

// unixMS is the time of JavaScript's clock.
func unixMS(ms float64) result.Time {
	if !(ms > 0 && ms < 1e14) {
		return result.Time{}
	}
	return result.Time{Time: time.UnixMilli(int64(ms)).UTC()}
}

// stamp reads a time; one that is not understood is none.
func stamp(s string) result.Time {
	t, _ := result.ParseTime(s)
	return t
}

// addScore adds one criterion's score.
func addScore(r *result.Result, criterion string, score float64) {
	if r.JudgeScores == nil {
		r.JudgeScores = map[string]float64{}
	}
	r.JudgeScores[criterion] = score
}
