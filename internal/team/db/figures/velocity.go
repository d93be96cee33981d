package figures

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Ships is what one person shipped in a week.
type Ships struct {
	Week  string        // its Monday, as 2026-03-02
	User  uuid.NullUUID // nobody: the user is gone
	Ships int
	PRs   int // that have a pull request
}

// Velocity returns ships by week and person, the oldest week first.
func Velocity(ctx context.Context, tx *db.Tx, r Range) ([]Ships, error) {
	w := r.times("occurred_at")
	return list(ctx, tx, `select `+weekOf(tx, dayOf(tx, "occurred_at"))+`, user_id, count(*), `+pulls+`
		from ship_logs where `+w.text+` group by 1, 2 order by 1, 3 desc, 2`, w.args, func(s *Ships) []any {
		return []any{&s.Week, &s.User, &s.Ships, &s.PRs}
	})
}

// A Standing is what one person did in a range: a row of the leaderboard.
// Which improvements are more than noise is for who has the runs.
type Standing struct {
	User    uuid.UUID
	Ships   int
	PRs     int
	Runs    int // of evals
	Results int
	CostUSD float64
	Streak  int // days with a ship in a row that end with the range's last day, or the day before
}

// Leaderboard returns everyone who shipped or ran an eval, most ships first.
func Leaderboard(ctx context.Context, tx *db.Tx, r Range) ([]Standing, error) {
	w := r.times("run_at")
	all, err := list(ctx, tx, `select user_id, count(*), `+count("sum(total_tests)")+`, `+dollars(tx, "sum(total_cost_usd)")+`
		from eval_runs where `+w.text+` and user_id is not null group by 1`, w.args, func(s *Standing) []any {
		return []any{&s.User, &s.Runs, &s.Results, &s.CostUSD}
	})
	if err != nil {
		return nil, err
	}
	w = r.times("occurred_at")
	ships, err := list(ctx, tx, `select user_id, count(*), `+pulls+` from ship_logs where `+w.text+` and user_id is not null group by 1`,
		w.args, func(s *Standing) []any { return []any{&s.User, &s.Ships, &s.PRs} })
	if err != nil {
		return nil, err
	}
	for _, s := range ships {
		if i := slices.IndexFunc(all, func(have Standing) bool { return have.User == s.User }); i >= 0 {
			all[i].Ships, all[i].PRs = s.Ships, s.PRs
		} else {
			all = append(all, s)
		}
	}
	streaks, err := streaks(ctx, tx, r)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Streak = streaks[all[i].User]
	}
	slices.SortFunc(all, func(a, b Standing) int {
		if a.Ships != b.Ships {
			return b.Ships - a.Ships
		}
		if a.Runs != b.Runs {
			return b.Runs - a.Runs
		}
		return slices.Compare(a.User[:], b.User[:])
	})
	return all, nil
}

// longestStreak is how far back a streak is looked for, in days.
const longestStreak = 366

// streaks returns how many days in a row each person has shipped until the end of a range.
func streaks(ctx context.Context, tx *db.Tx, r Range) (map[uuid.UUID]int, error) {
	last := r.To.UTC().Add(-time.Microsecond).Truncate(24 * time.Hour)
	r.From = last.AddDate(0, 0, -longestStreak)
	w := r.times("occurred_at")
	type shipDay struct {
		user uuid.UUID
		day  string
	}
	days, err := list(ctx, tx, `select distinct user_id, `+text(tx, dayOf(tx, "occurred_at"))+` from ship_logs
		where `+w.text+` and user_id is not null order by 1, 2 desc`, w.args, func(d *shipDay) []any { return []any{&d.user, &d.day} })
	if err != nil {
		return nil, err
	}
	out, next := map[uuid.UUID]int{}, map[uuid.UUID]time.Time{}
	for _, d := range days {
		day, err := time.Parse(time.DateOnly, d.day)
		if err != nil {
			return nil, err
		}
		want, begun := next[d.user]
		if !begun && !day.Before(last.AddDate(0, 0, -1)) {
			want = day
		}
		if day.Equal(want) {
			out[d.user]++
			want = day.AddDate(0, 0, -1)
		} else {
			want = time.Time{} // it ended
		}
		next[d.user] = want
	}
	return out, nil
}
