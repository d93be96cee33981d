package rows

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// This file is the one place that separates teams. Every statement that reads,
// changes or deletes has the condition of [tenant.where]; every row that is
// written has passed [tenant.admit]. The registry says who may do what;
// row-level security of PostgreSQL says the same once more.

// An act is what somebody wants to do with rows of a table.
type act uint8

const (
	reads act = iota
	inserts
	updates
	deletes
)

// What a token of CI may be for.
const (
	scopeIngest = "ingest"
	scopeRead   = "read"
)

// A tenant is somebody who does something with a table.
type tenant struct {
	as    db.Identity
	table *table.Table
	who   table.Who
}

// enter checks that somebody may do such a thing with the table at all.
func enter(as db.Identity, t *table.Table, a act) (tenant, error) {
	who := [...]table.Who{reads: t.Read, inserts: t.Insert, updates: t.Update, deletes: t.Delete}[a]
	ok := false
	switch {
	case as.Role == db.Service:
		ok = true
	case as.Role != db.Authenticated || as.User == uuid.Nil:
	case as.Team != uuid.Nil: // a token of CI; each may ask which team it is of
		ok = who == table.Members && (a == reads && (slices.Contains(as.Scopes, scopeRead) || t.Name == "teams") ||
			a == inserts && slices.Contains(as.Scopes, scopeIngest))
	default:
		ok = who != table.Nobody
	}
	if !ok {
		return tenant{}, denied(as, "table "+t.Name)
	}
	return tenant{as, t, who}, nil
}

// denied is PostgreSQL's refusal: 401 where signing in may help.
func denied(as db.Identity, what string) *postgrest.Error {
	return fail(forbidden(as), "42501", "permission denied for "+what)
}

func forbidden(as db.Identity) int {
	if as.Role == db.Authenticated || as.Role == db.Service {
		return 403
	}
	return 401
}

// where puts the condition that a row is one which may be touched. The
// qualifier is "" or a name and a point.
func (t tenant) where(s *statement, qualifier string) {
	if t.as.Role == db.Service {
		s.put("true")
		return
	}
	team := qualifier + t.table.Team
	if t.as.Team != uuid.Nil {
		s.put(team+" = "+s.parameter(kind{Type: table.UUID})+" and ", t.as.Team)
	}
	me := func(column string) { s.put(qualifier+column+" = "+s.parameter(kind{Type: table.UUID}), t.as.User) }
	in := func(roles string) {
		s.put(team+" in (select team_id from team_members where user_id = "+s.parameter(kind{Type: table.UUID})+roles+")", t.as.User)
	}
	const admins, owners = " and role in ('owner', 'admin')", " and role = 'owner'"
	switch t.who {
	case table.Members:
		in("")
	case table.Admins:
		in(admins)
	case table.Author:
		me("user_id")
		s.put(" and ")
		in("")
	case table.AuthorOrAdmins:
		s.put("(")
		me("user_id")
		s.put(" and ")
		in("")
		s.put(" or ")
		in(admins)
		s.put(")")
	case table.Roles:
		s.put("(")
		in(admins)
		s.put(" and (" + qualifier + "role <> 'owner' or ")
		in(owners)
		s.put("))")
	default:
		s.put("false")
	}
}

// whereLeave is where, and one's own membership, which may always be given up.
func (t tenant) whereLeave(s *statement, qualifier string) {
	if t.who != table.Roles || t.as.Role == db.Service {
		t.where(s, qualifier)
		return
	}
	s.put("("+qualifier+"user_id = "+s.parameter(kind{Type: table.UUID})+" or ", t.as.User)
	t.where(s, qualifier)
	s.put(")")
}

// teams returns the roles that somebody has, by team.
func (t tenant) teams(ctx context.Context, tx *db.Tx) (map[uuid.UUID]string, error) {
	s := &statement{dialect: tx.Dialect()}
	s.put("select team_id, role from team_members where user_id = "+s.parameter(kind{Type: table.UUID}), t.as.User)
	rows, err := tx.Query(ctx, string(s.sql), s.args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[uuid.UUID]string{}
	for rows.Next() {
		var team uuid.UUID
		var role string
		if err := rows.Scan(&team, &role); err != nil {
			return nil, err
		}
		if t.as.Team == uuid.Nil || t.as.Team == team {
			out[team] = role
		}
	}
	return out, rows.Err()
}

// An admission says whether rows may be written as they are.
type admission struct {
	tenant
	roles map[uuid.UUID]string
}

func (t tenant) admission(ctx context.Context, tx *db.Tx) (admission, error) {
	a := admission{tenant: t}
	if t.as.Role == db.Service {
		return a, nil
	}
	var err error
	a.roles, err = t.teams(ctx, tx)
	return a, err
}

// admit checks a new row, by the values of its columns: it is of a team one is
// in, of oneself where the table says who wrote a row, and of the repository
// that a token of CI is for.
func (a admission) admit(get getter) error {
	if a.as.Role == db.Service {
		return nil
	}
	role := a.roles[id(get(a.table.Team))]
	ok := role != ""
	if a.who == table.Admins {
		ok = role == "owner" || role == "admin"
	}
	if a.table.Authored {
		ok = ok && id(get("user_id")) == a.as.User
	}
	if repo, has := get("repo_slug"); a.as.Repo != "" && a.table.Column("repo_slug") != nil {
		ok = ok && has && repo.text == a.as.Repo
	}
	if !ok {
		return refused(a.as, a.table)
	}
	return nil
}

// forbids says whether an update that sets such values leaves rows that one may
// not have, and puts for which rows that is so after the tenant's condition. The
// team and the author that an update leaves out stay as they were, and those
// the tenant's condition has checked.
func (a admission) forbids(s *statement, get getter) bool {
	if a.as.Role == db.Service {
		return false
	}
	if team, set := get(a.table.Team); set && a.roles[id(team, set)] == "" {
		return true
	}
	if user, set := get("user_id"); set && a.who == table.Author && id(user, set) != a.as.User {
		return true
	}
	if role, _ := get("role"); a.who == table.Roles && role.text == "owner" {
		s.put(" and "+a.table.Team+" not in (select team_id from team_members where user_id = "+s.parameter(kind{Type: table.UUID})+" and role = 'owner')", a.as.User)
		return true
	}
	return false
}

func id(v value, _ bool) uuid.UUID {
	parsed, err := uuid.Parse(v.text)
	if err != nil {
		return uuid.Nil
	}
	return parsed
}

func refused(as db.Identity, t *table.Table) *postgrest.Error {
	return fail(forbidden(as), "42501", `new row violates row-level security policy for table "`+t.Name+`"`)
}
