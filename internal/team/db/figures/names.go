package figures

import (
	"context"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Named returns what the people of a team are called: the first part of their
// address; bots of CI are CI. Where two have the same first part, it is the whole
// address, or, to somebody who may see no addresses, the part with a number.
func Named(all []Person, addresses bool) map[uuid.UUID]string {
	same := map[string]int{}
	for _, p := range all {
		name, _, _ := strings.Cut(p.Email, "@")
		same[name]++
	}
	out, nth := make(map[uuid.UUID]string, len(all)), map[string]int{}
	for _, p := range all {
		name, _, _ := strings.Cut(p.Email, "@")
		switch {
		case p.Role == "ci":
			name = "CI"
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
