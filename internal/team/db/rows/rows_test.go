package rows

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

var ctx = context.Background()

// query is a query of all rows and columns of a table.
func query(name string, where ...postgrest.Filter) *postgrest.Query {
	return &postgrest.Query{Table: table.Find(name), Where: where, Limit: -1}
}

func column(name, path string) *table.Column {
	c := table.Find(name).Column(path)
	if c == nil {
		panic(name + " has no column " + path)
	}
	return c
}

// on makes a filter of a table.
func on(name, path string, op postgrest.Op, values ...string) postgrest.Filter {
	return postgrest.Filter{Column: column(name, path), Op: op, Values: values}
}

// show selects columns.
func show(name string, paths ...string) []postgrest.Item {
	var out []postgrest.Item
	for _, p := range paths {
		out = append(out, postgrest.Item{Column: column(name, p)})
	}
	return out
}

// An answer is an Answer and its rows.
type answer struct {
	*Answer
	Rows []jsontext.Value
}

// answered runs what adds rows to an answer.
func answered(run func(*Answer) error) (*answer, error) {
	out := &answer{Answer: NewAnswer(Most)}
	if err := run(out.Answer); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.WriteByte('[')
	if n, err := out.WriteTo(&text); err != nil || int(n) != out.Size() {
		return nil, fmt.Errorf("%d bytes of %d, %v", n, out.Size(), err)
	}
	text.WriteByte(']')
	if err := json.Unmarshal(text.Bytes(), &out.Rows); err != nil || len(out.Rows) != out.Answer.Rows {
		return nil, fmt.Errorf("%d rows, %v: %s", out.Answer.Rows, err, text.Bytes())
	}
	return out, nil
}

// write makes an insert of rows that are JSON objects; %T is the team's id.
func write(t testing.TB, name string, team uuid.UUID, rows ...string) *postgrest.Write {
	t.Helper()
	w := &postgrest.Write{Query: *query(name)}
	seen := map[string]bool{}
	var objects []map[string]jsontext.Value
	for _, r := range rows {
		var raw map[string]json.RawMessage
		if err := json.Unmarshal([]byte(strings.ReplaceAll(r, "%T", team.String())), &raw); err != nil {
			t.Fatalf("%s: %v", r, err)
		}
		o := map[string]jsontext.Value{}
		for k, v := range raw {
			o[k] = jsontext.Value(v)
			if !seen[k] {
				seen[k] = true
				w.Columns = append(w.Columns, table.Find(name).Column(k))
			}
		}
		objects = append(objects, o)
	}
	for _, o := range objects {
		var values []jsontext.Value
		for _, c := range w.Columns {
			values = append(values, o[c.Name])
		}
		w.Rows = append(w.Rows, values)
	}
	return w
}

func insert(t testing.TB, d *db.DB, as db.Identity, w *postgrest.Write) (*answer, error) {
	t.Helper()
	return answered(func(a *Answer) error {
		return d.Update(ctx, as, func(tx *db.Tx) error { return Insert(ctx, tx, as, w, true, a) })
	})
}

func mustInsert(t testing.TB, d *db.DB, as db.Identity, w *postgrest.Write) *answer {
	t.Helper()
	a, err := insert(t, d, as, w)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func selects(t testing.TB, d *db.DB, as db.Identity, q *postgrest.Query) (*answer, error) {
	t.Helper()
	return answered(func(a *Answer) error {
		return d.View(ctx, as, func(tx *db.Tx) error { return Select(ctx, tx, as, q, true, a) })
	})
}

func mustSelect(t testing.TB, d *db.DB, as db.Identity, q *postgrest.Query) *answer {
	t.Helper()
	a, err := selects(t, d, as, q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// same compares rows with JSON arrays, whatever their spaces.
func same(t testing.TB, got []jsontext.Value, want string) {
	t.Helper()
	var a, b any
	text := "[" + join(got) + "]"
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatalf("%s: %v", want, err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("rows %s\nwant %s", text, want)
	}
}

func join(rows []jsontext.Value) string {
	var parts []string
	for _, r := range rows {
		parts = append(parts, string(r))
	}
	return strings.Join(parts, ",")
}

// wants checks the code and message that an error is explained by.
func wants(t testing.TB, err error, as db.Identity, want string) {
	t.Helper()
	got := "none"
	if e := Explain(err, as); e != nil {
		got = fmt.Sprintf("%d %s %s", e.Status, e.Code, e.Message)
	}
	if got != want {
		t.Errorf("error %s\n want %s (%v)", got, want, err)
	}
}

func TestInsertAndSelect(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "member")
		a := mustInsert(t, d, me, write(t, "qa_reports", team,
			`{"team_id":"%T","id":"10000000-0000-4000-8000-000000000001","ingest_key":"k1","repo_slug":"a/b","url":"http://x","health_score":87.5,"issues":[{"b":1.50,"a":null}],"occurred_at":"2026-03-15 10:30:00.5+02"}`,
			`{"team_id":"%T","id":"10000000-0000-4000-8000-000000000002","ingest_key":"k2","repo_slug":"a/c","url":"http://y","created_at":"2001-01-01"}`))
		if a.Affected != 2 || len(a.Rows) != 2 {
			t.Fatalf("affected %d, %d rows", a.Affected, len(a.Rows))
		}
		q := query("qa_reports", on("qa_reports", "repo_slug", postgrest.Eq, "a/b"))
		q.Select = show("qa_reports", "id", "url", "health_score", "issues", "occurred_at", "report_markdown", "user_id")
		got := mustSelect(t, d, me, q)
		same(t, got.Rows, `[{"id":"10000000-0000-4000-8000-000000000001","url":"http://x","health_score":87.50,"issues":[{"a":null,"b":1.50}],
			"occurred_at":"2026-03-15T08:30:00.5+00:00","report_markdown":null,"user_id":"`+me.User.String()+`"}]`)
		if got.Total != 1 {
			t.Errorf("total %d", got.Total)
		}
		late := mustSelect(t, d, me, query("qa_reports", on("qa_reports", "created_at", postgrest.Lt, "2020-01-01")))
		same(t, late.Rows, `[]`) // the stamp is the server's
	})
}
