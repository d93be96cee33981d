package figures

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Names returns what the people of a team are called: the first part of their
// address, or all of it where two have the same; bots of CI are CI.
func Names(ctx context.Context, tx *db.Tx, team uuid.UUID) (map[uuid.UUID]string, error) {
	type person struct {
		id    uuid.UUID
		email string
		role  string
	}
	query, args := `select m.user_id, u.email, m.role from team_members m join auth.users u on u.id = m.user_id where m.team_id = ? order by 1`, []any{team}
	if tx.Dialect() == db.PostgreSQL { // policies hide auth.users
		query = `select user_id, email, role from public.team_people(?) order by 1`
	}
	all, err := list(ctx, tx, query, args, func(p *person) []any { return []any{&p.id, &p.email, &p.role} })
	if err != nil {
		return nil, err
	}
	same := map[string]int{}
	for _, p := range all {
		name, _, _ := strings.Cut(p.email, "@")
		same[name]++
	}
	out := make(map[uuid.UUID]string, len(all))
	for _, p := range all {
		name, _, _ := strings.Cut(p.email, "@")
		switch {
		case p.role == "ci":
			name = "CI"
		case same[name] > 1:
			name = p.email
		}
		out[p.id] = name
	}
	return out, nil
}

// A Membership is a team that somebody is in.
type Membership struct {
	Team uuid.UUID
	Slug string
	Name string
	Role string
}

// TeamsOf returns the teams that somebody is in, by name.
func TeamsOf(ctx context.Context, tx *db.Tx, user uuid.UUID) ([]Membership, error) {
	return list(ctx, tx, `select t.id, t.slug, t.name, m.role from team_members m join teams t on t.id = m.team_id where m.user_id = ? order by t.name, t.slug`,
		[]any{user}, func(m *Membership) []any { return []any{&m.Team, &m.Slug, &m.Name, &m.Role} })
}
