package dashboard

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/quality"
	"cairn/internal/team/trend"
)

// A change is a suite of the main branch that went to another level.
type change struct {
	quality.Change
	by     string // who made the commit, or pushed the run
	person bool   // by is no token of CI
	alert  *figures.Alert
}

type changed struct {
	quality.Found
	list []change
}

const alpha = trend.Alpha

// changes are those of the runs of the time, the newest first, with who made
// them and what became of the alert.
func (a *ask) changes(ctx context.Context) *changed {
	if a.changed != nil {
		return a.changed
	}
	in := ofRepo(a.in())
	out := &changed{Found: once(ctx, a, evals, "changes", in, a.find)[0]}
	var commits []string
	for _, c := range out.Changes {
		commits = append(commits, c.First.SHA)
	}
	authors := must.Get(figures.ShipAuthors(ctx, a.tx, a.team.ID, commits))
	alerts := a.alertsOf(ctx, in)
	for _, c := range out.Changes {
		one := change{Change: c, by: a.name(c.First.User), person: !a.bot(c.First.User)}
		if by, known := authors[figures.Commit{Repo: c.Repo, SHA: c.First.SHA}]; known {
			one.by, one.person = a.author(c.First.User, by.Name, by.Email), true
		}
		if i := slices.IndexFunc(alerts, func(s figures.Alert) bool { return ofChange(s, c) }); i >= 0 && c.Fell() {
			one.alert = &alerts[i]
		}
		out.list = append(out.list, one)
	}
	a.changed = out
	return out
}

// find returns one Found.
func (a *ask) find(ctx context.Context, tx *db.Tx, in figures.Range) ([]quality.Found, error) {
	return []quality.Found{quality.Find(parted(ctx, a, "main runs", in, figures.MainRuns), func(ids []uuid.UUID, at []time.Time) [][]figures.Ended {
		return a.went(ctx, ids, at)
	})}, nil
}

// ofChange says whether an alert is of the fall of a suite: it opened after the
// last run at the old level.
func ofChange(s figures.Alert, c quality.Change) bool {
	return s.Repo == c.Repo && s.Suite == c.Suite && s.Kind == c.Kind && figures.OnMain(s.Branch) && s.Opened.After(c.Last.At)
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

// A ranOnce is how the cases of a run went, and with which prompts.
type ranOnce struct {
	ended []figures.Ended
	tried figures.Tried
}

// went returns how the cases of runs went, of each run in the order of cases and
// repeats, called as the newest run of their suite calls them. That of a run is kept
// while others are pushed.
func (a *ask) went(ctx context.Context, ids []uuid.UUID, at []time.Time) [][]figures.Ended {
	key := func(id uuid.UUID) string {
		return fmt.Sprintf("%s s%d went %s", a.team.ID, a.team.Revised, id)
	}
	out, tried := make([][]figures.Ended, len(ids)), make([]figures.Tried, len(ids))
	var missing []uuid.UUID
	var when []time.Time
	for i, id := range ids {
		if one, ok := a.known.get(key(id)); ok {
			out[i], tried[i] = one.(ranOnce).ended, one.(ranOnce).tried
		} else if !slices.Contains(missing, id) {
			missing, when = append(missing, id), append(when, at[i])
		}
	}
	if len(missing) > 0 {
		found := must.Get(figures.Results(ctx, a.tx, a.team.ID, missing, when))
		read := map[uuid.UUID]ranOnce{}
		for i, one := range must.Get(figures.TriedWith(ctx, a.tx, a.team.ID, missing)) {
			id := missing[i]
			read[id] = ranOnce{found[id], one}
			a.known.put(key(id), read[id], 512+16*len(found[id])+128*len(one.Prompts))
		}
		for i, id := range ids {
			if one, ok := read[id]; ok {
				out[i], tried[i] = one.ended, one.tried
			}
		}
	}
	out, other, err := figures.Follow(ctx, a.tx, a.team.ID, tried, out)
	must.OK(err)
	for _, c := range other {
		if a.other == nil {
			a.other = map[int64]figures.Case{}
		}
		a.other[c.ID] = c
	}
	return out
}
