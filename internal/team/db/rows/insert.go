package rows

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// What an insert does with a row that is there already.
const (
	merge  = "merge-duplicates"
	ignore = "ignore-duplicates"
)

// A row that is written: values by column.
type row map[*table.Column]value

// A getter returns the value of a column by its name, false where the row has
// none of it; null is a value.
type getter func(column string) (value, bool)

func (r row) get(t *table.Table) getter {
	return func(name string) (value, bool) {
		for c, v := range r {
			if c.Name == name {
				return v, true
			}
		}
		return value{}, false
	}
}

// An insertion is an insert or upsert under way.
type insertion struct {
	reader
	w      *postgrest.Write
	in     tenant
	up     tenant   // of the rows that a merge changes
	target []string // the key of an upsert
	shape  *shape   // of what is returned, nil for nothing
	answer *Answer
	copied bool // the rows say when they came
}

// Insert writes rows; with a resolution, those that are there already are
// merged or left alone. If returning, those that were written are added to the answer.
func Insert(ctx context.Context, tx *db.Tx, as db.Identity, w *postgrest.Write, returning bool, a *Answer) error {
	return (&insertion{reader: reader{ctx: ctx, tx: tx, as: as}, w: w, answer: a}).insert(returning)
}

// Copy is Insert of what another server has: its rows say when they came there.
func Copy(ctx context.Context, tx *db.Tx, w *postgrest.Write, a *Answer) error {
	service := db.Identity{Role: db.Service}
	return (&insertion{reader: reader{ctx: ctx, tx: tx, as: service}, w: w, answer: a, copied: true}).insert(false)
}

func (i *insertion) insert(returning bool) error {
	var err error
	if i.in, err = i.enter(i.w.Table, inserts); err != nil {
		return err
	}
	if returning {
		t, err := i.enter(i.w.Table, reads)
		if err == nil {
			err = t.shows(&i.w.Query)
		}
		if err != nil {
			return err
		}
		i.shape = i.shapeOf(&i.w.Query, i.answer.budget)
	}
	if err := i.conflict(); err != nil {
		return err
	}
	rows, err := i.rows()
	if err != nil {
		return err
	}
	if err := i.admit(rows); err != nil {
		return err
	}
	if err := i.write(rows); err != nil || i.w.Table.Month == "" || i.tx.Dialect() != db.SQLite {
		return err
	}
	for _, team := range teamsOf(i.w.Table, rows) {
		if err := i.tx.Touch(i.ctx, team); err != nil {
			return err
		}
	}
	return nil
}

// teamsOf are the teams that rows are of.
func teamsOf(t *table.Table, rows []row) (teams []uuid.UUID) {
	for _, r := range rows {
		if team := id(r.get(t)(t.Team)); !slices.Contains(teams, team) {
			teams = append(teams, team)
		}
	}
	return teams
}

// conflict finds out what an upsert goes by.
func (i *insertion) conflict() error {
	if i.w.Resolution == "" {
		return nil
	}
	t := i.w.Table
	i.target = i.w.OnConflict
	if len(i.target) == 0 {
		i.target = t.Key
	}
	same := func(key []string) bool {
		return len(key) == len(i.target) && !slices.ContainsFunc(key, func(c string) bool { return !slices.Contains(i.target, c) })
	}
	if !same(t.Key) && !slices.ContainsFunc(t.Unique, same) {
		return fail(400, "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification")
	}
	if i.w.Resolution != merge {
		return nil
	}
	var err error
	if i.up, err = i.enter(t, updates); err == nil && i.as.Role != db.Service && !updatable(i.w) {
		err = denied(i.as, "table "+t.Name) // PostgreSQL sets the columns of the key, too
	}
	return err
}

// rows reads the request's values as the columns' types and adds what the
// server fills in: a random id, who it is by, and when it came.
func (i *insertion) rows() ([]row, error) {
	t := i.w.Table
	out := make([]row, 0, len(i.w.Rows))
	stamp := stampNow()
	for _, raw := range i.w.Rows {
		r := row{}
		for n, c := range i.w.Columns {
			if raw[n] == nil {
				continue
			}
			v, err := given(c, raw[n])
			if err == nil {
				err = i.fits(t, c, v)
			}
			if err != nil {
				return nil, err
			}
			r[c] = v
		}
		if c := t.Column("id"); c != nil && c.Default && c.Type == table.UUID {
			if _, has := r[c]; !has {
				r[c] = uuidValue(uuid.New())
			}
		}
		if t.Authored {
			c := t.Column("user_id")
			if v, has := r[c]; (!has || v.null) && i.as.User != uuid.Nil {
				r[c] = uuidValue(i.as.User)
			}
			c = t.Column("created_at")
			if _, has := r[c]; !has || !i.copied {
				r[c] = stamp
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// stampNow is when a row comes, which only the server says: pulls go by it.
func stampNow() value {
	now := time.Now().UTC().Truncate(time.Microsecond)
	return value{text: now.Format(time.RFC3339Nano), lite: now.UnixMicro()}
}

func uuidValue(id uuid.UUID) value { return value{text: id.String(), lite: id[:]} }

func (i *insertion) admit(rows []row) error {
	for _, r := range rows {
		if err := i.in.admit(r.get(i.w.Table)); err != nil {
			return err
		}
	}
	if err := i.ofRepository(rows); err != nil || i.w.Table.Name != "eval_cases" || i.as.Role == db.Service {
		return err
	}
	return identified(rows, i.w.Table)
}

// identified checks that the ids of cases are those that their names have, so
// that nobody can name another's case.
func identified(rows []row, t *table.Table) error {
	for _, r := range rows {
		text := func(column string) string { return r[t.Column(column)].text }
		if text("id") != strconv.FormatInt(wire.CaseID(text("repo_slug"), text("suite"), text("name"), text("variant")), 10) {
			return fail(400, "23514", `new row for relation "eval_cases" violates check constraint "eval_cases_id_check"`)
		}
	}
	return nil
}

// write writes row by row: that is as fast as one statement on SQLite, and says
// which row was at fault on both.
func (i *insertion) write(rows []row) error {
	touched := map[string]bool{}
	for _, r := range rows {
		to, err := i.physical(r)
		if err != nil {
			return err
		}
		before := i.answer.Affected
		if err := i.written(i.statement(to, r), i.shape, i.answer); err != nil {
			return explainWrite(&i.reader, err, i.w.Table, r.get(i.w.Table))
		}
		if i.w.Table.Month != "" {
			if err := i.count(r, int(i.answer.Affected-before)); err != nil {
				return err
			}
		}
		if i.w.Resolution != merge {
			continue
		}
		key := i.keyText(r)
		switch {
		case touched[key]:
			return fail(400, "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time")
		case i.answer.Affected == before:
			return fail(forbidden(i.as), "42501", `new row violates row-level security policy (USING expression) for table "`+i.w.Table.Name+`"`)
		}
		touched[key] = true
	}
	return nil
}

// count counts a row of a month for its team's quota.
func (i *insertion) count(r row, rows int) error {
	if i.w.Resolution == merge { // the row may have been there; only the server's key may do this
		return i.tx.Recount(i.ctx)
	}
	get := r.get(i.w.Table)
	team, _ := get(i.w.Table.Team)
	at, _ := get(i.w.Table.Month)
	payload, _ := get("payload")
	text, _ := payload.lite.(string)
	micros, _ := at.lite.(int64)
	return i.tx.Stored(i.ctx, id(team, true), time.UnixMicro(micros), rows, len(text))
}

// written runs a write and adds what it returns to an answer: rows of a shape, or
// none where that is nil.
func (r *reader) written(s *statement, sh *shape, a *Answer) error {
	s.put(" returning ")
	if sh == nil {
		s.put("1")
		return s.each(r.ctx, r.tx, func([]any) error {
			a.Affected++
			return nil
		})
	}
	r.show(s, sh)
	return r.objects(s, sh, func(o []byte, _ []any) error {
		a.Affected++
		return a.add(o)
	})
}

func (i *insertion) keyText(r row) string {
	var b strings.Builder
	get := r.get(i.w.Table)
	for _, name := range i.target {
		v, _ := get(name)
		b.WriteString(v.text + "|")
	}
	return b.String()
}

// ofRepository checks what a token of CI that is for a repository adds to a run
// or to the cases: the run and the case must be of that repository, and the id of
// a new case the one that its name has.
func (i *insertion) ofRepository(rows []row) error {
	t := i.w.Table
	if i.as.Repo == "" || t.Repo != table.ByRun && t.Name != "eval_cases" {
		return nil
	}
	for _, r := range rows {
		get := r.get(t)
		text := func(column string) string { v, _ := get(column); return v.text }
		ok := true
		var err error
		if t.Name == "eval_cases" {
			ok = text("id") == strconv.FormatInt(wire.CaseID(i.as.Repo, text("suite"), text("name"), text("variant")), 10)
		} else if ok, err = i.isOurs("eval_runs", get, "run_id"); ok && t.Column("case_id") != nil {
			ok, err = i.isOurs("eval_cases", get, "case_id")
		}
		switch {
		case err != nil:
			return err
		case !ok:
			return refused(i.as, t)
		}
	}
	return nil
}

// isOurs says whether what a column names is there and of the token's repository.
func (i *insertion) isOurs(name string, get getter, column string) (bool, error) {
	s := &statement{dialect: i.tx.Dialect()}
	s.put("select count(*) from " + name)
	for n, c := range [...]string{"team_id", "id"} {
		v, _ := get([...]string{"team_id", column}[n])
		s.put([...]string{" where ", " and "}[n] + c + " = ")
		s.bind(kindOf(table.Find(name).Column(c)), v)
	}
	s.put(" and repo_slug = ?", i.as.Repo)
	var n int
	err := i.tx.QueryRow(i.ctx, string(s.sql), s.args...).Scan(&n)
	return n > 0, err
}

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
