package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
	"cairn/test/dbtest"
)

// lists returns a statement's rows as texts.
func lists(t *testing.T, d *db.DB, q string, args ...any) (out [][]string) {
	t.Helper()
	err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		return (&statement{dialect: d.Dialect()}).put(q, args...).each(ctx, tx, func(values []any) error {
			var row []string
			for _, v := range values {
				row = append(row, fmt.Sprint(v))
			}
			out = append(out, row)
			return nil
		})
	})
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return out
}

var liteTypes = [...]string{
	table.UUID: "BLOB", table.Text: "TEXT", table.Bool: "INTEGER", table.SmallInt: "INTEGER", table.Int: "INTEGER", table.BigInt: "INTEGER",
	table.Real: "REAL", table.Numeric: "INTEGER", table.Timestamp: "INTEGER", table.Date: "TEXT", table.JSON: "TEXT", table.TextArray: "TEXT",
}

// TestCatalog: the registry and both databases say the same.
func TestCatalog(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, tab := range table.All() {
			var got [][]string // name, type, not null, has a default, place in the key
			if d.Dialect() == db.SQLite {
				name := tab.Name
				if tab.Month != "" {
					name += "_000000"
				}
				got = lists(t, d, `select name, type, "notnull", dflt_value is not null, pk from pragma_table_info(?)`, name)
			} else {
				got = lists(t, d, `select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::int, a.atthasdef::int,
					coalesce((select array_position(string_to_array(i.indkey::text, ' ')::int[], a.attnum::int) from pg_index i where i.indrelid = a.attrelid and i.indisprimary), 0)
					from pg_attribute a where a.attrelid = ('public.' || ?::text)::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`, tab.Name)
			}
			if len(got) != len(tab.Columns) {
				t.Errorf("%s has %d columns, the registry %d", tab.Name, len(got), len(tab.Columns))
				continue
			}
			key := make([]string, len(tab.Key))
			for i := range tab.Columns {
				c := &tab.Columns[i]
				want := []string{c.Name, typeOf(d, c), fmt.Sprint(b2i(!c.Null)), fmt.Sprint(b2i(c.Default))}
				if d.Dialect() == db.SQLite && c.Name == "user_id" {
					want[3] = "0" // this package fills it in
				}
				if strings.Join(got[i][:4], " ") != strings.Join(want, " ") {
					t.Errorf("%s: %v, the registry says %v", tab.Name, got[i], want)
				}
				for n := range key {
					if got[i][4] == fmt.Sprint(n+1) {
						key[n] = c.Name
					}
				}
			}
			if !slices.Equal(key, tab.Key) {
				t.Errorf("%s: key %v, the registry says %v", tab.Name, key, tab.Key)
			}
			for _, u := range tab.Unique {
				checkUnique(t, d, tab, u)
			}
			if d.Dialect() == db.PostgreSQL {
				checkGrants(t, d, tab)
			}
		}
	})
}

func typeOf(d *db.DB, c *table.Column) string {
	switch {
	case d.Dialect() == db.SQLite:
		return liteTypes[c.Type]
	case c.Type == table.Numeric:
		return fmt.Sprintf("numeric(%d,%d)", c.Precision, c.Scale)
	}
	return names[c.Type]
}

func checkUnique(t *testing.T, d *db.DB, tab *table.Table, columns []string) {
	t.Helper()
	q := `select (select group_concat(name, ' ') from (select name from pragma_index_info(l.name) order by seqno)) from pragma_index_list(?) l where l."unique" = 1`
	if d.Dialect() == db.PostgreSQL {
		q = `select (select string_agg(a.attname, ' ' order by k.n) from unnest(i.indkey::int[]) with ordinality k(num, n) join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.num)
			from pg_index i where i.indrelid = ('public.' || ?::text)::regclass and i.indisunique and i.indpred is null`
	}
	if got := lists(t, d, q, tab.Name); !slices.ContainsFunc(got, func(r []string) bool { return r[0] == strings.Join(columns, " ") }) {
		t.Errorf("%s: nothing makes %v unique: %v", tab.Name, columns, got)
	}
}

func checkGrants(t *testing.T, d *db.DB, tab *table.Table) {
	t.Helper()
	for _, g := range []struct {
		privilege string
		who       table.Who
	}{{"select", tab.Read}, {"insert", tab.Insert}, {"update", tab.Update}, {"delete", tab.Delete}} {
		q := `select has_table_privilege('authenticated', 'public.' || ?::text, ?::text)::int`
		if g.privilege != "delete" { // which has no columns
			q = strings.Replace(q, "table", "any_column", 1)
		}
		got := lists(t, d, q, tab.Name, g.privilege)
		if got[0][0] != fmt.Sprint(b2i(g.who != table.Nobody)) {
			t.Errorf("%s of %s is granted: %s, the registry says %v", g.privilege, tab.Name, got[0][0], g.who)
		}
		if anon := lists(t, d, strings.Replace(q, "authenticated", "anon", 1), tab.Name, g.privilege); anon[0][0] != "0" {
			t.Errorf("anon may %s %s", g.privilege, tab.Name)
		}
	}
	for _, rel := range tab.Relations {
		if rel.Name == "eval_cases" { // a case need not be known before its results
			continue
		}
		if got := lists(t, d, `select conname from pg_constraint where contype = 'f' and conname = ?`, rel.Constraint); len(got) == 0 {
			t.Errorf("%s: there is no constraint %s", tab.Name, rel.Constraint)
		}
	}
}
