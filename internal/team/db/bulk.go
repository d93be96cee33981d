package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// bulkParameters and bulkRows bound a statement and a transaction of SQLite.
const (
	bulkParameters = 8_000
	bulkRows       = 50_000
)

// Bulk adds many rows to a table quickly, as the owner of the tables: by COPY,
// or by long inserts. Rows that came before an error stay. It is for loading
// what is known to be whole: on PostgreSQL, results and payloads that are copied
// into the table of their month are not held against eval_runs.
func (d *DB) Bulk(ctx context.Context, table string, columns []string, rows [][]any) error {
	if d.dialect == PostgreSQL {
		return d.copy(ctx, table, columns, rows)
	}
	one := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	for part := range slices.Chunk(rows, bulkRows) {
		err := d.Update(ctx, ServerItself, func(t *Tx) error {
			for few := range slices.Chunk(part, bulkParameters/len(columns)) {
				query := "insert into " + table + " (" + strings.Join(columns, ", ") + ") values " + one + strings.Repeat(", "+one, len(few)-1)
				if _, err := t.Exec(ctx, query, slices.Concat(few...)...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *DB) copy(ctx context.Context, table string, columns []string, rows [][]any) error {
	conn, err := d.read.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(raw any) (err error) {
		c := raw.(*stdlib.Conn).Conn()
		name := pgx.Identifier{"public", table}
		if month(table) {
			name[0] = "cairn"
			if _, err := c.Exec(ctx, "set session_replication_role = replica"); err != nil {
				return err
			}
			defer func() {
				if _, reset := c.Exec(context.WithoutCancel(ctx), "reset session_replication_role"); reset != nil {
					err = errors.Join(err, reset, driver.ErrBadConn) // nobody else may get this connection
				}
			}()
		}
		at := -1
		_, err = c.CopyFrom(ctx, name, columns, pgx.CopyFromFunc(func() ([]any, error) {
			if at++; at == len(rows) {
				return nil, nil
			}
			row := rows[at]
			for i, v := range row {
				if id, ok := v.(uuid.UUID); ok {
					row[i] = [16]byte(id)
				}
			}
			return row, nil
		}))
		return err
	})
}

// month says whether a table is that of a month.
func month(table string) bool {
	return slices.ContainsFunc(monthly[:], func(m string) bool {
		rest, ok := strings.CutPrefix(table, m+"_")
		return ok && len(rest) == len(pattern)
	})
}

// MonthTable returns the name of a month's own table on both databases, made if
// it is not there: what Bulk can load.
func (d *DB) MonthTable(ctx context.Context, table string, at time.Time) (string, error) {
	err := d.Update(ctx, ServerItself, func(t *Tx) error {
		_, err := t.Month(ctx, table, at)
		return err
	})
	return table + "_" + at.UTC().Format("200601"), err
}

// Analyze tells the database's planner what is in its tables.
func (d *DB) Analyze(ctx context.Context) error {
	tx, end, err := d.exclusive(ctx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "analyze")
	return end(err)
}
