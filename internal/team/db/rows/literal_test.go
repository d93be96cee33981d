package rows

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"cairn/internal/team/db"
	"cairn/internal/team/db/dbtest"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// literals are texts that are read as a type; PostgreSQL says what they are.
var literals = map[table.Type][]string{
	table.UUID: {"10000000-0000-4000-8000-00000000000a", "10000000-0000-4000-8000-00000000000A", "{10000000-0000-4000-8000-00000000000a}",
		"1000000000004000800000000000000a", "1000-0000-0000-4000-8000-0000-0000-000a", "10000000--0000-4000-8000-00000000000a", "{10000000-0000-4000-8000-00000000000a",
		"urn:uuid:10000000-0000-4000-8000-00000000000a", "10000000-0000-4000-8000-00000000000", "g0000000-0000-4000-8000-00000000000a", "", " 10000000-0000-4000-8000-00000000000a",
		"10000000-0000-4000-8000-00000000000a-"},
	table.Bool:     {"t", "TRUE", "tru", "y", "yes", "on", "o", "1", "f", "fal", "of", "off", "n", "no", "0", " true ", "", "2", "wahr", "10"},
	table.SmallInt: {"1", "-1", "+1", " 7 ", "32767", "32768", "-32768", "-32769", "1.0", "1e2", "", "--1", "0x10", "1_000"},
	table.Int:      {"2147483647", "2147483648", "-2147483648", "007", "x"},
	table.BigInt:   {"9223372036854775807", "9223372036854775808", "-9223372036854775808"},
	table.Real:     {"1", "0.1", "-1.5e3", "1e39", "1e-50", "1e38", "Infinity", "-inf", ".5", "5.", "e5", "1e", "", "x", "16777217", "1000000", "123456", "0.0001", "0.00001", " 1 "},
	table.Numeric:  {"1", "0.5", ".5", "5.", "1e3", "1E-2", "+1", "-0", "1e", "", ".", "x", "1 2", " 1 ", "--1", "+-1"},
	table.Timestamp: {"2026-03-15T10:30:00Z", "2026-03-15 10:30:00+00", "2026-03-15T10:30:00.123456+02:00", "2026-03-15T10:30:00.1234567Z", "2026-03-15", "2026-03-15T10:30", "2026-03-15T10:30+02", "2026-03-15T10:30+0230", "2026-03-15 10:30:00.5-03:30",
		"2026-03-15T10:30:00-0530", "2026-02-30T00:00:00Z", "2026-13-01", "2026-03-15T25:00:00Z", "soon", "", "2026-03-15T10:30:00.5Z", "infinity", "-infinity", "epoch", "20260315",
		"2026-03-15 10:30:00 +02", "2026-03-15t10:30:00z", "1999-12-31T23:59:59.9999999Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-03-15 10:30:00 UTC"},
	table.Date:      {"2026-03-15", "2026-02-29", "2024-02-29", "20260315", "tomorrowish", "2026-03-15T10:30:00Z", "epoch", ""},
	table.JSON:      {`1`, `1.50`, `1e2`, `-0`, `1.5e-3`, `1E+2`, `"a\u00e9"`, `"\u0000"`, `{"b":1,"a":2,"aa":3,"b":4}`, `[]`, `{}`, `{"a":{"z":1,"y":[null,true]}}`, `x`, ``, `{"a":}`, ` [1 , 2] `, `[1] 2`, `"\ud83d\ude00"`, `0.000e5`, `100e-1`},
	table.TextArray: {"{}", "{a,b}", `{"a,b","c\"d",e}`, "{NULL,null,\"null\"}", "{ a , b }", "{a", "a", "{a,}", "{a}b", `{"a"b}`, `{a\,b}`, "", " {a} "},
}

func TestLiteralsAreThoseOfPostgreSQL(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.PostgreSQL {
			return
		}
		for typ, texts := range literals {
			k := kind{Type: typ, scale: 6}
			for _, text := range texts {
				v, failed := k.literal(text)
				var theirs string
				err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
					return tx.QueryRow(ctx, "select to_json("+strings.Replace((&statement{dialect: db.PostgreSQL}).parameter(k), "?", "?::text", 1)+")::text", text).Scan(&theirs)
				})
				var pg *pgconn.PgError
				if errors.As(err, &pg) != (failed != nil) {
					t.Errorf("%s %q: we say %v, PostgreSQL %v", k, text, failed, err)
					continue
				}
				if failed != nil {
					if ours := Explain(failed, db.Identity{}); ours.Code != pg.Code || typ != table.Timestamp && typ != table.Date && ours.Message != pg.Message {
						t.Errorf("%s %q: %s %s, PostgreSQL says %s %s", k, text, ours.Code, ours.Message, pg.Code, pg.Message)
					}
					continue
				}
				shown, err := k.show(v.lite)
				if err != nil {
					t.Fatal(err)
				}
				if !alike(string(shown), theirs) {
					t.Errorf("%s %q: %s, PostgreSQL says %s", k, text, shown, theirs)
				}
				if typ == table.JSON && string(shown) != theirs {
					t.Errorf("%q is printed as %s, by PostgreSQL as %s", text, shown, theirs)
				}
			}
		}
	})
}

func alike(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

func TestNotKept(t *testing.T) {
	for _, typ := range []table.Type{table.Real, table.Numeric} {
		if _, err := (kind{Type: typ}).literal("NaN"); err == nil {
			t.Errorf("%s: NaN is taken, which SQLite cannot keep", kind{Type: typ})
		}
	}
	for _, text := range []string{"1e99999999999", "1e1001", "-1e-1001"} {
		if _, err := (kind{Type: table.Numeric}).literal(text); Explain(err, db.Identity{}).Code != "22003" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTextSearch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		me := dbtest.Member(t, d, dbtest.Team(t, d, "acme"), "member")
		team := mustSelect(t, d, me, query("team_members")).Rows[0]
		id := readRow(team)["team_id"].(string)
		for i, text := range []string{"The quick brown fox", "a lazy dog sleeps", "foxes and dogs", "nothing"} {
			mustInsert(t, d, me, write(t, "qa_reports", [16]byte{}, strings.NewReplacer("ID", id, "N", string(rune('0'+i)), "TEXT", text).Replace(`{"team_id":"ID","ingest_key":"N","repo_slug":"a","url":"N","mode":"TEXT"}`)))
		}
		for _, test := range []struct {
			op           postgrest.Op
			config, text string
			want         string
		}{
			{postgrest.Search, "", "fox", "0 2"}, {postgrest.Search, "", "fox & dog", "2"}, {postgrest.Search, "", "fox | dog", "0 1 2"}, {postgrest.Search, "", "!fox & !dog", "3"},
			{postgrest.Search, "simple", "fox", "0"}, {postgrest.Search, "simple", "fo:*", "0 2"}, {postgrest.Search, "", "(quick | lazy) & fox", "0"}, {postgrest.Search, "", "brown <-> fox", "0"},
			{postgrest.Search, "", "quick <-> fox", ""}, {postgrest.Plain, "", "fox brown", "0"}, {postgrest.Phrase, "", "brown fox", "0"}, {postgrest.Phrase, "", "fox brown", ""},
			{postgrest.Web, "", `"brown fox" or dog`, "0 1 2"}, {postgrest.Web, "", "dog -lazy", "2"}, {postgrest.Plain, "", "", ""}, {postgrest.Web, "english", "sleeping", "1"},
		} {
			f := on("qa_reports", "mode", test.op, test.text)
			f.Config = test.config
			q := query("qa_reports", f)
			q.Order = []postgrest.Order{{Path: column("qa_reports", "url")}}
			var got []string
			for _, r := range mustSelect(t, d, me, q).Rows {
				got = append(got, readRow(r)["url"].(string))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%d %s %q: %v, want %s", test.op, test.config, test.text, got, test.want)
			}
		}
	})
}
