package db

import "context"

// Size is how many bytes the database takes up.
func (d *DB) Size(ctx context.Context) (n int64, err error) {
	query := `select pg_database_size(current_database())`
	if d.dialect == SQLite {
		query = `select page_count * page_size from pragma_page_count(), pragma_page_size()`
	}
	err = d.read.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}
