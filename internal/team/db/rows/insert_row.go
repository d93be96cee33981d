package rows

import (
	"time"
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
func (i *insertion) statement(to string, r row, returning bool) (*statement, error) {
	s := &statement{dialect: i.tx.Dialect()}
	columns, t := i.columnsOf(r), i.w.Table
	s.put("insert into " + to)
	if len(columns) == 0 {
		s.put(" default values")
	} else {
		s.put(" (").list(columns, "")
		s.put(") values (")
		for n, name := range columns {
			if n > 0 {
				s.put(", ")
			}
			c := t.Column(name)
			s.bind(kindOf(c), r[c])
		}
		s.put(")")
	}
	i.onConflict(s, to)
	s.put(" returning ")
	if !returning {
		s.put("1")
		return s, nil
	}
	sh, err := i.columns(s, &i.w.Query, "")
	i.shape = sh
	return s, err
}

func (i *insertion) columnsOf(r row) []string {
	var out []string
	for n := range i.w.Table.Columns {
		c := &i.w.Table.Columns[n]
		if _, has := r[c]; has {
			out = append(out, c.Name)
		}
	}
	return out
}

func (i *insertion) onConflict(s *statement, to string) {
	if i.w.Resolution == "" {
		return
	}
	s.put(" on conflict (").list(i.target, "")
	s.put(")")
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
