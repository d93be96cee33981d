package rows

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/table"
)

// show prints what SQLite keeps of a kind as JSON.
func (k kind) show(v any) (jsontext.Value, error) {
	text, err := k.text(v)
	if err != nil {
		return nil, err
	}
	if text == nil {
		return jsontext.Value("null"), nil
	}
	switch k.Type {
	case table.Bool, table.SmallInt, table.Int, table.BigInt, table.Numeric, table.JSON, table.TextArray:
		return jsontext.Value(*text), nil
	case table.Real:
		if f, ok := v.(float64); ok && math.IsInf(f, 0) {
			break
		}
		return jsontext.Value(*text), nil
	}
	return jsontext.AppendQuote(nil, *text)
}

// text prints what SQLite keeps of a kind; nil is null. A list is printed as JSON.
func (k kind) text(v any) (*string, error) {
	if v == nil {
		return nil, nil
	}
	out := ""
	switch v := v.(type) {
	case int64:
		switch k.Type {
		case table.Bool:
			out = strconv.FormatBool(v != 0)
		case table.Timestamp:
			out = showMoment(v)
		case table.Numeric:
			out = scaled(v, k.scale)
		case table.Real:
			out = showReal(float64(v))
		default:
			out = strconv.FormatInt(v, 10)
		}
	case float64:
		out = showReal(v)
	case string:
		out = v
	case []byte:
		if k.Type != table.UUID {
			out = string(v)
			break
		}
		id, err := uuid.FromBytes(v)
		if err != nil {
			return nil, err
		}
		out = id.String()
	default:
		return nil, fmt.Errorf("a column of type %s has a %T", k, v)
	}
	return &out, nil
}

func showReal(f float64) string {
	if math.IsInf(f, 0) {
		if f < 0 {
			return "-Infinity"
		}
		return "Infinity"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e6) {
		return strconv.FormatFloat(f, 'e', -1, 32)
	}
	return strconv.FormatFloat(f, 'f', -1, 32)
}

// Show prints what SQLite keeps in a column as JSON, as an answer has it.
func Show(c *table.Column, v any) (jsontext.Value, error) { return kindOf(c).show(v) }
