package rows

import (
	"context"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// Update sets w.Columns to the values of w.Rows[0] in the rows that w.Where
// leaves and that somebody may change; others are as if they were not there. If
// returning, the changed rows are added to the answer.
func Update(ctx context.Context, tx *db.Tx, as db.Identity, w *postgrest.Write, returning bool, a *Answer) error {
	r := &reader{ctx: ctx, tx: tx, as: as}
	t, err := r.enterWrite(w.Table, updates, returning)
	if err != nil {
		return err
	}
	if as.Role != db.Service && !updatable(w) {
		return denied(as, "table "+w.Table.Name)
	}
	set := row{}
	if len(w.Rows) > 0 {
		if set, err = r.setOf(w); err != nil {
			return err
		}
	}
	if len(set) == 0 {
		return nil
	}
	if err := r.check(t, w, set); err != nil {
		return err
	}
	begin := func(s *statement, physical string) {
		s.put("update " + physical + " as " + w.Table.Name + " set ")
		for n, c := range w.Columns {
			if n > 0 {
				s.put(", ")
			}
			s.put(c.Name + " = ")
			s.bind(kindOf(c), set[c])
		}
	}
	if err := r.change(&w.Query, begin, t.where, returning, a); err != nil {
		return explainWrite(r, err, w.Table, set.get(w.Table))
	}
	return nil
}

// Delete deletes the rows that the filters leave and that somebody may delete.
func Delete(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, returning bool, a *Answer) error {
	r := &reader{ctx: ctx, tx: tx, as: as}
	t, err := r.enterWrite(q.Table, deletes, returning)
	if err != nil {
		return err
	}
	begin := func(s *statement, physical string) { s.put("delete from " + physical + " as " + q.Table.Name) }
	return r.change(q, begin, t.whereLeave, returning, a)
}

func (r *reader) enterWrite(t *table.Table, a act, returning bool) (tenant, error) {
	if returning {
		if _, err := r.enter(t, reads); err != nil {
			return tenant{}, err
		}
	}
	return r.enter(t, a)
}

func updatable(w *postgrest.Write) bool {
	return w.Table.Updatable == nil || !slices.ContainsFunc(w.Columns, func(c *table.Column) bool { return !slices.Contains(w.Table.Updatable, c.Name) })
}

// setOf reads what is to be set. A row cannot be moved to another month, nor to
// another time of coming.
func (r *reader) setOf(w *postgrest.Write) (row, error) {
	set := row{}
	for n, c := range w.Columns {
		if c.Name == w.Table.Month {
			return nil, fail(400, "0A000", "column "+c.Name+" of "+w.Table.Name+" cannot be changed")
		}
		raw := w.Rows[0][n]
		if raw == nil {
			raw = jsontext.Value("null")
		}
		v, err := given(c, raw)
		if err == nil {
			err = r.fits(w.Table, c, v)
		}
		if err != nil {
			return nil, err
		}
		if w.Table.Authored && c.Name == "created_at" {
			v = stampNow()
		}
		set[c] = v
	}
	return set, nil
}

// check refuses an update after which a row would be one that somebody may not
// have. As PostgreSQL does, it says so only if there is a row to change.
func (r *reader) check(t tenant, w *postgrest.Write, set row) error {
	s := &statement{dialect: r.tx.Dialect()}
	s.put("select count(*) from " + t.table.Name + " where ")
	t.where(s, t.table.Name+".")
	if !t.forbids(s, set.get(t.table)) {
		return nil
	}
	if err := r.conditions(s, &w.Query); err != nil {
		return err
	}
	var n int
	if err := r.tx.QueryRow(r.ctx, string(s.sql), s.args...).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return refused(r.as, t.table)
	}
	return nil
}

// change runs an update or a delete, on SQLite for each month where rows are kept by month.
func (r *reader) change(q *postgrest.Query, begin func(*statement, string), tenant func(*statement, string), returning bool, a *Answer) error {
	physical := []string{q.Table.Name}
	if q.Table.Month != "" {
		var err error
		if physical, err = r.tx.Months(r.ctx, q.Table.Name); err != nil {
			return err
		}
	}
	for _, name := range physical {
		s := r.statement()
		begin(s, name)
		s.put(" where (")
		tenant(s, q.Table.Name+".")
		s.put(")")
		if err := r.conditions(s, q); err != nil {
			return err
		}
		if returning {
			if err := r.answerable(q, name, a.budget); err != nil {
				return err
			}
			if err := r.written(s, r.shapeOf(q, a.budget), a); err != nil {
				return err
			}
			continue
		}
		n, err := r.tx.Exec(r.ctx, string(s.sql), s.args...)
		if err != nil {
			return err
		}
		a.Affected += n
	}
	if a.Affected > 0 && q.Table.Month != "" && r.tx.Dialect() == db.SQLite { // only the server's key may, of whatever team
		return errors.Join(r.tx.Touch(r.ctx, uuid.Nil), r.tx.Recount(r.ctx))
	}
	return nil
}

// answerable refuses an update or a delete whose rows would not fit into its answer:
// SQLite keeps all that a write returns in memory before it gives the first row.
func (r *reader) answerable(q *postgrest.Query, physical string, budget int) error {
	if r.tx.Dialect() != db.SQLite {
		return nil
	}
	s := r.statement().put("select total(" + sizeOf(r.shapeOf(q, budget).columns) + ")")
	if err := r.where(s, q, physical); err != nil {
		return err
	}
	var size float64
	if err := r.tx.QueryRow(r.ctx, string(s.sql), s.args...).Scan(&size); err != nil {
		return err
	}
	if size > float64(budget) {
		return ErrTooLarge
	}
	return nil
}
