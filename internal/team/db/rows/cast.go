package rows

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/table"
)

// A target is a type that a column may be shown as.
type target struct {
	name string
	kind kind
}

// float8 is shown with 64 bits; there is no column of it.
var targets = [...]target{
	{"text", kind{Type: table.Text}}, {"int2", kind{Type: table.SmallInt}}, {"int4", kind{Type: table.Int}}, {"int8", kind{Type: table.BigInt}},
	{"float4", kind{Type: table.Real}}, {"float8", kind{Type: table.Real}}, {"numeric", kind{Type: table.Numeric}}, {"bool", kind{Type: table.Bool}},
	{"uuid", kind{Type: table.UUID}}, {"date", kind{Type: table.Date}}, {"timestamptz", kind{Type: table.Timestamp}},
	{"json", kind{Type: table.JSON}}, {"jsonb", kind{Type: table.JSON}},
}

func castable(name string) bool { _, ok := targetOf(name); return ok }

func targetOf(name string) (target, bool) {
	for _, t := range targets {
		if t.name == name {
			return t, true
		}
	}
	return target{}, false
}

func isNumber(t table.Type) bool {
	return t == table.SmallInt || t == table.Int || t == table.BigInt || t == table.Real || t == table.Numeric
}

// castTo shows what SQLite keeps as another type, as a cast of PostgreSQL does:
// to and from text always, between numbers, and the few that it has besides.
func (k kind) castTo(name string, v any) (jsontext.Value, error) {
	to, ok := targetOf(name)
	if !ok {
		return nil, fail(400, "42704", `type "`+name+`" does not exist`)
	}
	if !k.becomes(to.kind.Type) {
		return nil, fail(400, "42846", "cannot cast type "+k.String()+" to "+to.kind.String())
	}
	if v == nil {
		return jsontext.Value("null"), nil
	}
	if k.Type == to.kind.Type {
		return k.show(v)
	}
	text, err := k.text(v)
	if err != nil {
		return nil, err
	}
	return k.castText(to, *text)
}

func (k kind) becomes(to table.Type) bool {
	switch {
	case k.Type == to, to == table.Text, k.Type == table.Text:
		return true
	case isNumber(to):
		return isNumber(k.Type) || k.Type == table.JSON || k.Type == table.Bool && to == table.Int
	case to == table.Bool:
		return k.Type == table.Int || k.Type == table.JSON
	case to == table.Date:
		return k.Type == table.Timestamp
	case to == table.Timestamp:
		return k.Type == table.Date
	}
	return false
}

func (k kind) castText(to target, text string) (jsontext.Value, error) {
	switch {
	case k.Type == table.JSON && to.kind.Type == table.Bool && text != "true" && text != "false",
		k.Type == table.JSON && isNumber(to.kind.Type) && jsontext.Value(text).Kind() != '0':
		return nil, fail(400, "22023", "cannot cast jsonb "+jsonKind(text)+" to type "+to.kind.String())
	case to.kind.Type == table.Text:
		return k.asText(text)
	case k.Type == table.Bool: // to int
		return jsontext.Value(strconv.Itoa(len("false") - len(text))), nil
	case to.kind.Type == table.Bool && k.Type == table.Int:
		return jsontext.Value(strconv.FormatBool(text != "0")), nil
	case to.kind.Type == table.Date && k.Type == table.Timestamp:
		text, _, _ = strings.Cut(text, "T")
		return jsontext.AppendQuote(nil, text)
	case isNumber(to.kind.Type) && k.Type != table.Text:
		return to.number(text)
	case to.kind.Type == table.Numeric:
		if !decimal(strings.TrimSpace(text)) {
			return nil, to.kind.invalid(text)
		}
		return to.number(strings.TrimSpace(text))
	case to.name == "float8":
		return to.number(text)
	}
	read, err := to.kind.literal(text)
	if err != nil {
		return nil, err
	}
	return to.kind.show(read.lite)
}

// asText is a value's text form: that of PostgreSQL where it is not the one of JSON.
func (k kind) asText(text string) (jsontext.Value, error) {
	switch k.Type {
	case table.Timestamp:
		text = strings.TrimSuffix(strings.Replace(text, "T", " ", 1), ":00")
	case table.TextArray:
		var list []*string
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return nil, err
		}
		text = printArray(list)
	}
	return jsontext.AppendQuote(nil, text)
}

// number shows a decimal as a number: rounded to even as floats are where an integer is wanted of one.
func (to target) number(text string) (jsontext.Value, error) {
	switch {
	case to.kind.Type == table.Numeric:
		return jsontext.Value(strings.TrimPrefix(text, "+")), nil
	case to.name == "float8":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fail(400, "22P02", `invalid input syntax for type double precision: "`+text+`"`)
		}
		return jsontext.Value(strconv.FormatFloat(f, 'g', -1, 64)), nil
	case to.kind.Type == table.Real:
		v, err := to.kind.literal(text)
		if err != nil {
			return nil, err
		}
		return to.kind.show(v.lite)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, to.kind.invalid(text)
	}
	if strings.ContainsAny(text, ".eE") {
		text = strconv.FormatFloat(math.Round(f), 'f', -1, 64)
	}
	v, failed := to.kind.literal(text)
	if failed != nil {
		return nil, fail(400, "22003", to.kind.String()+" out of range")
	}
	return to.kind.show(v.lite)
}

func jsonKind(text string) string {
	switch jsontext.Value(text).Kind() {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case '0':
		return "numeric"
	case 'n':
		return "null"
	}
	return "boolean"
}

// printArray writes a list as PostgreSQL does: quotes only where they are needed.
func printArray(list []*string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, e := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		switch {
		case e == nil:
			b.WriteString("NULL")
		case *e == "" || strings.EqualFold(*e, "null") || strings.ContainsAny(*e, "{}\", \\\t\n\r\v\f"):
			b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(*e) + `"`)
		default:
			b.WriteString(*e)
		}
	}
	return b.String() + "}"
}
