package rows

import (
	"strings"
	"time"

	"cairn/internal/team/table"
)

// physical is the table that a row goes to: on SQLite a month's own.
func (i *insertion) physical(r row) (string, error) {
	t := i.w.Table
	if t.Month == "" {
		return t.Name, nil
	}
	v, ok := r.get(t)(t.Month)
	if !ok || v.null {
		if v.null || !t.Column(t.Month).Default {
			return t.Name, nullViolation(t.Name, t.Month)
		}
		now := time.Now().UTC().Truncate(time.Microsecond)
		v = value{text: now.Format(time.RFC3339Nano), lite: now.UnixMicro()}
		r[t.Column(t.Month)] = v
	}
	micros, _ := v.lite.(int64)
	return i.tx.Month(i.ctx, t.Name, time.UnixMicro(micros).UTC())
}

// statement is the insert of one row.
func (i *insertion) statement(to string, r row) *statement {
	s, columns := i.reader.statement(), i.columnsOf(r)
	s.put("insert into " + to)
	if len(columns) == 0 {
		s.put(" default values")
	} else {
		s.put(" (").columns(columns).put(") values (")
		for n, c := range columns {
			if n > 0 {
				s.put(", ")
			}
			s.bind(kindOf(c), r[c])
		}
		s.put(")")
	}
	i.onConflict(s, to)
	return s
}

func (i *insertion) columnsOf(r row) []*table.Column {
	var out []*table.Column
	for n := range i.w.Table.Columns {
		c := &i.w.Table.Columns[n]
		if _, has := r[c]; has {
			out = append(out, c)
		}
	}
	return out
}

func (i *insertion) onConflict(s *statement, to string) {
	if i.w.Resolution == "" {
		return
	}
	s.put(" on conflict (" + strings.Join(i.target, ", ") + ")")
	if i.w.Resolution != merge {
		s.put(" do nothing")
		return
	}
	s.put(" do update set ")
	for n, c := range i.w.Columns {
		if n > 0 {
			s.put(", ")
		}
		s.put(c.Name + " = excluded." + c.Name)
	}
	s.put(" where ")
	i.up.where(s, to+".")
}
