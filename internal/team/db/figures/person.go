package figures

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

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
	Email  string // of the member
	Author string
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
		w.and("user_id = ?", r.Who.User) // the nil one is nobody's
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
		w.and("(lower(author_email) = ? or author = '' and author_email = '' and user_id = ?)", strings.ToLower(r.Who.Email), r.Who.User)
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
