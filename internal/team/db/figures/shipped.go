package figures

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// sender is who sent a log that names nobody.
const sender = "case when author = '' and author_email = '' then user_id end"

// A ShipWeek is what one author shipped in a week.
type ShipWeek struct {
	Week     string
	User     uuid.NullUUID // who sent the log, where it names nobody
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
	return db.List(ctx, tx, `select `+weekOf(tx, dayOf(tx, "occurred_at"))+`, `+sender+`, author, author_email, count(*), `+pulls+`,
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
	return db.List(ctx, tx, `select user_id, author, author_email, test_results from ship_logs where `+w.text+` and test_results is not null order by occurred_at desc, id limit 1000`,
		w.args, func(s *ShipTest) []any { return []any{&s.User, &s.Author, &s.Email, &s.Tests} })
}

// An Author is who made what was shipped, as git names them.
type Author struct{ Name, Email string }

// A Commit of a repository.
type Commit struct{ Repo, SHA string }

// ShipAuthors returns who made commits that were shipped; those that no log
// names are not in it.
func ShipAuthors(ctx context.Context, tx *db.Tx, team uuid.UUID, shas []string) (map[Commit]Author, error) {
	out := map[Commit]Author{}
	shas = slices.DeleteFunc(slices.Clone(shas), func(sha string) bool { return sha == "" })
	if len(shas) == 0 {
		return out, nil
	}
	args := []any{team}
	for _, sha := range shas {
		args = append(args, sha)
	}
	type row struct {
		Commit
		Author
	}
	rows, err := db.List(ctx, tx, `select repo_slug, git_sha, author, author_email from ship_logs where team_id = ? and git_sha in (?`+strings.Repeat(", ?", len(shas)-1)+`)
		and git_sha <> '' and author <> '' order by occurred_at, id`, args, func(s *row) []any { return []any{&s.Repo, &s.SHA, &s.Name, &s.Email} })
	for _, s := range rows { // of several the newest
		out[s.Commit] = s.Author
	}
	return out, err
}
