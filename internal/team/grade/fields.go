package grade

import (
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

var anywhere = []string{"extracted_fields", "fields", "."}

func fieldTypes() []Type {
	return []Type{
		{cases.Spec{Name: "has_field", Category: "Field extraction", Reads: anywhere,
			Keys:  []cases.Key{{Name: "field", Kind: cases.Where, Required: true}, {Name: "min_length", Kind: cases.Count, Default: "1", About: "characters of a text, entries of a list"}},
			About: "The field is filled: not null, no blank text, no empty list or object. false and 0 are filled. A field is looked for in each place in turn and may be a path (address.city)."}, hasField},
		{cases.Spec{Name: "has_fields", Category: "Field extraction", Reads: anywhere,
			Keys:  []cases.Key{{Name: "fields", Kind: cases.Places, Required: true}},
			About: "Every field is filled."}, hasFields},
		{cases.Spec{Name: "field_is", Category: "Field extraction", Reads: anywhere,
			Keys:  []cases.Key{{Name: "field", Kind: cases.Where, Required: true}, {Name: "value", Kind: cases.Scalar, Required: true}},
			About: "The field equals value: texts as they are written, numbers as numbers; the text \"5\" is not the number 5."}, fieldIs},
		{cases.Spec{Name: "field_contains", Category: "Field extraction", Reads: anywhere,
			Keys:  []cases.Key{{Name: "field", Kind: cases.Where, Required: true}, {Name: "patterns", Kind: cases.Patterns, Required: true}},
			About: "The field contains every pattern; of a list, in some entry."}, fieldContains},
		{cases.Spec{Name: "field_missing", Category: "Field extraction", Reads: fields,
			Keys:  []cases.Key{{Name: "field", Kind: cases.Where, Required: true}},
			About: "The field is absent or not filled. The object that would hold it has to be there; path: . looks in the whole output."}, fieldMissing},
		{cases.Spec{Name: "min_fields_filled", Category: "Field extraction", Reads: fields,
			Keys:  []cases.Key{{Name: "value", Kind: cases.Count, Required: true}},
			About: "At least so many of the object's fields are filled."}, minFieldsFilled},
	}
}

// filled reports whether a value says something, and how long it is.
func filled(v any) (length int, ok bool) {
	switch v := v.(type) {
	case nil:
		return 0, false
	case string:
		return chars(v), strings.TrimSpace(v) != ""
	case []any:
		return len(v), len(v) > 0
	case map[string]any:
		return len(v), len(v) > 0
	}
	return len(spoken(v)), true
}

// field returns the value of a field in the first place that has it.
func (x *exam) field(p cases.Path) (any, bool) {
	places := x.reads
	if x.want.Path != nil {
		places = []string{x.want.Given}
	}
	for _, place := range places {
		object, _ := lookup(x.out.Value, place)
		if v, ok := p.In(object); ok {
			return v, true
		}
	}
	return nil, false
}

func (x *exam) noField(name string) {
	places := x.reads
	if x.want.Path != nil {
		places = []string{x.want.Given}
	}
	f := x.fail("output has no field %s (looked in %s)", text.First(name, mostShort), strings.ReplaceAll(strings.Join(places, ", "), ", .", ", the output itself"))
	f.Criterion = name
}

// wanted returns the path and the name of the key "field".
func (x *exam) wantedField() (cases.Path, string) {
	p, _ := x.want.Where("field")
	return p, p.String()
}

func hasField(x *exam) {
	p, name := x.wantedField()
	v, ok := x.field(p)
	if !ok {
		x.noField(name)
		return
	}
	n, ok := filled(v)
	if least := x.number("min_length"); !ok {
		x.fail("field %s is empty", name).Criterion = name
	} else if float64(n) < least {
		x.differ(least, n, "field %s is %d long, at least %s wanted", name, n, plain(least))
	}
}

func hasFields(x *exam) {
	for _, p := range x.want.Places("fields") {
		name := p.String()
		v, ok := x.field(p)
		if !ok {
			x.noField(name)
		} else if _, ok := filled(v); !ok {
			x.fail("field %s is empty", text.First(name, mostShort)).Criterion = name
		}
	}
}

func fieldIs(x *exam) {
	p, name := x.wantedField()
	v, ok := x.field(p)
	if !ok {
		x.noField(name)
	} else if want := x.want.Value("value"); !same(want, v) {
		x.differ(want, v, "field %s is %s, %s wanted", name, spoken(v), spoken(want))
	}
}

// same compares values as JSON knows them.
func same(a, b any) bool {
	switch a := a.(type) {
	case string:
		s, ok := b.(string)
		return ok && strings.TrimSpace(a) == strings.TrimSpace(s)
	case []any, map[string]any:
		return string(encoded(a)) == string(encoded(b)) && encoded(a) != nil
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

func fieldContains(x *exam) {
	p, name := x.wantedField()
	v, ok := x.field(p)
	if !ok {
		x.noField(name)
		return
	}
	if _, isObject := v.(map[string]any); isObject {
		x.fail("field %s is an object; a text or a list is wanted", name).Criterion = name
		return
	}
	for _, pattern := range x.want.Patterns("patterns") {
		if !holds(cases.Match{Pattern: &pattern}, v) {
			x.fail("field %s does not contain %s", name, text.First(pattern.Given, mostShort)).Pattern = pattern.Given
		}
	}
}

func fieldMissing(x *exam) {
	object, ok := read(x, x.reads, "an object", asObject)
	if !ok {
		return
	}
	p, name := x.wantedField()
	if v, there := p.In(object); there {
		if _, ok := filled(v); ok {
			x.differ(nil, v, "field %s is %s, nothing wanted", name, spoken(v))
		}
	}
}

func minFieldsFilled(x *exam) {
	object, ok := read(x, x.reads, "an object", asObject)
	if !ok {
		return
	}
	n := 0
	for _, v := range object {
		if _, ok := filled(v); ok {
			n++
		}
	}
	if least := x.number("value"); float64(n) < least {
		x.differ(least, n, "%s filled, at least %s wanted", text.Count(n, "field"), plain(least))
	}
}
