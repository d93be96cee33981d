package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
)

// Scan reads the columns of one row.
type Scan = func(into ...any) error

// Each returns the rows of a query as read makes them.
func Each[Row any](ctx context.Context, tx *Tx, query string, args []any, read func(Scan) (Row, error)) (out []Row, err error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := read(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// List returns the rows of a query; fields are where the columns of one go.
func List[Row any](ctx context.Context, tx *Tx, query string, args []any, fields func(*Row) []any) ([]Row, error) {
	return Each(ctx, tx, query, args, func(scan Scan) (row Row, err error) {
		err = scan(fields(&row)...)
		return row, err
	})
}

// All is List as the server itself, in a transaction of its own.
func All[Row any](ctx context.Context, d *DB, query string, args []any, fields func(*Row) []any) ([]Row, error) {
	return Viewed(ctx, d, func(tx *Tx) ([]Row, error) { return List(ctx, tx, query, args, fields) })
}

// Viewed is what a function reads as the server itself.
func Viewed[T any](ctx context.Context, d *DB, fn func(*Tx) (T, error)) (out T, err error) {
	err = d.View(ctx, ServerItself, func(tx *Tx) (err error) {
		out, err = fn(tx)
		return err
	})
	return out, err
}

// Updated is what a function returns that writes as the server itself.
func Updated[T any](ctx context.Context, d *DB, fn func(*Tx) (T, error)) (out T, err error) {
	err = d.Update(ctx, ServerItself, func(tx *Tx) (err error) {
		out, err = fn(tx)
		return err
	})
	return out, err
}

// One is the one value of a query; its error is [sql.ErrNoRows] where there is none.
func One[T any](ctx context.Context, tx *Tx, query string, args ...any) (one T, err error) {
	err = tx.QueryRow(ctx, query, args...).Scan(&one)
	return one, err
}

// None is another error, or nil, where one says that there is no such row.
func None(err, other error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return other
	}
	return err
}

type stamp struct{ to *time.Time }

// Stamp is where a time is scanned to; NULL is the zero time.
func Stamp(to *time.Time) sql.Scanner { return stamp{to} }

func (s stamp) Scan(src any) error {
	var t Time
	err := t.Scan(src)
	if *s.to = (time.Time{}); t.Value != nil {
		*s.to = *t.Value
	}
	return err
}

type maybeStamp struct{ to **time.Time }

// MaybeStamp is where a time is scanned to; NULL is nil.
func MaybeStamp(to **time.Time) sql.Scanner { return maybeStamp{to} }

func (m maybeStamp) Scan(src any) error {
	var t Time
	err := t.Scan(src)
	*m.to = t.Value
	return err
}

type document struct{ to any }

// JSON is where a document is scanned to.
func JSON(to any) sql.Scanner { return document{to} }

func (d document) Scan(src any) error {
	switch v := src.(type) {
	case string:
		return json.Unmarshal([]byte(v), d.to)
	case []byte:
		return json.Unmarshal(v, d.to)
	}
	return fmt.Errorf("a document is kept as %T", src)
}
