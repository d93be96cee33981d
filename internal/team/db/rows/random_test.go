package rows

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// A pool has the values that rows have and filters ask for, so that they often meet.
type pool struct {
	rand *rand.Rand
	ids  []string
}

func (p *pool) one(list ...string) string { return list[p.rand.IntN(len(list))] }

// literal is a value of a type as a filter writes it; all of them can be kept by every column.
func (p *pool) literal(t table.Type) string {
	switch t {
	case table.UUID:
		return p.one(p.ids...)
	case table.Bool:
		return p.one("true", "false")
	case table.SmallInt, table.Int, table.BigInt:
		return p.one("0", "1", "2", "3", "7", "100")
	case table.Numeric:
		return p.one("0", "0.5", "1", "1.500000", "2.25", "99.99", "1e1")
	case table.Real:
		return p.one("0", "0.1", "0.5", "0.25", "1", "0.3333333")
	case table.Timestamp:
		return p.one("2026-01-01T00:00:00Z", "2026-03-15T10:30:00.5+02:00", "2026-03-15T08:30:00.5Z", "2026-07-01T00:00:00Z", "2025-12-31T23:59:59.999999Z")
	case table.Date:
		return p.one("2026-01-01", "2026-03-15", "2025-12-31")
	case table.JSON:
		return p.one(`null`, `1`, `1.0`, `"a"`, `true`, `[]`, `[1]`, `[1, "a"]`, `[[1]]`, `{}`, `{"a":1}`, `{"a": 1, "b": [1, 2]}`, `{"b":null}`, `{"aa":"a"}`, `[{"a":1},null]`, `{"a":{"b":"x"}}`)
	case table.TextArray:
		return p.one(`[]`, `["a"]`, `["a","b"]`, `["a",null]`)
	}
	return p.one("", "a", "b", "abc", "ABC", "a_c", "a%c", "é", "null", "10", `q"'uote`)
}

// body is a literal as JSON, null sometimes where the column allows it.
func (p *pool) body(c *table.Column) string {
	if c.Null && p.rand.IntN(4) == 0 {
		return "null"
	}
	s := p.literal(c.Type)
	for s == "null" && c.Type == table.JSON {
		s = p.literal(c.Type)
	}
	switch c.Type {
	case table.JSON, table.TextArray, table.Bool, table.SmallInt, table.Int, table.BigInt, table.Numeric, table.Real:
		return s
	}
	out, _ := json.Marshal(s)
	return string(out)
}

func (p *pool) column(t *table.Table) *table.Column {
	for {
		if c := &t.Columns[p.rand.IntN(len(t.Columns))]; !c.Hidden {
			return c
		}
	}
}

func (p *pool) filter(t *table.Table, depth int) postgrest.Filter {
	f := postgrest.Filter{Not: p.rand.IntN(4) == 0}
	if depth > 0 && p.rand.IntN(2) == 0 {
		for range 1 + p.rand.IntN(3) {
			f.All = append(f.All, p.filter(t, depth-1))
		}
		if p.rand.IntN(2) == 0 {
			f.All, f.Any = nil, f.All
		}
		return f
	}
	f.Column = p.column(t)
	typ := f.Column.Type
	ops := []postgrest.Op{postgrest.Eq, postgrest.Neq, postgrest.Gt, postgrest.Gte, postgrest.Lt, postgrest.Lte, postgrest.In, postgrest.Is}
	if f.Op = ops[p.rand.IntN(len(ops))]; typ == table.JSON || typ == table.TextArray {
		f.Op = postgrest.Is
	}
	switch f.Op {
	case postgrest.Is:
		f.Values = []string{"null"}
		if typ == table.Bool {
			f.Values = []string{p.one("null", "true", "false")}
		}
	case postgrest.In:
		f.Values = []string{p.literal(typ), p.literal(typ), p.literal(typ)}[:p.rand.IntN(4)]
	default:
		f.Values = []string{p.literal(typ)}
	}
	return f
}

// TestFiltersAgainstModel compares random filters of two teams on both
// databases with the model.
func TestFiltersAgainstModel(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	const rounds, filters = 24, 60
	seed := uint64(time.Now().UnixNano())
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := &pool{rand: rand.New(rand.NewPCG(seed, 1))}
		teams := []uuid.UUID{dbtest.Team(t, d, "one"), dbtest.Team(t, d, "two")}
		people := []db.Identity{dbtest.Member(t, d, teams[0], "member"), dbtest.Member(t, d, teams[1], "owner")}
		p.ids = []string{teams[0].String(), teams[1].String(), people[0].User.String(), people[1].User.String(), uuid.NewString()}
		for _, name := range []string{"ship_logs", "retro_snapshots", "eval_runs", "eval_results", "session_transcripts"} {
			tab := table.Find(name)
			have := make([][]modelRow, len(teams))
			for n := range 2 * rounds {
				have[n%2] = append(have[n%2], p.fill(t, d, people[n%2], tab, teams[n%2], n))
			}
			for range filters {
				f := p.filter(tab, 3)
				for n, as := range people {
					p.check(t, d, as, tab, f, have[n])
				}
				p.check(t, d, db.Identity{Role: db.Service}, tab, f, slices.Concat(have...))
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		}
	})
}

// fill inserts a row of random values and returns it as the model has it.
func (p *pool) fill(t *testing.T, d *db.DB, as db.Identity, tab *table.Table, team uuid.UUID, n int) modelRow {
	t.Helper()
	var members []string
	for i := range tab.Columns {
		c := &tab.Columns[i]
		v := p.body(c)
		switch c.Name {
		case "team_id":
			v = `"` + team.String() + `"`
		case "user_id":
			v = `"` + as.User.String() + `"`
		case "id":
			v = `"` + uuid.NewString() + `"`
		case "ingest_key", "session_id":
			v = fmt.Sprintf(`"key of the row %06d"`, n)
		case "scope", "judge_tier":
			v = `"` + p.one("standard", "full") + `"`
		case "total_tests", "passed", "failed", "skipped", "errored":
			v = "0"
		case "run_id":
			v = `"` + p.run(t, d, as, team) + `"`
		case "case_id":
			v = strconv.Itoa(n)
		case "status":
			v = p.one("0", "1", "2", "3")
		}
		members = append(members, fmt.Sprintf("%q:%s", c.Name, v))
	}
	a := mustInsert(t, d, as, write(t, tab.Name, team, "{"+strings.Join(members, ",")+"}"))
	return readRow(a.Rows[0])
}

func (p *pool) run(t *testing.T, d *db.DB, as db.Identity, team uuid.UUID) string {
	id := uuid.NewString()
	mustInsert(t, d, as, write(t, "eval_runs", team, fmt.Sprintf(`{"team_id":"%%T","id":%q,"run_at":"2026-11-20","ingest_key":"for results %s","repo_slug":"a","label":"b","total_tests":0,"passed":0,"failed":0}`, id, id)))
	return id
}

func readRow(raw []byte) modelRow { return modelRow(readJSON(string(raw)).(map[string]any)) }

func (p *pool) check(t *testing.T, d *db.DB, as db.Identity, tab *table.Table, f postgrest.Filter, have []modelRow) {
	t.Helper()
	var want []string
	for _, r := range have {
		if r.filter(&f) == yes {
			want = append(want, modelKey(tab, r))
		}
	}
	a, err := selects(t, d, as, query(tab.Name, f))
	if err != nil {
		t.Errorf("%s: %v\n%+v", tab.Name, err, f)
		return
	}
	var got []string
	for _, raw := range a.Rows {
		got = append(got, modelKey(tab, readRow(raw)))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) || a.Total != int64(len(want)) {
		t.Errorf("%s as %s: %d rows of %d, the model has %d\n%s", tab.Name, as.Role, len(got), len(have), len(want), describe(f))
		for _, r := range have {
			if k := modelKey(tab, r); slices.Contains(got, k) != slices.Contains(want, k) && len(f.All)+len(f.Any) == 0 {
				t.Errorf("%v: got %v", r[f.Column.Name], slices.Contains(got, k))
			}
		}
	}
}

func describe(f postgrest.Filter) string {
	var parts []string
	for _, g := range append(f.All, f.Any...) {
		parts = append(parts, describe(g))
	}
	if len(parts) > 0 {
		return fmt.Sprintf("not:%v any:%v (%s)", f.Not, len(f.Any) > 0, strings.Join(parts, " ; "))
	}
	return fmt.Sprintf("not:%v %s op %d %q", f.Not, f.Column.Name, f.Op, f.Values)
}

func modelKey(tab *table.Table, r modelRow) string {
	var parts []string
	for _, k := range tab.Key {
		parts = append(parts, fmt.Sprint(r[k]))
	}
	return strings.Join(parts, " ")
}
