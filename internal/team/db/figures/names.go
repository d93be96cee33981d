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
	all, err := People(ctx, tx, team)
	if err != nil {
		return nil, err
	}
	return Named(all), nil
}

// Named is Names of people that are known already.
func Named(all []Person) map[uuid.UUID]string {
	same := map[string]int{}
	for _, p := range all {
		name, _, _ := strings.Cut(p.Email, "@")
		same[name]++
	}
	out := make(map[uuid.UUID]string, len(all))
	for _, p := range all {
		name, _, _ := strings.Cut(p.Email, "@")
		switch {
		case p.Role == "ci":
			name = "CI"
		case same[name] > 1:
			name = p.Email
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
}

// TeamsOf returns the teams that somebody is in, by name.
func TeamsOf(ctx context.Context, tx *db.Tx, user uuid.UUID) ([]Membership, error) {
	return list(ctx, tx, `select t.id, t.slug, t.name, m.role from team_members m join teams t on t.id = m.team_id where m.user_id = ? order by t.name, t.slug`,
		[]any{user}, func(m *Membership) []any { return []any{&m.Team, &m.Slug, &m.Name, &m.Role} })
}
