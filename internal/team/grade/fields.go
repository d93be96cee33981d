package grade

import (
	"maps"
	"slices"
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

var anywhere = []string{"extracted_fields", "fields", "."}

func fieldTypes() []Type {
	return []Type{
		{cases.Spec{Name: "has_field", Category: "Field extraction", Reads: anywhere,
			Keys:  []cases.Key{{Name: "field", Kind: cases.Where, Required: true}, {Name: "min_length", Kind: cases.Count, Default: "1", About: "characters of a text, entries of a list"}},
			About: "The field is filled: not null, no blank text, no empty list or object. false and 0 are filled. A field is looked for in each place in turn and may be a path (address.city)."}, of((*exam).wanted, hasField)},
		{cases.Spec{Name: "has_fields", Category: "Field extraction", Reads: anywhere,
			Keys:  []cases.Key{{Name: "fields", Kind: cases.Places, Required: true}},
			About: "Every field is filled."}, hasFields},
		{cases.Spec{Name: "field_is", Category: "Field extraction", Reads: anywhere,
			Keys:  []cases.Key{{Name: "field", Kind: cases.Where, Required: true}, {Name: "value", Kind: cases.Scalar, Required: true}},
			About: "The field equals value: texts as they are written, numbers as numbers; the text \"5\" is not the number 5."}, of((*exam).wanted, fieldIs)},
		{cases.Spec{Name: "field_contains", Category: "Field extraction", Reads: anywhere,
			Keys:  []cases.Key{{Name: "field", Kind: cases.Where, Required: true}, {Name: "patterns", Kind: cases.Patterns, Required: true}},
			About: "The field contains every pattern; of a list, in some entry."}, of((*exam).wanted, fieldContains)},
		{cases.Spec{Name: "field_missing", Category: "Field extraction", Reads: fields,
			Keys:  []cases.Key{{Name: "field", Kind: cases.Where, Required: true}},
			About: "The field is absent or not filled. The object that would hold it has to be there; path: . looks in the whole output."}, of((*exam).readObject, fieldMissing)},
		{cases.Spec{Name: "min_fields_filled", Category: "Field extraction", Reads: fields,
			Keys:  need("value"),
			About: "At least so many of the object's fields are filled."}, of((*exam).readObject, minFieldsFilled)},
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

func isFilled(v any) bool { _, ok := filled(v); return ok }

// named is a field of the output.
type named struct {
	name  string
	value any
}

// field returns a field in the first place that has it.
func (x *exam) field(p cases.Path) (named, bool) {
	f, places := named{name: p.String()}, x.places(x.reads)
	for _, place := range places {
		object, _ := lookup(x.out.Value, place)
		if v, ok := p.In(object); ok {
			f.value = v
			return f, true
		}
	}
	x.absent("output has no field %s (looked in %s)", text.First(f.name, mostShort), strings.ReplaceAll(strings.Join(places, ", "), ", .", ", the output itself")).Criterion = f.name
	return f, false
}

// wanted returns the field of the key "field".
func (x *exam) wanted() (named, bool) {
	p, _ := x.want.Where("field")
	return x.field(p)
}

func hasField(x *exam, f named) {
	n, ok := filled(f.value)
	if least := x.number("min_length"); !ok {
		x.absent("field %s is empty", f.name).Criterion = f.name
	} else if float64(n) < least {
		x.differ(least, n, "field %s is %d long, at least %s wanted", f.name, n, plain(least))
	}
}

func hasFields(x *exam) {
	for _, p := range x.want.Places("fields") {
		f, there := x.field(p)
		if _, ok := filled(f.value); there && !ok {
			x.absent("field %s is empty", text.First(f.name, mostShort)).Criterion = f.name
		}
	}
}

func fieldIs(x *exam, f named) {
	if want := x.want.Value("value"); !same(want, f.value) {
		x.differ(want, f.value, "field %s is %s, %s wanted", f.name, spoken(f.value), spoken(want))
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

func fieldContains(x *exam, f named) {
	if _, isObject := f.value.(map[string]any); isObject {
		x.absent("field %s must be a text or a list, not an object", f.name).Criterion = f.name
		return
	}
	for _, pattern := range x.want.Patterns("patterns") {
		if !x.holds(cases.Match{Pattern: &pattern}, f.value) && x.err == "" {
			x.fail("field %s does not contain %s", f.name, text.First(pattern.Given, mostShort)).Pattern = pattern.Given
		}
	}
}

func fieldMissing(x *exam, object map[string]any) {
	p, _ := x.want.Where("field")
	if v, _ := p.In(object); isFilled(v) {
		x.differ(nil, v, "field %s is %s, nothing wanted", p, spoken(v))
	}
}

func minFieldsFilled(x *exam, object map[string]any) {
	n := howMany(slices.Collect(maps.Values(object)), isFilled)
	if least := x.number("value"); float64(n) < least {
		x.differ(least, n, "%s filled, at least %s wanted", text.Count(n, "field"), plain(least))
	}
}
