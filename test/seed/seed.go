// Package seed fills a database with five made-up teams and two years of their
// work, the same for the same clock: gaps, zeros, names of sixty characters, a
// team of one, a team with nothing, people who left, bots of CI, rows that
// another client wrote badly, flaky cases and one real regression. Pages are
// looked at and tested on it; scripts/seed makes a server's data of it. Nothing
// of the product imports it.
package seed

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Owner is the address of who owns every team.
const Owner = "ada@example.com"

// Secret stands in every message of every transcript: no page may show it.
const Secret = "words-of-a-transcript"

// A World is what was made.
type World struct {
	Owner uuid.UUID
	Teams []Team
}

// A Team of the world.
type Team struct {
	ID     uuid.UUID
	Slug   string
	People []uuid.UUID // the owner first; the last are bots and who left
}

// weeks is how much there is.
const weeks = 104

type filler struct {
	ctx    context.Context
	d      *db.DB
	random *rand.Rand
	now    time.Time
	start  time.Time // a Monday
	out    map[string]*batch
	order  []string
	months map[string]bool
}

type batch struct {
	columns []string
	rows    [][]any
}

// Fill fills an empty, migrated database. now is the end of the two years.
func Fill(ctx context.Context, d *db.DB, now time.Time) (*World, error) {
	now = now.UTC().Truncate(time.Second)
	monday := now.Truncate(24 * time.Hour)
	monday = monday.AddDate(0, 0, -(int(monday.Weekday())+6)%7)
	f := &filler{
		ctx: ctx, d: d, now: now, start: monday.AddDate(0, 0, -7*(weeks-1)), random: rand.New(rand.NewPCG(7, 11)),
		out: map[string]*batch{}, months: map[string]bool{},
	}
	w := &World{Owner: f.uuid()}
	err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into auth.users (id, email) values (?, ?)`, w.Owner, Owner)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range plans {
		t, err := f.team(&plans[i], w.Owner)
		if err != nil {
			return nil, fmt.Errorf("team %s: %w", plans[i].slug, err)
		}
		w.Teams = append(w.Teams, *t)
	}
	slices.SortStableFunc(f.order, func(a, b string) int { return parentsFirst(b) - parentsFirst(a) })
	for _, table := range f.order {
		b := f.out[table]
		if err := d.Bulk(ctx, table, b.columns, b.rows); err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
	}
	return w, d.Analyze(ctx)
}

// parentsFirst is 1 for a table that rows of others point to.
func parentsFirst(table string) int {
	if table == "eval_runs" || table == "team_channels" {
		return 1
	}
	return 0
}

// add keeps a row for its table.
func (f *filler) add(table, columns string, values ...any) {
	b := f.out[table]
	if b == nil {
		b = &batch{columns: strings.Fields(columns)}
		f.out[table] = b
		f.order = append(f.order, table)
	}
	b.rows = append(b.rows, values)
}

func (f *filler) uuid() (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], f.random.Uint64())
	binary.BigEndian.PutUint64(id[8:], f.random.Uint64())
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id
}

// usd and day are values as the database keeps them.
func (f *filler) usd(v float64) any {
	if f.d.Dialect() == db.SQLite {
		return int64(v*1e6 + .5)
	}
	return v
}

func (f *filler) percent(v float64) any {
	if f.d.Dialect() == db.SQLite {
		return int64(v*100 + .5)
	}
	return v
}

func (f *filler) day(t time.Time) any {
	if f.d.Dialect() == db.SQLite {
		return t.UTC().Format(time.DateOnly)
	}
	return t.UTC().Truncate(24 * time.Hour)
}

func (f *filler) flag(v bool) any {
	if f.d.Dialect() == db.SQLite {
		if v {
			return 1
		}
		return 0
	}
	return v
}

// chance is true in p of the cases.
func (f *filler) chance(p float64) bool { return f.random.Float64() < p }
