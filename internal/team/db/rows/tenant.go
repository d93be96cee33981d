package rows

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// This file is the one place that separates teams. Every statement that reads,
// changes or deletes has the condition of [tenant.where]; every row that is
// written has passed [tenant.admit] or [tenant.forbids]. The registry says who
// may do what; row-level security of PostgreSQL says the same once more.

// An act is what somebody wants to do with rows of a table.
type act uint8

const (
	reads act = iota
	inserts
	updates
	deletes
)

// A tenant is somebody who does something with a table.
type tenant struct {
	as    db.Identity
	table *table.Table
	who   table.Who
	teams []membership // all that a statement may touch rows of
}

// A membership is what somebody is in a team.
type membership struct {
	team uuid.UUID
	role string
}

// enter checks that somebody may do such a thing with the table at all, and
// finds out whose rows it may be done with.
func (r *reader) enter(t *table.Table, a act) (tenant, error) {
	who := [...]table.Who{reads: t.Read, inserts: t.Insert, updates: t.Update, deletes: t.Delete}[a]
	ok := false
	switch {
	case r.as.Role == db.Service:
		return tenant{as: r.as, table: t, who: who}, nil
	case r.as.Role != db.Authenticated || r.as.User == uuid.Nil:
	case r.as.Team != uuid.Nil: // a token of CI; whose team it is of, every one may ask
		ok = who == table.Members && (a == reads && (slices.Contains(r.as.Scopes, wire.ScopeRead) || t.Team == "id") ||
			a == inserts && slices.Contains(r.as.Scopes, wire.ScopeIngest)) && (r.as.Repo == "" || t.Repo > table.Whole)
	default:
		ok = who != table.Nobody
	}
	if !ok {
		return tenant{}, denied(r.as, "table "+t.Name)
	}
	teams, err := r.memberships()
	return tenant{as: r.as, table: t, who: who, teams: teams}, err
}

// memberships asks once per request. Teams in a statement as values, not as a
// subselect, let both databases go by the indexes that begin with the team.
func (r *reader) memberships() ([]membership, error) {
	if r.asked {
		return r.teams, nil
	}
	s := &statement{dialect: r.tx.Dialect()}
	s.put("select team_id, role from team_members where user_id = "+s.parameter(kind{Type: table.UUID}), r.as.User)
	rows, err := r.tx.Query(r.ctx, string(s.sql), s.args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m membership
		if err := rows.Scan(&m.team, &m.role); err != nil {
			return nil, err
		}
		if r.as.Team == uuid.Nil || r.as.Team == m.team {
			r.teams = append(r.teams, m)
		}
	}
	r.asked = true
	return r.teams, rows.Err()
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

func anyRole(string) bool        { return true }
func isAdmin(role string) bool   { return role == "owner" || role == "admin" }
func isOwner(role string) bool   { return role == "owner" }
func (t tenant) isService() bool { return t.as.Role == db.Service }

// where puts the condition that a row is one which may be touched. The
// qualifier is "" or a name and a point.
func (t tenant) where(s *statement, qualifier string) {
	if t.isService() {
		s.put("true")
		return
	}
	switch t.who {
	case table.Members:
		t.in(s, qualifier, anyRole)
		t.ofRepository(s, qualifier)
	case table.Admins:
		t.in(s, qualifier, isAdmin)
	case table.Author:
		t.mine(s, qualifier)
		s.put(" and ")
		t.in(s, qualifier, anyRole)
	case table.AuthorOrAdmins:
		s.put("(")
		t.mine(s, qualifier)
		s.put(" and ")
		t.in(s, qualifier, anyRole)
		s.put(" or ")
		t.in(s, qualifier, isAdmin)
		s.put(")")
	case table.Roles:
		s.put("(")
		t.in(s, qualifier, isAdmin)
		s.put(" and (" + qualifier + "role <> 'owner' or ")
		t.in(s, qualifier, isOwner)
		s.put("))")
	default:
		s.put("false")
	}
}

// whereLeave is where, and one's own membership, which may always be given up.
func (t tenant) whereLeave(s *statement, qualifier string) {
	if t.who != table.Roles || t.isService() {
		t.where(s, qualifier)
		return
	}
	s.put("(")
	t.mine(s, qualifier)
	s.put(" or ")
	t.where(s, qualifier)
	s.put(")")
}

func (t tenant) mine(s *statement, qualifier string) {
	s.put(qualifier+"user_id = "+s.parameter(kind{Type: table.UUID}), t.as.User)
}

// in puts the condition that a row is of a team in which one has such a role.
func (t tenant) in(s *statement, qualifier string, role func(string) bool) {
	list := s.sub()
	n := 0
	for _, m := range t.teams {
		if !role(m.role) {
			continue
		}
		if n++; n > 1 {
			list.put(", ")
		}
		list.put(list.parameter(kind{Type: table.UUID}), m.team)
	}
	switch team := qualifier + t.table.Team; n {
	case 0:
		s.put("false")
	case 1:
		s.put(team + " = ").add(list)
	default:
		s.put(team + " in (").add(list).put(")")
	}
}

// ofRepository narrows the condition down to what a token of CI that is for a
// repository can reach.
func (t tenant) ofRepository(s *statement, qualifier string) {
	if t.as.Repo == "" || t.table.Repo == table.Shared {
		return
	}
	s.put(" and ")
	switch t.table.Repo {
	case table.ByRepo:
		s.put(qualifier+"repo_slug = ?", t.as.Repo)
	case table.ByRun:
		s.put(qualifier + "run_id in (select id from eval_runs where ")
		t.in(s, "", anyRole)
		s.put(" and repo_slug = ?)", t.as.Repo)
	case table.Own:
		t.mine(s, qualifier)
	default:
		s.put("false")
	}
}

// shows refuses a token of CI the columns that may hold somebody's mail address,
// wherever a request names them. Where it names none, they are left out.
func (t tenant) shows(q *postgrest.Query) error {
	if t.as.Team == uuid.Nil {
		return nil
	}
	var named func(list []postgrest.Filter) *table.Column
	named = func(list []postgrest.Filter) *table.Column {
		for i := range list {
			f := &list[i]
			if c := f.Column; c != nil && c.Address {
				return c
			}
			if c := named(append(slices.Clone(f.All), f.Any...)); c != nil {
				return c
			}
		}
		return nil
	}
	c := named(q.Where)
	for _, item := range q.Select {
		if item.Embed == nil && item.Column.Address {
			c = item.Column
		}
	}
	for _, o := range q.Order {
		if o.Column.Address {
			c = o.Column
		}
	}
	if c != nil {
		return denied(t.as, "column "+c.Name+" of table "+t.table.Name)
	}
	return nil
}

// isIn says whether one is in a team in such a role.
func (t tenant) isIn(team uuid.UUID, role func(string) bool) bool {
	return slices.ContainsFunc(t.teams, func(m membership) bool { return m.team == team && role(m.role) })
}

// admit checks a new row, by the values of its columns: it is of a team one is
// in, of oneself where the table says who wrote a row, and of the repository
// that a token of CI is for. Who may insert at all has been checked by enter.
func (t tenant) admit(get getter) error {
	if t.isService() {
		return nil
	}
	role := anyRole
	if t.who == table.Admins {
		role = isAdmin
	}
	ok := (t.who == table.Members || t.who == table.Admins || t.who == table.Author && t.table.Authored) && t.isIn(id(get(t.table.Team)), role)
	if t.table.Authored {
		ok = ok && id(get("user_id")) == t.as.User
	}
	if t.as.Repo != "" && t.table.Repo == table.ByRepo {
		repo, _ := get("repo_slug")
		ok = ok && repo.text == t.as.Repo
	}
	if !ok {
		return refused(t.as, t.table)
	}
	return nil
}

// Admits is the error that an insert of a row with such values would be, nil for none:
// for what writes rows by statements of its own.
func Admits(ctx context.Context, tx *db.Tx, as db.Identity, t *table.Table, values map[string]string) error {
	r := reader{ctx: ctx, tx: tx, as: as}
	in, err := r.enter(t, inserts)
	if err != nil {
		return err
	}
	return in.admit(func(column string) (value, bool) {
		text, ok := values[column]
		return value{text: text}, ok
	})
}

// forbids says whether an update that sets such values leaves rows that one may
// not have, and puts for which rows that is so after the tenant's condition. The
// team and the author that an update leaves out stay as they were, and those
// the tenant's condition has checked.
func (t tenant) forbids(s *statement, get getter) bool {
	if t.isService() {
		return false
	}
	if team, set := get(t.table.Team); set && !t.isIn(id(team, set), anyRole) {
		return true
	}
	if user, set := get("user_id"); set && t.who == table.Author && id(user, set) != t.as.User {
		return true
	}
	if role, _ := get("role"); t.who == table.Roles && role.text == "owner" {
		s.put(" and not ")
		t.in(s, "", isOwner)
		return true
	}
	return false
}

// id is a value as a UUID, the zero one where it is none.
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
