package record

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
	"cairn/internal/team/table"
)

// set checks a member against the column that it is for, and takes it.
func (c columns) set(col *table.Column, m *member, path string) error {
	wrong := func(format string, args ...any) error {
		return result.Problem{Line: m.line, Path: path, What: fmt.Sprintf(format, args...)}
	}
	kind := m.value.Kind()
	if kind == 'n' && col.Null {
		return nil // as if it were not there
	}
	if bytes.Contains(m.value, []byte(`\u0000`)) {
		return wrong("a zero character stands in it, which no database takes")
	}
	var want string
	var ok bool
	switch col.Type {
	case table.Text:
		want, ok = "a string", kind == '"'
	case table.Timestamp, table.Date:
		if kind != '"' {
			want, ok = "a time like 2026-03-15T10:30:00Z", false
			break
		}
		at, err := result.ParseTime(unquote(m.value))
		if err != nil {
			return wrong("%v", err)
		}
		if col.Type == table.Date {
			c.text(col.Name, at.Format(time.DateOnly))
		} else {
			c.time(col.Name, at.Time)
		}
		return nil
	case table.Int, table.SmallInt, table.BigInt:
		want = "a whole number"
		bits := 32
		if col.Type == table.BigInt {
			bits = 64
		}
		n, err := strconv.ParseInt(string(m.value), 10, bits)
		if ok = kind == '0' && err == nil; ok && n < 0 {
			return wrong("%d; it is from 0", n)
		}
	case table.Numeric:
		want, ok = "a number", kind == '0'
	case table.TextArray:
		want, ok = "a list of strings", isStrings(m.value)
	case table.JSON:
		want, ok = "an object or a list", kind == '{' || kind == '['
	default:
		return wrong("cannot be given")
	}
	if !ok {
		return wrong("must be %s, not %s", want, result.KindName(kind))
	}
	c[col.Name] = m.value
	return nil
}

func unquote(v jsontext.Value) string {
	text, _ := jsontext.AppendUnquote(nil, v)
	return string(text)
}

func isStrings(v jsontext.Value) bool {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '[' {
		return false
	}
	for dec.PeekKind() == '"' {
		if err := dec.SkipValue(); err != nil {
			return false
		}
	}
	return dec.PeekKind() == ']'
}
