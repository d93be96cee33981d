package reader

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// A Mapping assigns columns of a table, or members of lines of JSON, to members
// of a result.
type Mapping []mapped

type mapped struct {
	member string
	column string  // a part of a member has dots: usage.input
	always *string // the same in every row
}

// ParseMapping reads pairs MEMBER=COLUMN; MEMBER='TEXT' is the same in every row.
func ParseMapping(pairs []string) (m Mapping, err error) {
	for _, pair := range pairs {
		member, column, ok := strings.Cut(pair, "=")
		member = strings.TrimSpace(member)
		switch {
		case !ok || member == "" || column == "":
			return nil, fmt.Errorf("%q must be MEMBER=COLUMN, such as passed=ok", pair)
		case m.has(member):
			return nil, fmt.Errorf("%s is mapped twice", member)
		}
		one := mapped{member: member, column: column}
		if text, ok := strings.CutPrefix(column, "'"); ok && strings.HasSuffix(text, "'") {
			text = strings.TrimSuffix(text, "'")
			one.always = &text
		}
		m = append(m, one)
	}
	if len(m) > 0 && !m.has("name") {
		return nil, errors.New("no column for name; add the one that names the cases, such as name=id")
	}
	if len(m) > 0 && !m.has("passed") && !m.has("status") {
		return nil, errors.New("no column for passed or status; add the one that says how a case ended, such as passed=ok")
	}
	return m, nil
}

func (m Mapping) has(member string) bool {
	return slices.ContainsFunc(m, func(one mapped) bool { return one.member == member })
}

// names reports whether the column of name is one of these.
func (m Mapping) names(columns []string) bool {
	return slices.ContainsFunc(m, func(one mapped) bool {
		head, _, _ := strings.Cut(one.column, ".")
		return one.member == "name" && (slices.Contains(columns, one.column) || slices.Contains(columns, head))
	})
}

// table puts a run together from rows.
type table struct {
	run     result.Run
	c       *collector
	m       Mapping
	columns []string // as they came
}

// own maps members to the columns of their names.
func own(columns []string) (m Mapping) {
	for _, name := range columns {
		if name == "passed" || name == "status" || slices.Contains(tableMembers, name) || strings.HasPrefix(name, "score_") {
			m = append(m, mapped{member: name, column: name})
		}
	}
	return m
}

// tableMembers are the names of columns that a table needs no mapping for, besides
// passed and status.
var tableMembers = []string{"name", "suite", "category", "variant", "case_id", "attempt", "score", "scale", "model", "cost_usd", "duration_ms", "error", "message", "reason", "tags",
	"input", "expected", "output"}

// csvReader reads a table whose columns are separated by the character that its
// first line has most of.
func csvReader(data []byte) *csv.Reader {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	in := csv.NewReader(bytes.NewReader(bytes.ToValidUTF8(data, []byte("\ufffd"))))
	for _, comma := range ";\t" {
		if bytes.Count(line, []byte(string(comma))) > bytes.Count(line, []byte(string(in.Comma))) {
			in.Comma = comma
		}
	}
	return in
}

// header is the first line of a table: several columns, each with a name.
func header(data []byte) []string {
	in := csvReader(data[:min(len(data), 1<<20)])
	in.LazyQuotes = true
	head, err := in.Read()
	if err != nil || len(head) < 2 {
		return nil
	}
	for i, name := range head {
		if head[i] = strings.TrimSpace(name); head[i] == "" && i == 0 {
			return nil
		}
	}
	return head
}

// isTable reports whether data is a table that needs no mapping.
func isTable(data []byte) bool {
	m := own(header(data))
	return m.has("name") && (m.has("passed") || m.has("status"))
}

func readTable(m Mapping) func(data []byte, c *collector) *result.Run {
	return func(data []byte, c *collector) *result.Run {
		in := csvReader(data)
		head, err := in.Read()
		must.OK(csvError(err))
		for i := range head {
			head[i] = strings.TrimSpace(head[i])
		}
		if m == nil {
			m = own(head)
		}
		t := &table{m: m, c: c, columns: head}
		t.requireColumns()
		for {
			record, err := in.Read()
			if err == io.EOF {
				return t.finish()
			}
			must.OK(csvError(err))
			line, _ := in.FieldPos(0)
			r := make(row, len(record))
			for i, cell := range record {
				if _, twice := r[head[i]]; !twice && cell != "" { // the first of a name counts
					r[head[i]] = quote(cell)
				}
			}
			t.add(line, r)
		}
	}
}

// readMappedLines reads objects, one after another or in a list.
func readMappedLines(m Mapping) func(data []byte, c *collector) *result.Run {
	return func(data []byte, c *collector) *result.Run {
		t := &table{m: m, c: c}
		dec := jsontext.NewDecoder(bytes.NewReader(data), foreign())
		list := dec.PeekKind() == '['
		err := must.Catch(func() {
			if list {
				must.Get(dec.ReadToken())
			}
			line, counted := 1, 0
			for kind := dec.PeekKind(); kind != ']' && kind != 0; kind = dec.PeekKind() {
				value := must.Get(dec.ReadValue())
				start := max(counted, int(dec.InputOffset())-len(value))
				line += bytes.Count(data[counted:start], []byte("\n"))
				counted = start
				if value.Kind() != '{' {
					must.Fail(fmt.Errorf("line %d: must be an object, not %s", line, result.KindName(value.Kind())))
				}
				var r row
				must.OK(json.Unmarshal(value, &r, foreign()))
				for name := range r {
					if i, known := slices.BinarySearch(t.columns, name); !known {
						t.columns = slices.Insert(t.columns, i, name)
					}
				}
				t.add(line, r)
			}
			if _, err := dec.ReadToken(); err != nil && err != io.EOF {
				must.Fail(err)
			}
		})
		if err != nil {
			must.Fail(inJSON(data, err))
		}
		t.requireColumns()
		return t.finish()
	}
}

// requireColumns fails if a column of the mapping is missing.
func (t *table) requireColumns() {
	for _, one := range t.m {
		head, _, _ := strings.Cut(one.column, ".")
		if one.always == nil && !slices.Contains(t.columns, one.column) && !slices.Contains(t.columns, head) {
			must.Fail(fmt.Errorf("no column %q; the columns are %s", oneLine(one.column, 60), columnList(t.columns)))
		}
	}
}

func columnList(columns []string) string {
	const most = 20
	var list []string
	for _, name := range columns[:min(len(columns), most)] {
		list = append(list, oneLine(name, 40))
	}
	if n := len(columns) - most; n > 0 {
		list = append(list, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(list, ", ")
}

// finish warns of unused columns.
func (t *table) finish() *result.Run {
	var unused []string
	for _, name := range t.columns {
		if !slices.ContainsFunc(t.m, func(one mapped) bool {
			return one.always == nil && (one.column == name || strings.HasPrefix(one.column, name+"."))
		}) && name != "" {
			unused = append(unused, name)
		}
	}
	if len(unused) > 0 {
		t.c.warn("unused columns: %s", columnList(unused))
	}
	if !t.m.has("attempt") {
		t.c.repeats(&t.run, 0)
	}
	return &t.run
}
