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
	var out []Seeded
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
	return out, d.Analyze(ctx)
}
