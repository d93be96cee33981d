package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/stats"
)

// A change is a run of the main branch that is really another than the one
// before it.
type change struct {
	before, run figures.MainRun
	lost        int // cases that passed before and fail now
	gained      int
	p           float64 // of McNemar's test, corrected after Holm
	by          string  // who made the commit, or pushed the run; "" where only CI is known
}

type changed struct {
	list  []change
	pairs int // that were tested
}

const (
	alpha = .05
	// leastApart is by how many cases two runs must differ for p < .05: six of six
	// discordant cases on one side have 2/2⁶.
	leastApart = 6
	// mostCompared bounds the pairs of runs whose cases are read.
	mostCompared = 80
)

// changes compares each run of the main branch in the time with the one before
// it of the same repository, suite and kind, and says who made what is significant.
func (a *ask) changes(ctx context.Context) *changed {
	if a.changed != nil {
		return a.changed
	}
	found := once(ctx, a, evals, "changes", ofRepo(a.in()), a.tested)
	out := &changed{list: slices.Clone(found[0].list), pairs: found[0].pairs}
	var commits []string
	for _, c := range out.list {
		commits = append(commits, c.run.SHA)
	}
	authors := must.Get(figures.ShipAuthors(ctx, a.tx, a.team.ID, commits))
	for i := range out.list {
		m := out.list[i].run
		by, known := authors[figures.Commit{Repo: m.Repo, SHA: m.SHA}]
		switch {
		case known:
			out.list[i].by = a.author(m.User, by.Name, by.Email)
		case !a.bot(m.User):
			out.list[i].by = a.name(m.User)
		}
	}
	a.changed = out
	return out
}

// tested compares runs case by case: McNemar's test, corrected after Holm for all
// pairs that were there. Those whose counts differ by fewer than six cases cannot
// be significant and are not read. It returns one changed, without who made it.
func (a *ask) tested(ctx context.Context, tx *db.Tx, in figures.Range) ([]changed, error) {
	type series struct{ repo, suite, kind string }
	last := map[series]figures.MainRun{}
	var out changed
	var all []change
	for _, m := range parted(ctx, a, "main runs", in, figures.MainRuns) {
		k := series{m.Repo, m.Suite, m.Kind}
		old, ok := last[k]
		if m.Passed+m.Failed == 0 {
			continue
		}
		last[k] = m
		if !ok {
			continue
		}
		out.pairs++
		if d := m.Passed - old.Passed; d >= leastApart || -d >= leastApart {
			all = append(all, change{before: old, run: m})
		}
	}
	all = slices.DeleteFunc(all, func(c change) bool { return out.least(len(all), differ(c)) >= alpha })
	slices.SortStableFunc(all, func(x, y change) int { return cmp.Compare(differ(y), differ(x)) })
	all = all[:min(len(all), mostCompared)]
	a.test(ctx, all)
	p := make([]float64, out.pairs) // what was not read has the p of no difference
	for i := range p {
		p[i] = 1
		if i < len(all) {
			p[i] = stats.McNemarExact(all[i].lost, all[i].gained)
		}
	}
	p = stats.Holm(p)
	for i := range all {
		if all[i].p = p[i]; p[i] < alpha {
			out.list = append(out.list, all[i])
		}
	}
	slices.SortFunc(out.list, func(x, y change) int {
		return cmp.Or(y.run.At.Compare(x.run.At), cmp.Compare(x.run.ID.String(), y.run.ID.String()))
	})
	return []changed{out}, nil
}

// least is what p can be at least of two runs that differ by some cases, when
// all of them went one way: 2/2ⁿ, times the pairs that Holm's correction counts
// even where that is the smallest p of those that differ.
func (c *changed) least(apart, n int) float64 {
	return math.Ldexp(float64(c.pairs-apart+1), 1-n)
}

func differ(c change) int { return max(c.run.Passed-c.before.Passed, c.before.Passed-c.run.Passed) }

// test counts the cases that went over.
func (a *ask) test(ctx context.Context, all []change) {
	var ids []uuid.UUID
	var at []time.Time
	for _, c := range all {
		for _, m := range [...]figures.MainRun{c.before, c.run} {
			ids, at = append(ids, m.ID), append(at, m.At)
		}
	}
	went := a.went(ctx, ids, at)
	for i := range all {
		then := shares(went[2*i])
		for id, now := range shares(went[2*i+1]) {
			switch then := then[id]; {
			case then.judged == 0:
			case now.of() < then.of():
				all[i].lost++
			case now.of() > then.of():
				all[i].gained++
			}
		}
	}
}

// A share is how many of the repeats of a case passed.
type share struct{ passed, judged int }

func (s *share) add(status int) {
	s.judged++
	if status == 0 {
		s.passed++
	}
}

func (s *share) of() float64 { return float64(s.passed) / float64(s.judged) }

// shares are those of the cases of a run that were judged.
func shares(run []figures.Ended) map[int64]share {
	out := make(map[int64]share, len(run))
	for _, r := range run {
		if r.Status < 2 {
			s := out[r.Case]
			s.add(int(r.Status))
			out[r.Case] = s
		}
	}
	return out
}

// went returns how the cases of runs went, of each run in the order of cases and
// repeats. That of a run is kept while others are pushed.
func (a *ask) went(ctx context.Context, ids []uuid.UUID, at []time.Time) [][]figures.Ended {
	key := func(id uuid.UUID) string {
		return fmt.Sprintf("%s s%d went %s", a.team.ID, a.team.Revised, id)
	}
	out := make([][]figures.Ended, len(ids))
	var missing []uuid.UUID
	var when []time.Time
	for i, id := range ids {
		if list, ok := a.known.get(key(id)); ok {
			out[i] = list.([]figures.Ended)
		} else if !slices.Contains(missing, id) {
			missing, when = append(missing, id), append(when, at[i])
		}
	}
	if len(missing) == 0 {
		return out
	}
	found := must.Get(figures.Results(ctx, a.tx, a.team.ID, missing, when))
	for _, id := range missing {
		a.known.put(key(id), found[id], 256+16*len(found[id]))
	}
	for i, id := range ids {
		if out[i] == nil {
			out[i] = found[id]
		}
	}
	return out
}
