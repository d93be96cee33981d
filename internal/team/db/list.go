package db

import "context"

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
