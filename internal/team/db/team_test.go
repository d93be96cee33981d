package db_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/dbtest"
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
