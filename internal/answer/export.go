package answer

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// CSV writes a table: RFC 4180, a head of keys, exact values. An interval has
// two columns more. A text that a spreadsheet would take for a formula gets a
// quote before it, as OWASP's "CSV injection" advises.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	bounds := t.bounds()
	var head []string
	for i, c := range t.Columns {
		head = append(head, c.Key)
		if bounds[i] {
			head = append(head, c.Key+"_low", c.Key+"_high")
		}
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for _, row := range t.Rows {
		var line []string
		for i, cell := range row {
			line = append(line, exact(cell.Value, t.Columns[i].Unit))
			if bounds[i] {
				line = append(line, exact(cell.Low, Number), exact(cell.High, Number))
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// bounds says which columns have intervals.
func (t *Table) bounds() []bool {
	out := make([]bool, len(t.Columns))
	for _, row := range t.Rows {
		for i, cell := range row {
			out[i] = out[i] || cell.Low != nil || cell.High != nil
		}
	}
	return out
}

func exact(v any, u Unit) string {
	switch v := v.(type) {
	case string:
		if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
			return "'" + v
		}
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case *float64:
		if v != nil {
			return strconv.FormatFloat(*v, 'f', -1, 64)
		}
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case time.Time:
		switch {
		case v.IsZero():
		case u == Day || u == Week:
			return v.UTC().Format(time.DateOnly)
		default:
			return v.UTC().Format(time.RFC3339)
		}
	}
	return ""
}

// Objects are the table's rows as JSON objects with the columns' keys.
func (t *Table) Objects() ([]jsontext.Value, error) {
	bounds := t.bounds()
	out := make([]jsontext.Value, 0, len(t.Rows))
	for _, row := range t.Rows {
		o := map[string]any{}
		for i, cell := range row {
			key := t.Columns[i].Key
			o[key] = plain(cell.Value, t.Columns[i].Unit)
			if bounds[i] {
				o[key+"_low"], o[key+"_high"] = cell.Low, cell.High
			}
		}
		v, err := json.Marshal(o, json.Deterministic(true))
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// plain is a value as JSON has it.
func plain(v any, u Unit) any {
	if t, ok := v.(time.Time); ok {
		if t.IsZero() {
			return nil
		}
		return exact(t, u)
	}
	return v
}
