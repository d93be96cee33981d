package db_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"cairn/internal/team/db"
	"cairn/test/pgtest"
)

var update = flag.Bool("update", false, "pin the migrations that are not pinned yet")

// Whoever edits a released migration locks every database that has it out.
func TestMigrationsAreFrozen(t *testing.T) {
	pinned, err := os.ReadFile("migrations/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(pinned)), "\n")[1:] {
		sum, name, _ := strings.Cut(line, "  ")
		sums[name] = sum
	}
	var files []string
	for _, pattern := range []string{"*/*.sql", "*/bridges/*.sql"} {
		found, _ := filepath.Glob("migrations/" + pattern)
		files = append(files, found...)
	}
	for _, file := range files {
		name := strings.TrimPrefix(filepath.ToSlash(file), "migrations/")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		switch got := hex.EncodeToString(sum[:]); {
		case sums[name] == "" && *update:
			pinned = fmt.Appendf(pinned, "%s  %s\n", got, name)
		case sums[name] == "":
			t.Errorf("%s is not pinned; go test ./internal/team/db -run Frozen -update", name)
		case sums[name] != got:
			t.Errorf("%s was edited: put the change into a new migration", name)
		}
		delete(sums, name)
	}
	for name := range sums {
		t.Errorf("%s is pinned and gone", name)
	}
	if *update && !t.Failed() {
		if err := os.WriteFile("migrations/SHA256SUMS", pinned, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Every released schema comes up to today's with all its rows in place.
// scripts/landed makes the stored databases.
func TestUpgrade(t *testing.T) {
	files, _ := filepath.Glob("testdata/landed/*.gz")
	if len(files) < 4 {
		t.Fatalf("stored databases: %v", files)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			sqlite := strings.HasSuffix(file, ".sqlite.gz")
			if !sqlite && pgtest.Shared() == nil {
				t.Skip("no PostgreSQL is here")
			}
			url := restored(t, file, sqlite)
			raw := direct(t, url, sqlite)
			before := contents(t, raw, sqlite)
			ctx := context.Background()
			d, err := db.Open(ctx, url, db.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			ready := d.Ready(ctx)
			taken, err := d.Migrate(ctx, false)
			if err != nil {
				t.Fatal(err)
			}
			if errors.Is(ready, db.ErrBehind) != (len(taken) > 0) {
				t.Errorf("Ready before: %v; then it took %v", ready, taken)
			}
			if err := d.Ready(ctx); err != nil {
				t.Errorf("Ready: %v", err)
			}
			if again, err := d.Migrate(ctx, false); len(again) > 0 || err != nil {
				t.Errorf("again: %v, %v", again, err)
			}
			if wrong, err := d.CheckRollups(ctx); len(wrong) > 0 || err != nil {
				t.Errorf("sums: %v, %v", wrong, err)
			}
			for table, rows := range before {
				if table == "cairn_migrations" || table == "cairn.migrations" {
					continue
				}
				if len(rows.values) == 0 {
					continue
				}
				if got := rows.again(t, raw, table); !slices.Equal(got, rows.values) {
					t.Errorf("%s: rows\n%s\nwere\n%s", table, strings.Join(got, "\n"), strings.Join(rows.values, "\n"))
				}
			}
			fresh := direct(t, freshURL(t, sqlite), sqlite)
			want, got := schema(t, fresh, sqlite), schema(t, raw, sqlite)
			for _, line := range want {
				if !slices.Contains(got, line) {
					t.Errorf("the schema lacks %s", line)
				}
			}
			for _, line := range got {
				if !slices.Contains(want, line) {
					t.Errorf("the schema has %s", line)
				}
			}
		})
	}
}

// A database of somebody's unreleased build is refused, and said to be that.
func TestEdited(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `update cairn.migrations set sha256 = 'x'`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Migrate(ctx, false); !errors.Is(err, db.ErrEdited) {
			t.Errorf("Migrate: %v", err)
		}
		if err := d.Ready(ctx); !errors.Is(err, db.ErrEdited) {
			t.Errorf("Ready: %v", err)
		}
	})
}

// restored puts a stored database back and returns its URL.
func restored(t *testing.T, file string, sqlite bool) string {
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if sqlite {
		path := filepath.Join(t.TempDir(), "cairn.db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	url, err := pgtest.Shared().Database()
	if err != nil {
		t.Fatal(err)
	}
	pool := direct(t, url, false)
	// Roles are the cluster's, in no database's dump.
	const roles = `do $$ declare r text; begin foreach r in array array['anon', 'authenticated', 'service_role'] loop
		if not exists (select from pg_roles where rolname = r) then execute format('create role %I nologin noinherit', r); end if; end loop;
		if not exists (select from pg_roles where rolname = 'cairn_server') then create role cairn_server nologin; end if; end $$;
		grant service_role to cairn_server`
	script := regexp.MustCompile(`(?m)^\\.*$`).ReplaceAllString(string(data), "") // psql's own commands
	for _, q := range []string{roles, script} {
		if _, err := pool.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	return url
}

func direct(t *testing.T, url string, sqlite bool) *sql.DB {
	driver := "pgx"
	if sqlite {
		driver = "sqlite"
	}
	pool, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}

func freshURL(t *testing.T, sqlite bool) string {
	url := filepath.Join(t.TempDir(), "cairn.db")
	if !sqlite {
		var err error
		if url, err = pgtest.Shared().Database(); err != nil {
			t.Fatal(err)
		}
	}
	d, err := db.Open(context.Background(), url, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Migrate(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	return url
}

// A stored is a table's rows as texts, sorted, and of which columns they are.
type stored struct{ columns, values []string }

func (s stored) again(t *testing.T, pool *sql.DB, table string) []string {
	return rowsOf(t, pool, "select "+strings.Join(s.columns, ", ")+" from "+table)
}

// contents returns all rows of all tables.
func contents(t *testing.T, pool *sql.DB, sqlite bool) map[string]stored {
	tables := `select schemaname || '.' || tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`
	columns := `select column_name from information_schema.columns where table_schema || '.' || table_name = '%s'`
	if sqlite {
		tables = `select name from sqlite_schema where type = 'table'`
		columns = `select name from pragma_table_info('%s')`
	}
	out := map[string]stored{}
	n := 0
	for _, table := range rowsOf(t, pool, tables) {
		s := stored{columns: rowsOf(t, pool, fmt.Sprintf(columns, table))}
		s.values = s.again(t, pool, table)
		n += len(s.values)
		out[table] = s
	}
	if n < 100 {
		t.Fatalf("the stored database has %d rows", n)
	}
	return out
}

// schema is everything a database has besides rows, a line each; not the
// tables of single months.
func schema(t *testing.T, pool *sql.DB, sqlite bool) (out []string) {
	if sqlite {
		const month = `not (name glob '*_[0-9][0-9][0-9][0-9][0-9][0-9]*' and name not like '%000000%')`
		for _, q := range []string{
			`select type, name, replace(replace(sql, char(10), ' '), '"', '') from sqlite_schema where type in ('index', 'trigger') and sql is not null and tbl_name not like 'sqlite%' and ` + month,
			`select m.name, p.name, p.type, p."notnull", p.dflt_value, p.pk from sqlite_schema m, pragma_table_info(m.name) p where m.type = 'table' and ` + strings.ReplaceAll(month, "name", "m.name"),
			`select m.name, p."table", p."from", p."to", p.on_delete from sqlite_schema m, pragma_foreign_key_list(m.name) p where m.type = 'table' and ` + strings.ReplaceAll(month, "name", "m.name"),
		} {
			out = append(out, rowsOf(t, pool, q)...)
		}
		return out
	}
	const ours = `n.nspname in ('public', 'auth', 'cairn') and not c.relispartition`
	for _, q := range []string{
		`select n.nspname, c.relname, c.relkind, c.relrowsecurity, c.relacl from pg_class c join pg_namespace n on n.oid = c.relnamespace where ` + ours + ` and c.relkind <> 'i'`,
		`select n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attacl from pg_attribute a join pg_class c on c.oid = a.attrelid
			join pg_namespace n on n.oid = c.relnamespace left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where ` + ours + ` and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v')`,
		`select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace where ` + ours,
		`select c.relname, k.conname, pg_get_constraintdef(k.oid) from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace where ` + ours,
		`select tablename, policyname, roles, cmd, qual, with_check from pg_policies`,
		`select pg_get_triggerdef(g.oid) from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_namespace n on n.oid = c.relnamespace where ` + ours + ` and not g.tgisinternal`,
		`select pg_get_functiondef(p.oid), p.proacl from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'auth', 'cairn')`,
	} {
		out = append(out, rowsOf(t, pool, q)...)
	}
	return out
}

// rowsOf returns a query's rows as texts, sorted.
func rowsOf(t *testing.T, pool *sql.DB, q string) (out []string) {
	t.Helper()
	rows, err := pool.Query(q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	values, to := make([]any, len(columns)), make([]any, len(columns))
	for i := range to {
		to[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		text := make([]string, len(values))
		for i, v := range values {
			text[i] = fmt.Sprint(v)
		}
		out = append(out, strings.Join(text, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}
