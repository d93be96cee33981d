package soak

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// The world: teams of different sizes, the first with two fifths of everything.
const (
	casesPerRun = 100
	months      = 24
	people      = 8 // of a team
	repos       = 3
	suites      = 4 // of a repository
)

var shares = [...]float64{0.40, 0.25, 0.15, 0.12, 0.08}

type world struct {
	random *rand.Rand
	teams  []team
	months []time.Time // their beginnings, the oldest first
	end    time.Time
	runs   int
	first  int // results of the first month
}

type team struct {
	id    uuid.UUID
	share float64
	users []uuid.UUID
	// of each repository and suite: its cases
	cases [repos][suites][casesPerRun]int64
	runs  []uuid.UUID // some, to ask for
}

// A run as it is made up.
type run struct {
	team        *team
	id          uuid.UUID
	at          time.Time
	repo, suite int
	status      [casesPerRun]uint8
}

func newWorld(o Options) *world {
	w := &world{random: rand.New(rand.NewPCG(1, 2)), runs: o.Rows / casesPerRun, end: o.Now.UTC()}
	month := time.Date(w.end.Year(), w.end.Month(), 1, 0, 0, 0, 0, time.UTC)
	for i := range months {
		w.months = append(w.months, month.AddDate(0, i-months+1, 0))
	}
	all := shares[:]
	if o.Teams > 0 { // of one size
		all = slices.Repeat([]float64{1 / float64(o.Teams)}, o.Teams)
	}
	for _, share := range all {
		t := team{id: w.uuid(), share: share}
		for range people {
			t.users = append(t.users, w.uuid())
		}
		for r := range repos {
			for s := range suites {
				for c := range casesPerRun {
					t.cases[r][s][c] = wire.CaseID(repoName(r), suiteName(s), CaseName(c), "")
				}
			}
		}
		w.teams = append(w.teams, t)
	}
	return w
}

func slugOf(i int) string    { return fmt.Sprintf("team-%d", i) }
func repoName(i int) string  { return fmt.Sprintf("acme/repository-%d", i) }
func suiteName(i int) string { return fmt.Sprintf("suite-%d", i) }

// CaseName is what the n-th case of a suite is called.
func CaseName(i int) string { return fmt.Sprintf("must do what case %d asks for", i) }

func (w *world) uuid() (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], w.random.Uint64())
	binary.BigEndian.PutUint64(id[8:], w.random.Uint64())
	return id
}

// member is someone of a team, as requests are from them.
func (t *team) member(i int) db.Identity {
	return db.Identity{Role: db.Authenticated, User: t.users[i], Claims: fmt.Appendf(nil, `{"sub":"%s","role":"authenticated"}`, t.users[i])}
}

// runsOf makes the runs of a month, in the order of their keys.
func (w *world) runsOf(month int) []run {
	from, to := w.months[month], w.end
	if month+1 < len(w.months) {
		to = w.months[month+1]
	}
	n := w.runs*(month+1)/months - w.runs*month/months
	all := make([]run, n)
	for i := range all {
		r := &all[i]
		r.team = w.some()
		r.id, r.at = w.uuid(), from.Add(time.Duration(w.random.Int64N(int64(to.Sub(from))))).Truncate(time.Microsecond)
		r.repo, r.suite = w.random.IntN(repos), w.random.IntN(suites)
		for c := range r.status {
			switch n := w.random.IntN(100); {
			case n < 10:
				r.status[c] = 1
			case n < 12:
				r.status[c] = 2
			case n < 15:
				r.status[c] = 3
			}
		}
		if len(r.team.runs) < 2000 || w.random.IntN(20) == 0 {
			r.team.runs = append(r.team.runs, r.id)
		}
	}
	slices.SortFunc(all, func(a, b run) int {
		if c := slices.Compare(a.team.id[:], b.team.id[:]); c != 0 {
			return c
		}
		return slices.Compare(a.id[:], b.id[:])
	})
	return all
}

// some is a team, by the teams' shares.
func (w *world) some() *team {
	v := w.random.Float64()
	for i := range w.teams {
		if v -= w.teams[i].share; v < 0 {
			return &w.teams[i]
		}
	}
	return &w.teams[0]
}

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
