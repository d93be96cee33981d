package figures

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A ShipWeek is what one author shipped in a week.
type ShipWeek struct {
	Week     string
	User     uuid.NullUUID // who sent the log
	Author   string
	Email    string
	Ships    int
	PRs      int // different pull requests
	Versions int // that have a version
}

// pulls counts different pull requests: by their address, or, of a host whose
// addresses are not known, by the commit that git merged them with.
const pulls = `count(distinct coalesce(pr_url, case when version = '' and author <> '' and git_sha <> '' then git_sha end))`

// ShipWeeks returns ships by week and author, the oldest week first. It counts
// Who and Branch.
func ShipWeeks(ctx context.Context, tx *db.Tx, r Range) ([]ShipWeek, error) {
	w := r.ships()
	return list(ctx, tx, `select `+weekOf(tx, dayOf(tx, "occurred_at"))+`, user_id, author, author_email, count(*), `+pulls+`,
		sum(case when version <> '' then 1 else 0 end) from ship_logs where `+w.text+` group by 1, 2, 3, 4 order by 1, 5 desc, 3, 4, 2`, w.args, func(s *ShipWeek) []any {
		return []any{&s.Week, &s.User, &s.Author, &s.Email, &s.Ships, &s.PRs, &s.Versions}
	})
}

// A ShipTest is what a ship says its tests were.
type ShipTest struct {
	User          uuid.NullUUID
	Author, Email string
	Tests         []byte // JSON of another program
}

// ShipTests returns the newest thousand of a range.
func ShipTests(ctx context.Context, tx *db.Tx, r Range) ([]ShipTest, error) {
	w := r.ships()
	return list(ctx, tx, `select user_id, author, author_email, test_results from ship_logs where `+w.text+` and test_results is not null order by occurred_at desc, id limit 1000`,
		w.args, func(s *ShipTest) []any { return []any{&s.User, &s.Author, &s.Email, &s.Tests} })
}
