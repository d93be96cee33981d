// Package figures asks a team's rows what its dashboard, its digest and its
// leaderboard show: one typed function for each figure, the same answer from
// both databases, each from an index or from daily sums.
//
// Days and weeks are those of UTC; a week begins on Monday and is named by that
// day. Who calls has made sure that the team is one that the reader is in:
// nothing here asks who reads, though PostgreSQL's policies still do. HTML,
// intervals and tests of significance never belong here.
package figures

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Range is what rows a figure is of.
type Range struct {
	Team     uuid.UUID
	From, To time.Time // From is in it, To is not. Daily sums count whole days.
	Repo     string    // "" is every repository
	// Who and Branch count where a figure says so.
	Who    *Who   // nil is everybody
	Branch string // "" is every branch
}

// Ever is the range of all that a team has.
func Ever(team uuid.UUID) Range { return Range{Team: team, From: time.Unix(0, 0), To: db.Never} }

// A where is a condition that grows, with its parameters.
type where struct {
	text string
	args []any
}

func (w *where) and(condition string, args ...any) {
	if w.text != "" {
		w.text += " and "
	}
	w.text += condition
	w.args = append(w.args, args...)
}

// times is the condition of rows that have the time of an event in a column.
func (r Range) times(column string) where {
	var w where
	w.and("team_id = ? and "+column+" >= ? and "+column+" < ?", r.Team, r.From, r.To)
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	return w
}

// days is the condition of daily sums.
func (r Range) days() where {
	var w where
	w.and("team_id = ? and day >= ? and day <= ?", r.Team, r.From.UTC().Format(time.DateOnly),
		r.To.UTC().Add(-time.Microsecond).Format(time.DateOnly))
	return w
}

// dayOf, weekOf, dollars, text: what the two databases write differently.
func dayOf(tx *db.Tx, column string) string {
	if tx.Dialect() == db.SQLite {
		return "date(" + column + " / 1000000, 'unixepoch')"
	}
	return "(" + column + " at time zone 'UTC')::date"
}

func weekOf(tx *db.Tx, day string) string {
	if tx.Dialect() == db.SQLite {
		return "date(" + day + ", '-6 days', 'weekday 1')"
	}
	return "date_trunc('week', " + day + ")::date::text"
}

func text(tx *db.Tx, day string) string {
	if tx.Dialect() == db.SQLite {
		return day
	}
	return day + "::text"
}

func dollars(tx *db.Tx, sum string) string { return decimal(tx, sum, "1e6") }

func decimal(tx *db.Tx, figure, unit string) string {
	if tx.Dialect() == db.SQLite {
		return "coalesce(" + figure + ", 0) / " + unit
	}
	return "coalesce(" + figure + ", 0)::float8"
}

// count is a sum as a whole number.
func count(sum string) string { return "cast(coalesce(" + sum + ", 0) as bigint)" }

// A Person is a member of a team, or a bot of CI.
type Person struct {
	ID    uuid.UUID
	Email string
	Role  string
}

// People returns the members of a team, in the order of their ids.
func People(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Person, error) {
	query, args := `select m.user_id, u.email, m.role from team_members m join auth.users u on u.id = m.user_id where m.team_id = ? order by 1`, []any{team}
	if tx.Dialect() == db.PostgreSQL { // policies hide auth.users
		query = `select user_id, email, role from public.team_people(?) order by 1`
	}
	return db.List(ctx, tx, query, args, func(p *Person) []any { return []any{&p.ID, &p.Email, &p.Role} })
}

// Who is the person that rows are wanted of: a member, or, where User is nil,
// an author that only git knows.
type Who struct {
	User   uuid.UUID
	Also   []uuid.UUID // who is shown as one with that user: the bots of CI
	Email  string      // of the member
	Author string
}

// Is reports whether rows of a user are wanted.
func (w *Who) Is(user uuid.UUID) bool { return w.User == user || slices.Contains(w.Also, user) }

// users is the condition that a row is of one of them.
func (w *Who) users() (condition string, args []any) {
	args = []any{w.User}
	for _, user := range w.Also {
		args = append(args, user)
	}
	return "user_id in (?" + strings.Repeat(", ?", len(w.Also)) + ")", args
}

// runs adds what a Range says of runs besides time and repository.
func (r Range) runs() where {
	w := r.times("run_at")
	if r.Branch != "" {
		w.and("branch = ?", r.Branch)
	}
	r.by(&w)
	return w
}

// by is the condition of rows whose user_id is who did it.
func (r Range) by(w *where) {
	if r.Who != nil {
		condition, users := r.Who.users() // the nil one is nobody's
		w.and(condition, users...)
	}
}

// ships adds what a Range says of ships: whoever the log names as author did
// it, else who sent it.
func (r Range) ships() where {
	w := r.times("occurred_at")
	if r.Branch != "" {
		w.and("branch = ?", r.Branch)
	}
	switch {
	case r.Who == nil:
	case r.Who.User == uuid.Nil:
		w.and("author = ?", r.Who.Author)
	default:
		condition, users := r.Who.users()
		w.and("(lower(author_email) = ? or author = '' and author_email = '' and "+condition+")", append([]any{strings.ToLower(r.Who.Email)}, users...)...)
	}
	return w
}

// Authors returns the names that the newest ships of a range have as authors,
// the most frequent first.
func Authors(ctx context.Context, tx *db.Tx, r Range) ([]Author, error) {
	r.Who, r.Branch, r.Repo = nil, "", ""
	w := r.times("occurred_at")
	w.args = append(w.args, mostAuthorShips)
	return db.List(ctx, tx, `select author, author_email from (select author, author_email from ship_logs where `+w.text+` and author <> '' order by occurred_at desc limit ?) s
		group by 1, 2 order by count(*) desc, 1, 2 limit 200`,
		w.args, func(s *Author) []any { return []any{&s.Name, &s.Email} })
}

// Branches returns the branches of the newest runs of a range, by name.
func Branches(ctx context.Context, tx *db.Tx, r Range) ([]string, error) {
	r.Who, r.Branch = nil, ""
	w := r.times("run_at")
	w.args = append(w.args, mostBranchRuns)
	return db.List(ctx, tx, `select distinct branch from (select branch from eval_runs where `+w.text+` order by run_at desc limit ?) b where branch <> '' order by 1`,
		w.args, func(s *string) []any { return []any{s} })
}

// These bound how many rows are looked at for names to choose from.
const (
	mostBranchRuns  = 1000
	mostAuthorShips = 2000
)

// Named returns what the people of a team are called: the first part of their
// address; bots of CI are CI. Where two have the same first part, it is the whole
// address, or, to somebody who may see no addresses, the part with a number.
func Named(all []Person, addresses bool) map[uuid.UUID]string {
	const bots = "CI"
	same := map[string]int{}
	for _, p := range all {
		if p.Role == "ci" {
			same[bots] = 1 // they are one
		}
	}
	for _, p := range all {
		if name, _, _ := strings.Cut(p.Email, "@"); p.Role != "ci" {
			same[name]++
		}
	}
	out, nth := make(map[uuid.UUID]string, len(all)), map[string]int{}
	for _, p := range all {
		name, _, _ := strings.Cut(p.Email, "@")
		switch {
		case p.Role == "ci":
			name = bots
		case same[name] > 1 && addresses:
			name = p.Email
		case same[name] > 1:
			nth[name]++
			name += " " + strconv.Itoa(nth[name])
		}
		out[p.ID] = name
	}
	return out
}

// A Membership is a team that somebody is in.
type Membership struct {
	Team uuid.UUID
	Slug string
	Name string
	Role string
	// Version is of what its pages show: above 0, and never the same again after a
	// change. Records is of all of that but evals, Revised of evals but not of runs
	// that come with all of their rows.
	Version, Records, Revised int64
}

// TeamsOf returns the teams that somebody is in, by name.
func TeamsOf(ctx context.Context, tx *db.Tx, user uuid.UUID) ([]Membership, error) {
	revised := "revised"
	if tx.Dialect() == db.SQLite {
		revised = "n" // is not counted apart there
	}
	return db.List(ctx, tx, `select t.id, t.slug, t.name, m.role, 1 + `+count("sum(v.n)")+`, 1 + `+count("sum(v.records)")+`, 1 + `+count("sum(v."+revised+")")+`
		from team_members m join teams t on t.id = m.team_id left join cairn.team_versions v on v.team_id = t.id
		where m.user_id = ? group by t.id, t.slug, t.name, m.role order by t.name, t.slug`,
		[]any{user}, func(m *Membership) []any {
			return []any{&m.Team, &m.Slug, &m.Name, &m.Role, &m.Version, &m.Records, &m.Revised}
		})
}
