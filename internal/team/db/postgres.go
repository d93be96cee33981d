package db

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// mostAttempts is how often a transaction is run that others get in the way of.
const mostAttempts = 5

func openPostgres(ctx context.Context, url string, o Options) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errors.New("the database's URL cannot be read; postgres://USER:PASSWORD@HOST:5432/NAME is wanted") // never the error itself: it has the password
	}
	if o.Bouncer {
		config.DefaultQueryExecMode = pgx.QueryExecModeExec
	} else {
		config.RuntimeParams["statement_timeout"] = strconv.FormatInt(o.Timeout.Milliseconds(), 10)
		config.RuntimeParams["timezone"] = "UTC"
	}
	pool := stdlib.OpenDB(*config)
	n := o.Connections
	if n == 0 {
		n = max(8, 2*runtime.NumCPU())
	}
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(n)
	if err := pool.PingContext(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	d := &DB{dialect: PostgreSQL, read: pool}
	if o.Bouncer {
		d.pooled = o.Timeout
	}
	return d, nil
}

func (d *DB) updatePostgres(ctx context.Context, as Identity, fn func(*Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := d.once(ctx, as, fn)
		var pg *pgconn.PgError
		again := errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
		if !again || attempt == mostAttempts {
			return err
		}
	}
}

func (d *DB) once(ctx context.Context, as Identity, fn func(*Tx) error) error {
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	t := d.tx(tx)
	if err := t.become(ctx, as); err != nil {
		return err
	}
	if err := fn(t); err != nil {
		return err
	}
	return tx.Commit()
}
