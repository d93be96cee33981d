package rows

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// given reads a value of a request's body as a column's type, as
// json_populate_record does, rounded to what the column keeps.
func given(c *table.Column, raw jsontext.Value) (value, error) {
	k := kindOf(c)
	v, err := k.given(raw)
	if err != nil {
		return v, err
	}
	if k.Type == table.Timestamp && (v.text == "infinity" || v.text == "-infinity") {
		// It would be kept, and from then on break whoever reads the row, or the day's sum, as a time.
		return value{}, fail(400, "22008", `date/time field value out of range: "`+v.text+`"`)
	}
	return k.stored(v)
}

// fits checks the length of a value. The operator's own key is free to bring back
// what was stored before there were limits.
func (r *reader) fits(t *table.Table, c *table.Column, v value) error {
	if most := c.Limit(); most > 0 && len(v.text) > most && r.as.Role != db.Service {
		return postgrest.TooLong(t.Name, c.Name, most, len(v.text))
	}
	return nil
}

func (k kind) given(raw jsontext.Value) (value, error) {
	switch {
	case raw.Kind() == 'n':
		return value{null: true}, nil
	case k.Type == table.JSON:
		return k.json(string(raw))
	case k.Type == table.TextArray && raw.Kind() == '[':
		return k.list(raw)
	case k.Type == table.TextArray && raw.Kind() != '"':
		return value{}, detailed(fail(400, "22P02", "expected JSON array"), "A list of texts is wanted.")
	case raw.Kind() == '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return value{}, k.invalid(string(raw))
		}
		if strings.IndexByte(s, 0) >= 0 {
			return value{}, detailed(fail(400, "22P05", "unsupported Unicode escape sequence"), `\u0000 cannot be converted to text.`)
		}
		return k.literal(s)
	case raw.Kind() == '{', raw.Kind() == '[':
		v, err := kind{Type: table.JSON}.json(string(raw))
		if err != nil {
			return v, err
		}
		return k.literal(v.text)
	}
	return k.literal(string(raw)) // a number, true, false
}

func (k kind) list(raw jsontext.Value) (value, error) {
	var parts []jsontext.Value
	if err := json.Unmarshal(raw, &parts); err != nil {
		return value{}, detailed(fail(400, "22P02", "invalid input syntax for type json"), "The text is not valid JSON.")
	}
	list := make([]*string, len(parts))
	for i, p := range parts {
		v, err := kind{Type: table.Text}.given(p)
		if err != nil {
			return v, err
		}
		if !v.null {
			list[i] = &v.text
		}
	}
	return listValue(list), nil
}
