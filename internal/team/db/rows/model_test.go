package rows

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/dbtest"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// The model says what a filter leaves, in another way than the product: on Go's
// own values, with three truths.
type truth int8

const (
	no truth = iota
	unknown
	yes
)

func holds(b bool) truth {
	if b {
		return yes
	}
	return no
}

// A modelRow is a row as encoding/json reads it.
type modelRow map[string]any

// modelValue reads a column's JSON as something that can be compared; nil is null.
func modelValue(c *table.Column, v any) any {
	if v == nil {
		return nil
	}
	switch c.Type {
	case table.JSON:
		return v
	case table.TextArray:
		return v.([]any)
	case table.Bool:
		return v.(bool)
	case table.UUID, table.Text, table.Date:
		return v.(string)
	}
	return modelLiteral(c.Type, fmt.Sprint(v))
}

func modelLiteral(t table.Type, s string) any {
	switch t {
	case table.Timestamp:
		at, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			panic(err)
		}
		return at
	case table.Bool:
		return s == "true"
	case table.SmallInt, table.Int, table.BigInt, table.Numeric:
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			panic(s)
		}
		return r
	case table.Real:
		f, err := strconv.ParseFloat(s, 32)
		if err != nil {
			panic(err)
		}
		return new(big.Rat).SetFloat64(f)
	case table.JSON:
		return readJSON(s)
	case table.TextArray:
		list := []any{}
		for _, e := range strings.Split(strings.Trim(s, "{}"), ",") {
			if e != "" {
				list = append(list, e)
			}
		}
		return list
	}
	return s
}

func readJSON(s string) (v any) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

func modelCompare(a, b any) int {
	switch a := a.(type) {
	case string:
		return cmp.Compare(a, b.(string))
	case *big.Rat:
		return a.Cmp(b.(*big.Rat))
	case time.Time:
		return a.Compare(b.(time.Time))
	case bool:
		return b2i(a) - b2i(b.(bool))
	case []any: // a list of texts
		return slices.CompareFunc(a, b.([]any), func(x, y any) int {
			switch {
			case x == nil && y == nil:
				return 0
			case x == nil:
				return 1
			case y == nil:
				return -1
			}
			return cmp.Compare(x.(string), y.(string))
		})
	}
	panic(fmt.Sprintf("%T", a))
}

// order of jsonb's kinds, smallest first.
func jsonRank(v any) int {
	switch v.(type) {
	case nil:
		return 0
	case string:
		return 1
	case json.Number:
		return 2
	case bool:
		return 3
	case []any:
		return 4
	}
	return 5
}

func modelJSON(a, b any) int {
	if x, y := jsonRank(a), jsonRank(b); x != y {
		return x - y
	}
	switch a := a.(type) {
	case string:
		return cmp.Compare(a, b.(string))
	case bool:
		return b2i(a) - b2i(b.(bool))
	case json.Number:
		x, _ := new(big.Rat).SetString(string(a))
		y, _ := new(big.Rat).SetString(string(b.(json.Number)))
		return x.Cmp(y)
	case []any:
		b := b.([]any)
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		for i := range a {
			if d := modelJSON(a[i], b[i]); d != 0 {
				return d
			}
		}
	case map[string]any:
		b := b.(map[string]any)
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		keys := func(m map[string]any) (out []string) {
			for k := range m {
				out = append(out, k)
			}
			slices.SortFunc(out, func(x, y string) int { return cmp.Or(len(x)-len(y), cmp.Compare(x, y)) })
			return out
		}
		x, y := keys(a), keys(b)
		for i := range x {
			if d := cmp.Or(cmp.Compare(x[i], y[i]), modelJSON(a[x[i]], b[y[i]])); d != 0 {
				return d
			}
		}
	}
	return 0
}

// topJSON knows that an empty array at the top comes before every scalar.
func topJSON(a, b any) int {
	x, isX := a.([]any)
	y, isY := b.([]any)
	if isX && len(x) == 0 && jsonRank(b) < 4 {
		return -1
	}
	if isY && len(y) == 0 && jsonRank(a) < 4 {
		return 1
	}
	return modelJSON(a, b)
}

func modelContains(a, b any, top bool) bool {
	switch b := b.(type) {
	case map[string]any:
		m, ok := a.(map[string]any)
		for k, v := range b {
			have, found := m[k]
			ok = ok && found && modelContains(have, v, false)
		}
		return ok
	case []any:
		list, ok := a.([]any)
		for _, want := range b {
			one := false
			for _, have := range list {
				one = one || modelContains(have, want, false)
			}
			ok = ok && one
		}
		return ok
	}
	if list, ok := a.([]any); ok && top {
		return slices.ContainsFunc(list, func(e any) bool { return jsonRank(e) == jsonRank(b) && modelJSON(e, b) == 0 })
	}
	return jsonRank(a) == jsonRank(b) && modelJSON(a, b) == 0
}

func (r modelRow) at(p postgrest.Path) (any, table.Type) {
	v := r[p.Column.Name]
	if len(p.Keys) == 0 {
		return modelValue(p.Column, v), p.Column.Type
	}
	found := v != nil
	for _, k := range p.Keys {
		n, err := strconv.Atoi(k)
		switch c := v.(type) {
		case []any:
			if n < 0 {
				n += len(c)
			}
			if found = found && err == nil && n >= 0 && n < len(c); found {
				v = c[n]
			}
		case map[string]any:
			var has bool
			v, has = c[k]
			found = found && has && err != nil
		default: // a scalar is its own first and last element
			found = found && (k == "0" || k == "-1")
		}
		if !found {
			break
		}
	}
	switch {
	case !found && p.Text:
		return nil, table.Text
	case !found:
		return nil, table.JSON
	case !p.Text:
		return jsonValue{v}, table.JSON
	case v == nil:
		return nil, table.Text
	}
	switch v := v.(type) {
	case string:
		return v, table.Text
	case json.Number:
		return string(v), table.Text
	case bool:
		return strconv.FormatBool(v), table.Text
	}
	return modelText(v), table.Text
}

// modelText prints JSON as jsonb does.
func modelText(v any) string {
	var parts []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			parts = append(parts, modelText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		for k := range v {
			parts = append(parts, k)
		}
		slices.SortFunc(parts, func(x, y string) int { return cmp.Or(len(x)-len(y), cmp.Compare(x, y)) })
		for i, k := range parts {
			parts[i] = fmt.Sprintf("%q: %s", k, modelText(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// A jsonValue is JSON that is there, be it null.
type jsonValue struct{ v any }

func (r modelRow) filter(f *postgrest.Filter) truth {
	out := yes
	switch {
	case len(f.All) > 0:
		for i := range f.All {
			out = min(out, r.filter(&f.All[i]))
		}
	case len(f.Any) > 0:
		out = no
		for i := range f.Any {
			out = max(out, r.filter(&f.Any[i]))
		}
	default:
		out = r.compare(f)
	}
	if f.Not {
		out = yes - out
	}
	return out
}

func (r modelRow) compare(f *postgrest.Filter) truth {
	v, typ := r.at(f.Path)
	switch f.Op {
	case postgrest.Is:
		switch f.Values[0] {
		case "null", "unknown":
			return holds(v == nil)
		case "not_null":
			return holds(v != nil)
		}
		return holds(v != nil && v.(bool) == (f.Values[0] == "true"))
	case postgrest.In:
		out := no
		for _, text := range f.Values {
			out = max(out, modelOp(postgrest.Eq, v, typ, text))
		}
		return out
	}
	if !f.Many {
		return modelOp(f.Op, v, typ, f.Values[0])
	}
	out := holds(f.Every)
	for _, text := range f.Values {
		if one := modelOp(f.Op, v, typ, text); f.Every {
			out = min(out, one)
		} else {
			out = max(out, one)
		}
	}
	return out
}

func modelOp(op postgrest.Op, v any, typ table.Type, text string) truth {
	if op == postgrest.IsDistinct {
		return holds(v == nil || modelOp(postgrest.Neq, v, typ, text) == yes)
	}
	if v == nil {
		return unknown
	}
	if j, ok := v.(jsonValue); ok {
		v = j.v
	}
	want := modelLiteral(typ, text)
	switch op {
	case postgrest.Like, postgrest.ILike:
		pattern := regexp.QuoteMeta(text)
		pattern = "(?s)^" + strings.NewReplacer("%", ".*", "_", ".").Replace(pattern) + "$"
		if op == postgrest.ILike {
			pattern = "(?i)" + pattern
		}
		return holds(regexp.MustCompile(pattern).MatchString(v.(string)))
	case postgrest.Match:
		return holds(regexp.MustCompile(text).MatchString(v.(string)))
	case postgrest.IMatch:
		return holds(regexp.MustCompile("(?i)" + text).MatchString(v.(string)))
	case postgrest.Contains, postgrest.Contained, postgrest.Overlaps:
		a, b := v, want
		if op == postgrest.Contained {
			a, b = b, a
		}
		if typ == table.JSON {
			return holds(modelContains(a, b, true))
		}
		all, some := true, false
		for _, e := range b.([]any) {
			has := e != nil && slices.Contains(a.([]any), e)
			all, some = all && has, some || has
		}
		if op == postgrest.Overlaps {
			return holds(some)
		}
		return holds(all)
	}
	d := 0
	if typ == table.JSON {
		d = topJSON(v, want)
	} else {
		d = modelCompare(v, want)
	}
	switch op {
	case postgrest.Eq:
		return holds(d == 0)
	case postgrest.Neq:
		return holds(d != 0)
	case postgrest.Gt:
		return holds(d > 0)
	case postgrest.Gte:
		return holds(d >= 0)
	case postgrest.Lt:
		return holds(d < 0)
	}
	return holds(d <= 0)
}

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
		return p.one("{}", "{a}", "{a,b}", "{b,a}", "{b}", "{abc,a}")
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
	case table.JSON, table.Bool, table.SmallInt, table.Int, table.BigInt, table.Numeric, table.Real:
		return s
	case table.TextArray:
		if p.rand.IntN(5) == 0 {
			return `["a",null]`
		}
	}
	out, _ := json.Marshal(s)
	return string(out)
}

func (p *pool) path(t *table.Table) postgrest.Path {
	for {
		c := &t.Columns[p.rand.IntN(len(t.Columns))]
		if c.Hidden {
			continue
		}
		path := postgrest.Path{Column: c}
		if c.Type == table.JSON && p.rand.IntN(2) == 0 {
			path.Keys = [][]string{{"a"}, {"b"}, {"0"}, {"-1"}, {"b", "0"}, {"a", "b"}, {"0", "a"}}[p.rand.IntN(7)]
			path.Text = p.rand.IntN(2) == 0
		}
		return path
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
	f.Path = p.path(t)
	typ := kindOfPath(f.Path).Type
	ops := []postgrest.Op{postgrest.Eq, postgrest.Neq, postgrest.Gt, postgrest.Gte, postgrest.Lt, postgrest.Lte, postgrest.In, postgrest.Is, postgrest.IsDistinct}
	switch typ {
	case table.Text:
		ops = append(ops, postgrest.Like, postgrest.ILike, postgrest.Match, postgrest.IMatch)
	case table.JSON:
		ops = append(ops, postgrest.Contains, postgrest.Contained)
	case table.TextArray:
		ops = append(ops, postgrest.Contains, postgrest.Contained, postgrest.Overlaps)
	}
	f.Op = ops[p.rand.IntN(len(ops))]
	switch f.Op {
	case postgrest.Is:
		f.Values = []string{p.one("null", "not_null")}
		if typ == table.Bool {
			f.Values = []string{p.one("null", "not_null", "true", "false", "unknown")}
		}
		return f
	case postgrest.Like, postgrest.ILike:
		f.Values = []string{p.one("a%", "%c", "_b_", "%", "", "%B%", "a_c"), p.one("a%", "%C")}
	case postgrest.Match, postgrest.IMatch:
		f.Values = []string{p.one("^a", "c$", "B", "[a-b]c", "a|é", "^$"), p.one("a", "B")}
	default:
		f.Values = []string{p.literal(typ), p.literal(typ), p.literal(typ)}[:1+p.rand.IntN(3)]
	}
	if f.Op == postgrest.In {
		return f
	}
	if f.Op != postgrest.IsDistinct && f.Op != postgrest.Contains && f.Op != postgrest.Contained && f.Op != postgrest.Overlaps && p.rand.IntN(4) == 0 {
		f.Many, f.Every = true, p.rand.IntN(2) == 0
		return f
	}
	f.Values = f.Values[:1]
	return f
}

// TestFiltersAgainstModel compares random filters of two teams on both
// databases with the model.
func TestFiltersAgainstModel(t *testing.T) {
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
				t.Errorf("%v: got %v", r[f.Path.Column.Name], slices.Contains(got, k))
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
	return fmt.Sprintf("not:%v %s%v text:%v op %d %q many:%v every:%v", f.Not, f.Path.Column.Name, f.Path.Keys, f.Path.Text, f.Op, f.Values, f.Many, f.Every)
}

func modelKey(tab *table.Table, r modelRow) string {
	var parts []string
	for _, k := range tab.Key {
		parts = append(parts, fmt.Sprint(r[k]))
	}
	return strings.Join(parts, " ")
}
