package rows

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
	"cairn/test/dbtest"
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
	table.Date: {"2026-03-15", "2026-02-29", "2024-02-29", "20260315", "tomorrowish", "2026-03-15T10:30:00Z", "epoch", ""},
}

// TestLiteralsAreThoseOfPostgreSQL: what is read here, PostgreSQL reads as the
// same value, and what it refuses is refused here with the same code.
func TestLiteralsAreThoseOfPostgreSQL(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.PostgreSQL {
			return
		}
		for typ, texts := range literals {
			k, read := kind{Type: typ, scale: 6}, 0
			for _, text := range texts {
				v, failed := k.literal(text)
				var theirs string
				err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
					return tx.QueryRow(ctx, "select to_json("+strings.Replace((&statement{dialect: db.PostgreSQL}).parameter(k), "?", "?::text", 1)+")::text", text).Scan(&theirs)
				})
				var pg *pgconn.PgError
				switch {
				case failed != nil && errors.As(err, &pg):
					if ours := Explain(failed, db.Identity{}); ours.Code != pg.Code && !(typ == table.Timestamp || typ == table.Date) {
						t.Errorf("%s %q: %s %s, PostgreSQL says %s %s", k, text, ours.Code, ours.Message, pg.Code, pg.Message)
					}
				case err != nil:
					t.Errorf("%s %q: we take what PostgreSQL does not: %v", k, text, err)
				case failed == nil:
					read++
					shown, err := k.show(nil, v.lite)
					if err != nil || !alike(string(shown), theirs) {
						t.Errorf("%s %q: %s, PostgreSQL says %s (%v)", k, text, shown, theirs, err)
					}
				}
			}
			if read == 0 {
				t.Errorf("%s: nothing is read", k)
			}
		}
	})
}

func alike(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

func TestNotKept(t *testing.T) {
	t.Parallel()
	for _, typ := range []table.Type{table.Real, table.Numeric} {
		if _, err := (kind{Type: typ}).literal("NaN"); err == nil {
			t.Errorf("%s: NaN is taken, which SQLite cannot keep", kind{Type: typ})
		}
	}
	for _, text := range []string{"1e99999999999", "1e1001", "1e31", "0." + strings.Repeat("0", 200) + "1"} {
		if _, err := (kind{Type: table.Numeric}).literal(text); Explain(err, db.Identity{}).Code != "22003" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestGivenJSON: JSON is kept as it was sent, but without what PostgreSQL cannot keep.
func TestGivenJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{ "b" : 1.50, "a": [ null ] }`: `{"b":1.50,"a":[null]}`, `null`: "", `"\\u0000"`: `"\\u0000"`,
		`"\u0000"`: "22P05", `{"a\\\u0000":1}`: "22P05", `[1`: "22P02",
	} {
		v, err := kind{Type: table.JSON}.given([]byte(text))
		got := v.text
		if err != nil {
			got = Explain(err, db.Identity{}).Code
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{`["a","b\"c\\",null]`: `{"a","b\"c\\",NULL}`, `[]`: `{}`, `["\u0000"]`: "22P05", `"{a}"`: "22P02", `[1]`: "22P02", `{}`: "22P02"} {
		v, err := kind{Type: table.TextArray}.given([]byte(text))
		got := v.text
		if err != nil {
			got = Explain(err, db.Identity{}).Code
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestJSONIsReadOnce: what it takes to look for the character 0 does not grow
// with how often something looks like it.
func TestJSONIsReadOnce(t *testing.T) {
	text := []byte(`"` + strings.Repeat(`\\u0000`, 5_000) + `"`)
	if n := testing.AllocsPerRun(1, func() {
		if _, err := (kind{Type: table.JSON}).given(text); err != nil {
			t.Fatal(err)
		}
	}); n > 100 {
		t.Errorf("%v allocations", n)
	}
}
