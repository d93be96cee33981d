package db

import (
	"cairn/internal/team/wire"
	"cairn/internal/text"
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

// Errors of the admin's work on teams.
var (
	ErrNoTeam    = errors.New("there is no such team")
	ErrTeamTaken = errors.New("a team of this name is there already")
	ErrTeamSlug  = errors.New("a team's name in URLs has up to 50 small letters, digits and hyphens, and begins and ends with none of the last")
	ErrNoMember  = errors.New("the user is not in the team")
	ErrLastOwner = errors.New("the user is the team's last owner; another one must be named first")
)

// A Team as the server's admin sees it.
type Team struct {
	ID      uuid.UUID
	Slug    string
	Name    string
	Created time.Time
	Members int
	Runs    int64
}

// Teams lists all of a server, by slug.
func (d *DB) Teams(ctx context.Context) (out []Team, err error) {
	err = d.View(ctx, ServerItself, func(t *Tx) error {
		out, err = Each(ctx, t, `select t.id, t.slug, t.name, t.created_at, (select count(*) from team_members m where m.team_id = t.id),
			(select coalesce(sum(runs), 0) from daily_evals e where e.team_id = t.id) from teams t order by t.slug`, nil, func(scan Scan) (team Team, _ error) {
			var created Time
			if err := scan(&team.ID, &team.Slug, &team.Name, &created, &team.Members, &team.Runs); err != nil {
				return team, err
			}
			team.Created = *created.Value
			return team, nil
		})
		return err
	})
	return out, err
}

// A Member of a team.
type Member struct {
	User uuid.UUID
	Slug string // of the team
	Role string
}

// Members lists who is in which team, by slug.
func (d *DB) Members(ctx context.Context) (out []Member, err error) {
	err = d.View(ctx, ServerItself, func(t *Tx) error {
		out, err = List(ctx, t, `select m.user_id, t.slug, m.role from team_members m join teams t on t.id = m.team_id order by t.slug, m.joined_at`, nil, func(m *Member) []any { return []any{&m.User, &m.Slug, &m.Role} })
		return err
	})
	return out, err
}

// CreateTeam makes a team with its first owner.
func (d *DB) CreateTeam(ctx context.Context, slug, name string, owner uuid.UUID) (id uuid.UUID, err error) {
	if !text.IsSlug(slug, wire.MostSlug) {
		return id, ErrTeamSlug
	}
	id = uuid.New()
	err = d.Update(ctx, ServerItself, func(t *Tx) error {
		var former bool // of another team
		if err := t.QueryRow(ctx, `select exists (select 1 from cairn.team_slugs where slug = ?)`, slug).Scan(&former); err != nil || former {
			return cmp.Or(err, ErrTeamTaken)
		}
		n, err := t.Exec(ctx, `insert into teams (id, slug, name) values (?, ?, ?) on conflict (slug) do nothing`, id, slug, name)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrTeamTaken
		}
		return t.Do(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, id, owner)
	})
	return id, err
}

// mostFormer is how many slugs that it had before lead to a team. Older ones
// anybody can have: names are few.
const mostFormer = 3

// RenameTeam gives a team another slug, another name, or both; "" stays as it
// is. The old slug leads to the team from then on, and no other team can have it.
// check runs first in the same transaction and may refuse. ErrTeamSlug, ErrTeamTaken.
func (d *DB) RenameTeam(ctx context.Context, id uuid.UUID, slug, name string, check func(*Tx) error) error {
	if slug != "" && !text.IsSlug(slug, wire.MostSlug) {
		return ErrTeamSlug
	}
	return d.Update(ctx, ServerItself, func(t *Tx) error {
		if err := check(t); err != nil {
			return err
		}
		if name != "" {
			if _, err := t.Exec(ctx, `update teams set name = ? where id = ?`, name, id); err != nil {
				return err
			}
		}
		var old string
		if err := t.QueryRow(ctx, `select slug from teams where id = ?`, id).Scan(&old); err != nil {
			return err
		}
		if slug == "" || slug == old {
			return nil
		}
		taken, err := One[bool](ctx, t, `select exists (select 1 from teams where slug = ?) or exists (select 1 from cairn.team_slugs where slug = ? and team_id <> ?)`, slug, slug, id)
		switch {
		case err != nil:
			return err
		case taken:
			return ErrTeamTaken
		}
		for _, q := range []struct {
			query string
			args  []any
		}{
			{`delete from cairn.team_slugs where slug = ?`, []any{slug}}, // it had this one before
			{`update teams set slug = ? where id = ?`, []any{slug, id}},
			{`insert into cairn.team_slugs (slug, team_id, created_at) values (?, ?, ?)`, []any{old, id, time.Now()}},
			{`delete from cairn.team_slugs where team_id = ? and slug not in (select slug from cairn.team_slugs where team_id = ? order by created_at desc limit ?)`, []any{id, id, mostFormer}},
		} {
			if _, err := t.Exec(ctx, q.query, q.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// RoleIn says what a user is in a team, "" for somebody who is not in it.
func (t *Tx) RoleIn(ctx context.Context, team, user uuid.UUID) (role string, err error) {
	err = t.QueryRow(ctx, `select role from team_members where team_id = ? and user_id = ?`, team, user).Scan(&role)
	return role, None(err, nil)
}

// NameOf returns a team's slug and name; ErrNoTeam.
func (t *Tx) NameOf(ctx context.Context, team uuid.UUID) (slug, name string, err error) {
	err = t.QueryRow(ctx, `select slug, name from teams where id = ?`, team).Scan(&slug, &name)
	return slug, name, None(err, ErrNoTeam)
}

// MemberBy returns the member of a team with an address; ErrNoMember.
func (t *Tx) MemberBy(ctx context.Context, team uuid.UUID, email string) (user uuid.UUID, err error) {
	err = t.QueryRow(ctx, `select u.id from auth.users u join team_members m on m.user_id = u.id where m.team_id = ? and lower(u.email) = lower(?)`, team, email).Scan(&user)
	return user, None(err, ErrNoMember)
}

// FindTeam returns the team that has a slug, or had it last.
func (t *Tx) FindTeam(ctx context.Context, slug string) (id uuid.UUID, err error) {
	id, err = t.team(ctx, slug)
	if !errors.Is(err, ErrNoTeam) {
		return id, err
	}
	err = t.QueryRow(ctx, `select team_id from cairn.team_slugs where slug = ?`, slug).Scan(&id)
	return id, None(err, ErrNoTeam)
}

// SetMember puts a user into a team, or gives a member another role.
func (d *DB) SetMember(ctx context.Context, slug string, user uuid.UUID, role string) error {
	return d.Update(ctx, ServerItself, func(t *Tx) error {
		team, err := t.team(ctx, slug)
		if err != nil {
			return err
		}
		if role != "owner" {
			if err := t.keepsOwner(ctx, team, user); err != nil {
				return err
			}
		}
		return t.Do(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, ?) on conflict (team_id, user_id) do update set role = excluded.role`, team, user, role)
	})
}

// RemoveMember takes a user out of a team; what it sent stays.
func (d *DB) RemoveMember(ctx context.Context, slug string, user uuid.UUID) error {
	return d.Update(ctx, ServerItself, func(t *Tx) error {
		team, err := t.team(ctx, slug)
		if err != nil {
			return err
		}
		if err := t.keepsOwner(ctx, team, user); err != nil {
			return err
		}
		n, err := t.Exec(ctx, `delete from team_members where team_id = ? and user_id = ?`, team, user)
		if err == nil && n == 0 {
			return ErrNoMember
		}
		return err
	})
}

func (t *Tx) team(ctx context.Context, slug string) (id uuid.UUID, err error) {
	err = t.QueryRow(ctx, `select id from teams where slug = ?`, slug).Scan(&id)
	return id, None(err, ErrNoTeam)
}

// keepsOwner is the database's own rule in words; its trigger stands behind.
func (t *Tx) keepsOwner(ctx context.Context, team, user uuid.UUID) error {
	last, err := One[bool](ctx, t, `select exists (select 1 from team_members where team_id = ? and user_id = ? and role = 'owner')
		and not exists (select 1 from team_members where team_id = ? and user_id <> ? and role = 'owner')`, team, user, team, user)
	if err == nil && last {
		return ErrLastOwner
	}
	return err
}

// HasTeam is nil for a team that is there, ErrNoTeam for another.
func (d *DB) HasTeam(ctx context.Context, slug string) error {
	return d.View(ctx, ServerItself, func(t *Tx) error {
		_, err := t.team(ctx, slug)
		return err
	})
}
