package rest

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/postgrest"
)

// A reply is an answer that is no error.
type reply struct {
	status   int
	rows     []jsontext.Value
	columns  []string // of a row, in the order of CSV
	span     string   // Content-Range
	location string
	upsert   bool // a resolution was applied
	body     bool // rows are sent; without it there is no body
}

func (r *request) send(w http.ResponseWriter, p reply) error {
	head := w.Header()
	if p.span != "" {
		head.Set("Content-Range", p.span)
	}
	if p.location != "" {
		head.Set("Location", p.location)
	}
	if applied := r.prefer.Applied(r.Method, p.upsert); applied != "" {
		head.Set("Preference-Applied", applied)
	}
	if !p.body {
		if p.status != http.StatusNoContent {
			head.Set("Content-Length", "0")
		}
		w.WriteHeader(p.status)
		return nil
	}
	body, err := render(r.media, p.rows, p.columns)
	if err != nil {
		return err
	}
	r.write(w, p.status, r.media.ContentType(), body)
	return nil
}

func (r *request) write(w http.ResponseWriter, status int, contentType string, body []byte) {
	head := w.Header()
	head.Set("Content-Type", contentType)
	head.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// render writes rows in the format that was asked for.
func render(m postgrest.Media, rows []jsontext.Value, columns []string) ([]byte, error) {
	if m.Format == postgrest.CSV {
		return renderCSV(rows, columns)
	}
	var b bytes.Buffer
	if m.Format == postgrest.Array {
		b.WriteByte('[')
	}
	for i, row := range rows {
		if i > 0 {
			b.WriteString(",\n ")
		}
		if m.StripNulls {
			var err error
			if row, err = stripNulls(row); err != nil {
				return nil, err
			}
		}
		b.Write(row)
	}
	if m.Format == postgrest.Array {
		b.WriteByte(']')
	}
	return b.Bytes(), nil
}

// stripNulls leaves out the members of objects that are null, at every depth.
func stripNulls(row jsontext.Value) (jsontext.Value, error) {
	d := jsontext.NewDecoder(bytes.NewReader(row))
	var out bytes.Buffer
	e := jsontext.NewEncoder(&out)
	for d.PeekKind() != 0 {
		kind, n := d.StackIndex(d.StackDepth())
		isName := kind == '{' && n%2 == 0 && d.PeekKind() == '"'
		t, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		if isName {
			t = t.Clone()
			if d.PeekKind() == 'n' {
				if err := d.SkipValue(); err != nil {
					return nil, err
				}
				continue
			}
		}
		if err := e.WriteToken(t); err != nil {
			return nil, err
		}
	}
	return bytes.TrimSpace(out.Bytes()), nil
}
