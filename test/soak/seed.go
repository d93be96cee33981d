package soak

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Seeded is a team of a database that was filled to be browsed and pushed to.
type Seeded struct {
	ID     uuid.UUID
	Slug   string
	People []uuid.UUID
	Runs   []uuid.UUID
	Repos  []string
	Suites []string
	Cases  []int64
}

// Seed fills an empty database of any version's schema and returns its teams.
func Seed(ctx context.Context, d *db.DB, o Options) ([]Seeded, error) {
	w := newWorld(o)
	if err := w.load(ctx, d, &Report{}); err != nil {
		return nil, err
	}
	return w.seeded(), d.Analyze(ctx)
}

// Filled returns the teams of a database that Seed filled before; none of an empty one.
func Filled(ctx context.Context, d *db.DB) (out []Seeded, err error) {
	var o Options
	of := map[uuid.UUID][]uuid.UUID{}
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		if err := tx.QueryRow(ctx, `select count(*) from teams where slug like 'team-%'`).Scan(&o.Teams); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `select team_id, id from eval_runs where ingest_key like 'soak-%' order by ingest_key`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var team, run uuid.UUID
			if err := rows.Scan(&team, &run); err != nil {
				return err
			}
			if len(of[team]) < 2000 {
				of[team] = append(of[team], run)
			}
		}
		return rows.Err()
	})
	if err != nil || o.Teams == 0 {
		return nil, err
	}
	w := newWorld(o) // the same ids each time
	for i := range w.teams {
		w.teams[i].runs = of[w.teams[i].id]
	}
	return w.seeded(), nil
}

func (w *world) seeded() (out []Seeded) {
	for i := range w.teams {
		t := &w.teams[i]
		one := Seeded{ID: t.id, Slug: slugOf(i), People: t.users, Runs: t.runs}
		for r := range repos {
			one.Repos = append(one.Repos, repoName(r))
		}
		for s := range suites {
			one.Suites = append(one.Suites, suiteName(s))
			one.Cases = append(one.Cases, t.cases[0][s][:]...)
		}
		out = append(out, one)
	}
	return out
}
