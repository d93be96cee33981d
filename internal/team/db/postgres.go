package db

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// mostAttempts is how often a transaction is run that others get in the way of.
const mostAttempts = 5

// connLife is how long a connection is used at most, and connIdle how long it
// stays open unused.
const (
	connLife = 30 * time.Minute
	connIdle = 5 * time.Minute
)

// connectTime is how long a connection may take to be made, unless the URL has a
// connect_timeout: who asks is told soon that there is none.
const connectTime = 5 * time.Second

func openPostgres(ctx context.Context, url string, o Options) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errors.New("the database's URL cannot be read; postgres://USER:PASSWORD@HOST:5432/NAME is wanted") // never the error itself: it has the password
	}
	if !strings.Contains(url, "connect_timeout") {
		config.ConnectTimeout = connectTime
	}
	if o.Bouncer {
		config.DefaultQueryExecMode = pgx.QueryExecModeExec
	} else {
		config.RuntimeParams["statement_timeout"] = strconv.FormatInt(o.Timeout.Milliseconds(), 10)
		config.RuntimeParams["timezone"] = "UTC"
	}
	pool := stdlib.OpenDB(*config)
	n := o.connections()
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(n)
	// A balancer or a pooler between may have moved, and memory of a session grows.
	pool.SetConnMaxLifetime(connLife)
	pool.SetConnMaxIdleTime(connIdle)
	if err := pool.PingContext(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	d := &DB{dialect: PostgreSQL, read: pool, connections: n}
	if o.Bouncer {
		d.pooled = o.Timeout
	}
	return d, nil
}

// collided says whether a transaction was ended for another's sake.
func collided(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// updatePostgres runs a transaction again that another got in the way of, and
// once on a new connection when its own ended, as by a restart. One whose commit
// was under way is not run again: it may have been done.
func (d *DB) updatePostgres(ctx context.Context, as Identity, fn func(*Tx) error) error {
	renewed := false
	for attempt := 1; ; attempt++ {
		committing, err := d.once(ctx, as, fn)
		switch {
		case err == nil:
			return nil
		case collided(err) && attempt < mostAttempts:
		case !committing && !renewed && ended(err):
			renewed = true
			d.renew()
		default:
			return err
		}
		d.retries.Add(1)
	}
}

func (d *DB) once(ctx context.Context, as Identity, fn func(*Tx) error) (committing bool, err error) {
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	t := d.tx(tx)
	if err := t.become(ctx, as); err != nil {
		return false, err
	}
	if err := fn(t); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// begin begins a transaction that reads, as somebody: on a new connection when
// the one it was given has ended.
func (d *DB) begin(ctx context.Context, as Identity, level sql.IsolationLevel) (*sql.Tx, *Tx, error) {
	for renewed := false; ; renewed = true {
		tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: level})
		if err == nil {
			t := d.tx(tx)
			if err = t.become(ctx, as); err == nil {
				return tx, t, nil
			}
			_ = tx.Rollback()
		}
		if d.dialect != PostgreSQL || renewed || !ended(err) {
			return nil, nil, err
		}
		d.renew()
		d.retries.Add(1)
	}
}

// renew closes the connections that nobody uses: when one has ended, all have.
func (d *DB) renew() {
	d.read.SetMaxIdleConns(0)
	d.read.SetMaxIdleConns(d.connections)
}
