package db_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

func TestTeamsOfTheAdmin(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		var people [2]uuid.UUID
		for i := range people {
			people[i] = uuid.New()
			dbtest.Exec(t, d, `insert into auth.users (id, email) values (?, ?)`, people[i], people[i].String()+"@example.com")
		}
		for _, slug := range []string{"", "A", "-a", "a-", "a b", "a_b", "ä", strings.Repeat("a", 51)} {
			if _, err := d.CreateTeam(ctx, slug, "x", people[0]); !errors.Is(err, db.ErrTeamSlug) {
				t.Errorf("team %q: %v", slug, err)
			}
		}
		if _, err := d.CreateTeam(ctx, "a-1", "A", people[0]); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct{ err, want error }{
			"the same again":        {second(d.CreateTeam(ctx, "a-1", "A", people[0])), db.ErrTeamTaken},
			"the last owner leaves": {d.RemoveMember(ctx, "a-1", people[0]), db.ErrLastOwner},
			"it is a member only":   {d.SetMember(ctx, "a-1", people[0], "member"), db.ErrLastOwner},
			"who is not in it":      {d.RemoveMember(ctx, "a-1", people[1]), db.ErrNoMember},
			"no team":               {d.SetMember(ctx, "b", people[1], "member"), db.ErrNoTeam},
			"still no team":         {d.RemoveMember(ctx, "b", people[1]), db.ErrNoTeam},
		} {
			if !errors.Is(c.err, c.want) {
				t.Errorf("%s: %v, want %v", name, c.err, c.want)
			}
		}
		for _, role := range []string{"member", "owner"} {
			if err := d.SetMember(ctx, "a-1", people[1], role); err != nil {
				t.Errorf("as %s: %v", role, err)
			}
		}
		if err := d.RemoveMember(ctx, "a-1", people[0]); err != nil {
			t.Errorf("when another owner is there: %v", err)
		}
		if all, err := d.Teams(ctx); err != nil || len(all) != 1 || all[0].Slug != "a-1" || all[0].Members != 1 || all[0].Created.IsZero() {
			t.Errorf("%+v, %v", all, err)
		}
		if all, err := d.Members(ctx); err != nil || len(all) != 1 || all[0] != (db.Member{User: people[1], Slug: "a-1", Role: "owner"}) {
			t.Errorf("%+v, %v", all, err)
		}
	})
}

func second(_ uuid.UUID, err error) error { return err }

func TestNote(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		for _, value := range []string{"", "one", "two"} {
			if value != "" {
				if err := d.Note(ctx, "url", value); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := d.Noted(ctx, "url"); err != nil || got != value {
				t.Errorf("%q, %v; want %q", got, err, value)
			}
		}
	})
}

// TestRename: the slug that a team had leads to it, and nobody else gets it.
func TestRename(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		one, two := dbtest.Team(t, d, "one"), dbtest.Team(t, d, "two")
		person := dbtest.Member(t, d, two, "owner")
		yes := func(*db.Tx) error { return nil }
		find := func(slug string) (id uuid.UUID) {
			t.Helper()
			err := d.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) { id, err = tx.FindTeam(ctx, slug); return err })
			if err != nil && !errors.Is(err, db.ErrNoTeam) {
				t.Fatal(err)
			}
			return id
		}
		no := errors.New("no")
		if err := d.RenameTeam(ctx, one, "uno", "", func(*db.Tx) error { return no }); !errors.Is(err, no) || find("uno") != uuid.Nil {
			t.Errorf("refused: %v", err)
		}
		for _, slug := range []string{"uno", "uno", "eins"} {
			if err := d.RenameTeam(ctx, one, slug, "The One", yes); err != nil {
				t.Fatalf("%s: %v", slug, err)
			}
		}
		for _, slug := range []string{"one", "uno", "eins"} {
			if find(slug) != one {
				t.Errorf("%s does not lead to the team", slug)
			}
		}
		for name, err := range map[string]error{
			"renamed to a former slug":    d.RenameTeam(ctx, two, "uno", "", yes),
			"renamed to a slug":           d.RenameTeam(ctx, two, "eins", "", yes),
			"made with a former slug":     second(d.CreateTeam(ctx, "one", "x", person.User)),
			"made with its slug of today": second(d.CreateTeam(ctx, "eins", "x", person.User)),
		} {
			if !errors.Is(err, db.ErrTeamTaken) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := d.RenameTeam(ctx, two, "-x", "", yes); !errors.Is(err, db.ErrTeamSlug) {
			t.Error(err)
		}
		// The database itself refuses it, whoever writes.
		err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `insert into teams (name, slug) values ('x', 'uno')`)
			return err
		})
		if err == nil {
			t.Error("a former slug was taken behind our back")
		}
		// One that the team had it may have again; the oldest beyond three are free.
		for _, slug := range []string{"one", "a", "b", "c"} {
			if err := d.RenameTeam(ctx, one, slug, "", yes); err != nil {
				t.Fatal(err)
			}
		}
		if find("eins") != uuid.Nil || find("one") != one {
			t.Errorf("eins: %v, one: %v", find("eins"), find("one"))
		}
	})
}
