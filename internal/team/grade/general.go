package grade

import (
	"bytes"
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

// said are the places of the text, for types that are not about one member.
var said = []string{"response", "text", "answer", "body", "content"}

func generalTypes() []Type {
	const category = "Any value"
	reference := func(kind cases.Kind) cases.Key {
		return cases.Key{Name: "value", Kind: kind, Expected: true, About: "default: the case's expected"}
	}
	shape := cases.Key{Name: "schema", Kind: cases.Shape, About: "draft-07 or 2020-12; only references within it; format is not checked"}
	return []Type{
		{cases.Spec{Name: "equals", Category: category, Reads: said, Keys: []cases.Key{reference(cases.Any)}, Also: []cases.Also{{Name: "equals_json"}, {Name: "exact_match"}, {Name: "is"}},
			About: "The text, or with path any value, equals value. Blanks at the ends of texts are ignored; lists and objects are compared member by member. If value is not a text and the output's is, the output's is read as JSON. Values of two kinds are not equal: the number 5 is not the text 5."}, of((*exam).readAny, equals)},
		{cases.Spec{Name: "json_schema", Category: category, Reads: said, Keys: []cases.Key{shape}, Also: []cases.Also{{Name: "is_json", How: "without schema any JSON"}, {Name: "is_valid_json", How: "without schema any JSON"}, {Name: "schema"}},
			About: "The text is JSON and nothing else and, with schema, matches it. With path the value may be of any kind: a text may match as it is or read as JSON."}, of((*exam).readAny, jsonSchema)},
		{cases.Spec{Name: "contains_json", Category: category, Reads: said, Keys: []cases.Key{shape}, Also: []cases.Also{{Name: "has_json"}},
			About: "The text contains a JSON object or list and, with schema, one that matches it. Objects and lists inside another one are not tried on their own."}, of((*exam).readAny, containsJSON)},
		{cases.Spec{Name: "levenshtein", Category: category, Reads: said, Keys: []cases.Key{reference(cases.Text), {Name: "max_distance", Kind: cases.Count}, {Name: "min_similarity", Kind: cases.Share}}, Needs: []string{"max_distance", "min_similarity"},
			Also:  []cases.Also{{Name: "edit_distance"}},
			About: "At most max_distance characters have to be inserted, deleted or replaced to turn the text into value; the similarity is 1 minus the distance divided by the length of the longer text. With texts of more than 10,000 characters the case is an error."}, of((*exam).readText, levenshteinCheck)},
		{cases.Spec{Name: "rouge", Category: category, Reads: said, Keys: []cases.Key{reference(cases.Text), {Name: "n", Kind: cases.Count, Default: "1", Among: strings.Split("123456789", ""), About: "words in an n-gram, 1 to 9"}, {Name: "measure", Kind: cases.Text, Default: "recall", Among: measures[:], About: "recall, precision or f1"}, {Name: "min", Kind: cases.Share, Default: "0.75"}},
			Also: []cases.Also{{Name: "rouge_n"}, {Name: "rouge_1"}, {Name: "rouge_2", How: "with n: 2"}},
			About: "ROUGE-N (Lin 2004) of the text against value is at least min: the n-grams of lower-case words that both have, as a share of value's (recall) or of the text's (precision), or 2·P·R/(P+R) (f1). " +
				"With texts of more than 100,000 words the case is an error."}, of((*exam).readText, rougeCheck)},
	}
}

func (x *exam) readAny() (any, bool) {
	return read(x, x.reads, "a value", func(v any) (any, bool) {
		s, isText := v.(string)
		return v, v != nil && !(isText && strings.TrimSpace(s) == "")
	})
}

// reference is the right answer that the expectation compares with.
func (x *exam) reference() (any, bool) {
	if x.want.Has("value") {
		return x.want.Value("value"), true
	}
	v, ok := x.kase.Expected()
	if !ok {
		x.absent("there is no right answer to compare with; give the expectation a value, or the case a member \"expected\"")
	}
	return v, ok
}

// referenceText is reference for types that compare texts.
func (x *exam) referenceText() (string, bool) {
	v, ok := x.reference()
	s, isText := v.(string)
	if ok && !isText {
		x.absent("the right answer must be a text to compare with, not %s", kindOf(v))
	}
	return s, ok && isText
}

// decoded reads a text that is JSON and nothing else.
func decoded(s string) (v any, err error) {
	err = json.Unmarshal([]byte(s), &v)
	return v, err
}

func equals(x *exam, v any) {
	want, ok := x.reference()
	if !ok {
		return
	}
	if s, isText := v.(string); isText {
		if w, ok := want.(string); ok {
			if strings.TrimSpace(s) != strings.TrimSpace(w) {
				x.differ(w, s, "the text is %s, not %s", spoken(s), spoken(w))
			}
			return
		}
		said, err := decoded(s)
		if err != nil {
			x.differ(want, s, "the text is not JSON, so it does not equal %s", spoken(want))
			return
		}
		v = said
	}
	if !reflect.DeepEqual(v, want) {
		x.differ(want, v, "the value is %s, not %s", spoken(v), spoken(want))
	}
}

func jsonSchema(x *exam, v any) {
	if s, isText := v.(string); isText {
		said, err := decoded(s)
		if err != nil && !(x.want.Path != nil && x.want.Schema("schema") != nil) {
			x.fail("the text is not JSON: %s", notJSON(err))
			return
		}
		if err == nil && (x.want.Path == nil || !x.bySchema(v)) {
			v = said
		}
	}
	x.valid(v)
}

// bySchema reports whether a value is valid as it stands.
func (x *exam) bySchema(v any) bool {
	s := x.want.Schema("schema")
	return s != nil && s.Check(v) == nil
}

// valid checks a value against the schema, if there is one.
func (x *exam) valid(v any) {
	s := x.want.Schema("schema")
	if s == nil {
		return
	}
	switch err := s.Check(v); {
	case errors.Is(err, cases.ErrCostly):
		x.unknown("%s", err)
	case err != nil:
		x.fail("does not match the schema: %s", text.First(strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "validating ", "")), " "), 300))
	}
}

func notJSON(err error) string {
	var at *jsontext.SyntacticError
	if errors.As(err, &at) && at.Err != nil {
		return strings.TrimPrefix(at.Err.Error(), "jsontext: ")
	}
	return text.First(strings.TrimPrefix(err.Error(), "jsontext: "), mostShort)
}

// mostScanned is how much is read of a text in search of JSON: brackets that
// never close are read to the end again and again.
const mostScanned = 8 << 20

func containsJSON(x *exam, v any) {
	s, isText := v.(string)
	if !isText {
		if _, isNumber := v.(float64); isNumber {
			x.absent("the value must be a text, a list or an object, not a number")
			return
		}
		x.valid(v)
		return
	}
	data, read, last := []byte(s), int64(0), ""
	for at := 0; ; {
		i := bytes.IndexAny(data[at:], "{[")
		if i < 0 {
			break
		}
		at += i
		dec := jsontext.NewDecoder(bytes.NewReader(data[at:]))
		found, err := dec.ReadValue()
		read += dec.InputOffset() + 256 // each costs something
		var broken *jsontext.SyntacticError
		if errors.As(err, &broken) {
			read += broken.ByteOffset
		}
		if read > mostScanned {
			x.unknown("the text has too many brackets to look for JSON in it")
			return
		}
		if err != nil {
			at++
			continue
		}
		var value any
		if json.Unmarshal(found, &value) == nil {
			trial := exam{kase: x.kase, want: x.want, out: x.out}
			if trial.valid(value); trial.err != "" {
				x.err = trial.err
				return
			}
			if len(trial.failures) == 0 {
				return
			}
			last = trial.failures[0].Message
		}
		at += max(1, int(dec.InputOffset()))
	}
	if last != "" {
		x.fail("no JSON in the text matches the schema: %s", last)
		return
	}
	x.fail("the text contains no JSON object or list")
}
