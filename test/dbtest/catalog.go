package dbtest

import (
	"context"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

var (
	ofMonth = regexp.MustCompile(`_(\d{6}|default)$`)
	schema  = regexp.MustCompile(`^(auth|cairn)_`)
)

// Tables returns every table of the database as the registry or PostgreSQL calls
// it; those of a month are one.
func Tables(t T, d *db.DB) (names []string) {
	t.Helper()
	for _, physical := range physicals(t, d) {
		names = append(names, logical(d, physical))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func logical(d *db.DB, physical string) string {
	whole := ofMonth.ReplaceAllString(physical, "")
	if d.Dialect() == db.SQLite {
		return schema.ReplaceAllString(whole, "$1.")
	}
	if whole != physical { // a partition is in another schema than its table
		whole = strings.TrimPrefix(whole, "cairn.")
	}
	return strings.TrimPrefix(whole, "public.")
}

func physicals(t T, d *db.DB) []string {
	if d.Dialect() == db.SQLite {
		return texts(t, d, `select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`)
	}
	return texts(t, d, `select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p') and n.nspname in ('public', 'auth', 'cairn')`)
}

// Mentions returns how many rows of each table have a text, or an id, somewhere
// in them, by the table's name as [Tables] has it. The partitions of PostgreSQL
// are looked at by their whole, as the server's role may.
func Mentions(t T, d *db.DB, text string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, physical := range physicals(t, d) {
		var n int
		if d.Dialect() == db.PostgreSQL {
			if ofMonth.MatchString(physical) {
				continue
			}
			n = Count(t, d, `select count(*) from `+physical+` x where lower(x::text) like '%' || lower(?::text) || '%'`, text)
		} else {
			var conditions []string
			for _, c := range texts(t, d, `select name from pragma_table_info('`+physical+`')`) {
				conditions = append(conditions, `instr(lower(cast("`+c+`" as text)), lower('`+text+`')) > 0`)
				if id, err := uuid.Parse(text); err == nil {
					conditions = append(conditions, `"`+c+`" = x'`+hex.EncodeToString(id[:])+`'`)
				}
			}
			n = Count(t, d, `select count(*) from `+physical+` where `+strings.Join(conditions, " or "))
		}
		if n > 0 {
			out[logical(d, physical)] += n
		}
	}
	return out
}

func texts(t T, d *db.DB, query string) (out []string) {
	t.Helper()
	err := d.View(context.Background(), db.ServerItself, func(tx *db.Tx) error {
		rows, err := tx.Query(context.Background(), query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var s string
			if err := rows.Scan(&s); err != nil {
				return err
			}
			out = append(out, s)
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

// Columns returns the columns of a table as [Tables] calls it.
func Columns(t T, d *db.DB, name string) []string {
	t.Helper()
	if d.Dialect() == db.SQLite {
		physical := strings.ReplaceAll(name, ".", "_")
		if name == "eval_results" || name == "eval_payloads" {
			physical += "_000000"
		}
		return texts(t, d, `select name from pragma_table_info('`+physical+`')`)
	}
	if !strings.Contains(name, ".") {
		name = "public." + name
	}
	return texts(t, d, `select attname from pg_attribute where attrelid = '`+name+`'::regclass and attnum > 0 and not attisdropped`)
}
