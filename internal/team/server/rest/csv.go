package rest

import (
	"bytes"
	"encoding/csv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/postgrest"
)

// csvColumns are the names of the members that rows of a query have, in the
// order of its select.
func csvColumns(q *postgrest.Query) []string {
	var names []string
	if q.Select == nil {
		for _, c := range q.Table.Columns {
			if !c.Hidden {
				names = append(names, c.Name)
			}
		}
	}
	for _, item := range q.Select {
		switch {
		case item.Embed != nil && item.Embed.Spread:
			names = append(names, csvColumns(&item.Embed.Query)...)
		case item.Alias != "":
			names = append(names, item.Alias)
		case item.Embed != nil:
			names = append(names, item.Embed.Relation.Name)
		default:
			names = append(names, item.Column.Column.Name)
		}
	}
	return names
}

// renderCSV writes rows as CSV (RFC 4180, lines end with LF): texts as they
// are, null as nothing, everything else as JSON.
func renderCSV(rows []jsontext.Value, columns []string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(columns) // Error tells
	for _, row := range rows {
		var members map[string]jsontext.Value
		if err := json.Unmarshal(row, &members); err != nil {
			return nil, err
		}
		cells := make([]string, len(columns))
		for i, name := range columns {
			v := members[name]
			switch v.Kind() {
			case '"':
				if err := json.Unmarshal(v, &cells[i]); err != nil {
					return nil, err
				}
			case 'n', 0:
			default:
				cells[i] = string(v)
			}
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), w.Error()
}
