package audit_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

const home = "192.0.2.7"

// asked is a context of a request from home by somebody.
func asked(by uuid.UUID) context.Context {
	return db.WithOrigin(context.Background(), &db.Origin{Actor: db.ActorUser, User: by, Address: home})
}

// entries of a team, the oldest first, as "actor action detail".
func entries(t *testing.T, d *db.DB, team uuid.NullUUID) (out []audit.Entry, texts []string) {
	t.Helper()
	err := d.View(context.Background(), db.ServerItself, func(tx *db.Tx) (err error) {
		out, err = audit.List(context.Background(), tx, audit.Filter{Team: team, Most: 1000})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := len(out) - 1; i >= 0; i-- {
		texts = append(texts, strings.TrimSpace(out[i].Actor+" "+out[i].Action+" "+out[i].Detail))
	}
	return out, texts
}

func update(t *testing.T, d *db.DB, ctx context.Context, as db.Identity, query string, args ...any) error {
	t.Helper()
	return d.Update(ctx, as, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
}

// TestEntries: whatever changes a team leaves an entry, written with the change.
func TestEntries(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "one")
		owner := dbtest.Member(t, d, team, "owner")
		member := dbtest.Member(t, d, team, "member")
		ctx := asked(owner.User)
		must := func(query string, args ...any) {
			t.Helper()
			if err := update(t, d, ctx, db.ServerItself, query, args...); err != nil {
				t.Fatalf("%s: %v", query, err)
			}
		}
		accounts := account.New(d)
		must(`update team_members set role = 'admin' where user_id = ?`, member.User)
		must(`update team_members set role = 'admin' where user_id = ?`, member.User) // changes nothing
		must(`delete from team_members where user_id = ?`, member.User)
		must(`insert into team_invites (team_id, email, token_hash) values (?, 'ada@example.com', 'h1')`, team)
		must(`update team_invites set accepted_at = created_at`)
		must(`delete from team_invites`) // accepted: nothing is withdrawn
		must(`insert into team_invites (team_id, email, token_hash) values (?, 'ada@example.com', 'h2')`, team)
		must(`delete from team_invites`)
		must(`insert into team_channels (team_id, kind, name, target) values (?, 'slack', 'ours', 'https://hooks.example.com/SECRET')`, team)
		must(`update team_channels set test_at = created_at`) // is no change
		must(`update team_channels set alerts = not alerts`)
		must(`delete from team_channels`)
		must(`insert into team_settings (team_id) values (?)`, team)
		must(`update team_settings set digest_hour = 3`)
		must(`update teams set slug = 'two' where id = ?`, team)
		token, err := accounts.MakeToken(ctx, owner.User, wire.NewToken{TeamID: team, Name: "nightly", Scopes: []string{"ingest", "read"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := accounts.RevokeToken(ctx, owner.User, token.ID); err != nil {
			t.Fatal(err)
		}
		list, got := entries(t, d, audit.ID(team))
		want := []string{"server team.created", "server member.added owner", "server member.added member", "user member.role member to admin", "user member.removed admin",
			"user invitation.created member", "user invitation.accepted member", "user invitation.created member", "user invitation.withdrawn member",
			"user channel.added slack", "user channel.changed slack", "user channel.removed slack", "user settings.changed", "user settings.changed", "user team.renamed slug",
			"user member.added ci", "user token.created ingest read", "user token.revoked", "user member.removed ci"}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for _, e := range list {
			if e.Actor == db.ActorUser && (e.User != audit.ID(owner.User) || e.Address != home) || e.Actor == db.ActorServer && e.Address != "" {
				t.Errorf("%+v: by or from somebody else", e)
			}
			if strings.Contains(e.Detail, "example.com") || time.Since(e.At).Abs() > time.Minute {
				t.Errorf("%+v", e)
			}
		}
	})
}

// TestAccountEntries: accounts and sessions leave theirs, which no team reads.
func TestAccountEntries(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts := account.New(d)
		accounts.SetCost(4)
		ctx := db.WithOrigin(context.Background(), &db.Origin{Actor: db.ActorAnonymous, Address: home})
		u, err := accounts.CreateUser(ctx, account.NewUser{Email: "ada@example.com", Password: "a long enough secret 7", Confirmed: true})
		if err != nil {
			t.Fatal(err)
		}
		session, _, err := accounts.Begin(ctx, account.Session{User: u.ID, Method: "password", IP: home})
		if err != nil {
			t.Fatal(err)
		}
		mine := asked(u.ID)
		if _, err := accounts.Change(mine, u.ID, func(u *account.User) error { u.PasswordHash = "$2a$other"; return nil }); err != nil {
			t.Fatal(err)
		}
		if err := accounts.End(mine, u.ID, session.ID, account.Global); err != nil {
			t.Fatal(err)
		}
		operator := db.WithOrigin(context.Background(), &db.Origin{Actor: db.ActorOperator})
		if _, err := accounts.Ban(operator, u.ID, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if err := accounts.DeleteUser(operator, u.ID); err != nil {
			t.Fatal(err)
		}
		list, got := entries(t, d, uuid.NullUUID{})
		want := []string{"anonymous user.created", "user session.started password", "user user.password", "user session.ended", "operator user.banned", "operator user.removed"}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for _, e := range list {
			if e.Action == "session.started" && (e.User != audit.ID(u.ID) || e.Address != home) {
				t.Errorf("%+v: a session is its user's", e)
			}
		}
	})
}

// TestFinal: nobody changes or deletes an entry, as whoever.
func TestFinal(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "one")
		owner := dbtest.Member(t, d, team, "owner")
		_, before := entries(t, d, uuid.NullUUID{})
		ctx := context.Background()
		for _, as := range []db.Identity{owner, {Role: db.Service}, {Role: db.Server}, {Role: db.Anon}} {
			if d.Dialect() == db.SQLite && as.Role != db.Server { // it has no roles
				continue
			}
			for _, q := range []string{`delete from audit_log`, `update audit_log set action = 'x'`, `update audit_log set address = '192.0.2.9'`,
				`update audit_log set detail = '', address = '', user_id = null`} {
				if err := update(t, d, ctx, as, q); err == nil {
					t.Errorf("%s: %s", as.Role, q)
				}
			}
			if as.Role != db.Server {
				if err := update(t, d, ctx, as, `insert into audit_log (actor, action) values ('user', 'forged')`); err == nil {
					t.Errorf("%s forges an entry", as.Role)
				}
				if err := update(t, d, ctx, as, `select cairn.audit('forged', null, null, '')`); err == nil {
					t.Errorf("%s forges an entry by the function", as.Role)
				}
			}
		}
		if _, after := entries(t, d, uuid.NullUUID{}); strings.Join(after, "\n") != strings.Join(before, "\n") {
			t.Errorf("%q, before %q", after, before)
		}
	})
}

// TestUndone: an entry is there only if what it is about is.
func TestUndone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "one")
		_, before := entries(t, d, audit.ID(team))
		ctx := asked(uuid.New())
		err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			if _, err := tx.Exec(ctx, `insert into team_settings (team_id) values (?)`, team); err != nil {
				return err
			}
			return context.Canceled
		})
		if err == nil {
			t.Fatal("it was to fail")
		}
		// The next one of nobody must not be taken for theirs.
		dbtest.Exec(t, d, `update teams set name = 'another' where id = ?`, team)
		_, after := entries(t, d, audit.ID(team))
		if got := after[len(before):]; len(got) != 1 || got[0] != "server team.renamed name" {
			t.Errorf("%q", got)
		}
	})
}

// TestTrim: what is old goes, and what is more than fits; of another team nothing.
func TestTrim(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		one, two := uuid.New(), uuid.New()
		write := func(team uuid.UUID, n int) {
			for range n {
				err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error { return audit.Write(ctx, tx, audit.Entry{Team: audit.ID(team), Action: "x.y"}) })
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		write(one, 7)
		write(two, 3)
		write(uuid.Nil, 6)
		if n, err := audit.Trim(ctx, d, time.Now().Add(-time.Hour), 5); err != nil || n != 3 {
			t.Fatalf("%d, %v", n, err)
		}
		for team, want := range map[uuid.UUID]int{one: 5, two: 3} {
			if list, _ := entries(t, d, audit.ID(team)); len(list) != want {
				t.Errorf("%d entries, want %d", len(list), want)
			}
		}
		if list, _ := entries(t, d, uuid.NullUUID{}); len(list) != 13 {
			t.Errorf("%d entries in all", len(list))
		}
		if n, err := audit.Trim(ctx, d, time.Now().Add(time.Hour), 5); err != nil || n != 13 {
			t.Errorf("%d, %v", n, err)
		}
		write(one, 1)
		if err := update(t, d, ctx, db.ServerItself, `delete from audit_log`); err == nil {
			t.Error("after a trim everyone may delete")
		}
	})
}

// TestBlank: addresses of a team and of a person go, and nothing else.
func TestBlank(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		person, team := uuid.New(), uuid.New()
		ctx := asked(person)
		for _, e := range []audit.Entry{{Team: audit.ID(team), Action: "a.b"}, {Action: "c.d"}} {
			if err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error { return audit.Write(ctx, tx, e) }); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range []struct {
			team, person uuid.UUID
			left         int
		}{{uuid.New(), uuid.New(), 2}, {team, uuid.Nil, 1}, {uuid.Nil, person, 0}} {
			if err := d.Update(context.Background(), db.ServerItself, func(tx *db.Tx) error { return audit.Blank(context.Background(), tx, step.team, step.person) }); err != nil {
				t.Fatal(err)
			}
			if n := dbtest.Count(t, d, `select count(*) from audit_log where address <> ''`); n != step.left {
				t.Errorf("%d have an address, want %d", n, step.left)
			}
		}
		if list, _ := entries(t, d, uuid.NullUUID{}); len(list) != 2 || list[0].User != audit.ID(person) {
			t.Errorf("%+v", list)
		}
	})
}
