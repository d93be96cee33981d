package seed

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A plan is what a team is like.
type plan struct {
	slug, name string
	people     int // besides the owner
	repos      []string
	suites     []suite
	busy       float64 // ships of a person in a week
	gaps       bool    // weeks, and months, without anything
}

type suite struct {
	name  string
	cases int
}

const long = "a-name-of-sixty-characters-that-somebody-really-gave-to-this" // 60

var plans = [...]plan{
	{"atlas", "Atlas", 7, []string{"acme/app", "acme/api", "acme/docs"}, []suite{{"posts", 12}, {"mail", 50}}, 2.2, false},
	{"birch", "Birch", 3, []string{"acme/app"}, []suite{{"posts", 12}}, 0.8, true}, // names that Atlas has, too
	{long[:50], "The Team Whose Name Has Sixty Characters, All of Them Needed", 2, []string{"organization-" + long[:47] + "/" + long}, []suite{{long, 12}}, 1, true},
	{"solo", "Solo", 0, []string{"ada/notebook"}, []suite{{"notes", 12}}, 1.5, false},
	{"empty", "Empty", 0, nil, nil, 0, false},
}

// A person of a team.
type person struct {
	id     uuid.UUID
	name   string // as git has it
	email  string
	gone   time.Time // zero: still there
	member bool
}

var names = [...]string{"Ada Lovelace", "Grace Hopper", "Linus Pauling", "Barbara Liskov", "Søren Ångström", "李 小龙", "Maximiliane Alexandra von Hohenstein-Wittelsbach zu Bayern-Süd", "Kat"}

// crew is a team as it is filled.
type crew struct {
	*Team
	plan   *plan
	people []person
	bot    uuid.UUID
}

func (f *filler) team(p *plan, owner uuid.UUID) (*Team, error) {
	c := &crew{Team: &Team{ID: f.uuid(), Slug: p.slug}, plan: p}
	c.people = append(c.people, person{id: owner, name: names[0], email: Owner, member: true})
	for i := range p.people {
		who := person{id: f.uuid(), name: names[1+i], email: fmt.Sprintf("person-%d@%s.example.com", i+1, p.slug[:min(len(p.slug), 20)]), member: true}
		switch {
		case i == p.people-1 && p.people > 3: // has left; her rows are there
			who.gone, who.member = f.now.AddDate(0, -5, 0), false
		case p.people > 3 && i == 5:
			who.email = "a.very.long.address.of.a.colleague.of.ours@" + p.slug + ".example.com"
		}
		c.people = append(c.people, who)
	}
	c.bot = f.uuid()
	joined := f.start
	err := f.d.Update(f.ctx, db.ServerItself, func(tx *db.Tx) error {
		if _, err := tx.Exec(f.ctx, `insert into teams (id, name, slug, created_at) values (?, ?, ?, ?)`, c.ID, p.name, p.slug, joined); err != nil {
			return err
		}
		member := func(id uuid.UUID, role string, at time.Time) error {
			_, err := tx.Exec(f.ctx, `insert into team_members (team_id, user_id, role, joined_at) values (?, ?, ?, ?)`, c.ID, id, role, at)
			return err
		}
		for i, who := range c.people {
			if i > 0 {
				if _, err := tx.Exec(f.ctx, `insert into auth.users (id, email) values (?, ?)`, who.id, who.email); err != nil {
					return err
				}
			}
			role := [...]string{"owner", "admin", "member"}[min(i, 2)]
			if who.member {
				if err := member(who.id, role, joined.AddDate(0, i, 0)); err != nil {
					return err
				}
			}
			c.People = append(c.People, who.id)
		}
		if len(p.repos) == 0 {
			return nil
		}
		if _, err := tx.Exec(f.ctx, `insert into auth.users (id, email, bot) values (?, ?, ?)`, c.bot, "ci-"+p.slug+"@bots.invalid", f.flag(true)); err != nil {
			return err
		}
		return member(c.bot, "ci", joined)
	})
	if err != nil || len(p.repos) == 0 {
		return c.Team, err
	}
	for week := range weeks {
		if p.gaps && (week%9 == 4 || week > 60 && week < 70) {
			continue
		}
		monday := f.start.AddDate(0, 0, 7*week)
		f.shipWeek(c, week, monday)
		f.recordWeek(c, week, monday)
		if err := f.runWeek(c, week, monday); err != nil {
			return nil, err
		}
	}
	f.alerts(c)
	f.badRows(c)
	return c.Team, nil
}

// here are the people who were there then.
func (c *crew) here(at time.Time) (out []person) {
	for _, p := range c.people {
		if p.gone.IsZero() || at.Before(p.gone) {
			out = append(out, p)
		}
	}
	return out
}
