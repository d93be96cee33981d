// Package seed fills a database with five made-up teams and two years of their
// work, the same for the same clock: gaps, zeros, names of sixty characters, a
// team of one, a team with nothing, people who left, bots of CI, rows that
// another client wrote badly, flaky cases and one real regression. Pages are
// looked at and tested on it; scripts/seed makes a server's data of it. Nothing
// of the product imports it.
package seed

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Owner is the address of who owns every team.
const Owner = "ada@example.com"

// Secret stands in every message of every transcript: no page may show it.
const Secret = "words-of-a-transcript"

// A World is what was made.
type World struct {
	Owner uuid.UUID
	Teams []Team
}

// A Team of the world.
type Team struct {
	ID     uuid.UUID
	Slug   string
	People []uuid.UUID // the owner first; the last are bots and who left
}

// weeks is how much there is.
const weeks = 104

type filler struct {
	ctx    context.Context
	d      *db.DB
	random *rand.Rand
	now    time.Time
	start  time.Time // a Monday
	out    map[string]*batch
	order  []string
	months map[string]bool
	// mainRuns are those of a team's suite on main, the oldest first.
	mainRuns map[[2]string][]mainRun
}

type mainRun struct {
	id uuid.UUID
	at time.Time
}

type batch struct {
	columns []string
	rows    [][]any
}

// Fill fills an empty, migrated database. now is the end of the two years.
func Fill(ctx context.Context, d *db.DB, now time.Time) (*World, error) {
	now = now.UTC().Truncate(time.Second)
	monday := now.Truncate(24 * time.Hour)
	monday = monday.AddDate(0, 0, -(int(monday.Weekday())+6)%7)
	f := &filler{
		ctx: ctx, d: d, now: now, start: monday.AddDate(0, 0, -7*(weeks-1)), random: rand.New(rand.NewPCG(7, 11)),
		out: map[string]*batch{}, months: map[string]bool{}, mainRuns: map[[2]string][]mainRun{},
	}
	w := &World{Owner: f.uuid()}
	err := d.Do(ctx, `insert into auth.users (id, email) values (?, ?)`, w.Owner, Owner)
	if err != nil {
		return nil, err
	}
	for i := range plans {
		t, err := f.team(&plans[i], w.Owner)
		if err != nil {
			return nil, fmt.Errorf("team %s: %w", plans[i].slug, err)
		}
		w.Teams = append(w.Teams, *t)
	}
	slices.SortStableFunc(f.order, func(a, b string) int { return parentsFirst(b) - parentsFirst(a) })
	for _, table := range f.order {
		b := f.out[table]
		if err := d.Bulk(ctx, table, b.columns, b.rows); err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
	}
	return w, d.Analyze(ctx)
}

// parentsFirst is 1 for a table that rows of others point to.
func parentsFirst(table string) int {
	if table == "eval_runs" || table == "team_channels" {
		return 1
	}
	return 0
}

// add keeps a row for its table.
func (f *filler) add(table, columns string, values ...any) {
	b := f.out[table]
	if b == nil {
		b = &batch{columns: strings.Fields(columns)}
		f.out[table] = b
		f.order = append(f.order, table)
	}
	b.rows = append(b.rows, values)
}

func (f *filler) uuid() (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], f.random.Uint64())
	binary.BigEndian.PutUint64(id[8:], f.random.Uint64())
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id
}

// usd and day are values as the database keeps them.
func (f *filler) usd(v float64) any {
	if f.d.Dialect() == db.SQLite {
		return int64(v*1e6 + .5)
	}
	return v
}

func (f *filler) percent(v float64) any {
	if f.d.Dialect() == db.SQLite {
		return int64(v*100 + .5)
	}
	return v
}

func (f *filler) day(t time.Time) any {
	if f.d.Dialect() == db.SQLite {
		return t.UTC().Format(time.DateOnly)
	}
	return t.UTC().Truncate(24 * time.Hour)
}

func (f *filler) flag(v bool) any {
	if f.d.Dialect() == db.SQLite {
		if v {
			return 1
		}
		return 0
	}
	return v
}

// chance is true in p of the cases.
func (f *filler) chance(p float64) bool { return f.random.Float64() < p }

// A plan is what a team is like.
type plan struct {
	slug, name string
	people     int // besides the owner
	repos      []string
	suites     []suite
	busy       float64 // ships of a person in a week
	gaps       bool    // weeks, and months, without anything
	believable bool    // for pictures: without what is only there to be in the way
}

type suite struct {
	name  string
	cases int
}

const long = "a-name-of-sixty-characters-that-somebody-really-gave-to-this" // 60

var plans = [...]plan{
	{"atlas", "Atlas", 7, []string{"acme/app", "acme/api", "acme/docs"}, []suite{{"posts", 12}, {"mail", 50}}, 2.2, false, true},
	{"birch", "Birch", 3, []string{"acme/app"}, []suite{{"posts", 12}}, 0.8, true, false}, // names that Atlas has, too
	{long[:50], "The Team Whose Name Has Sixty Characters, All of Them Needed", 7, []string{"organization-" + long[:47] + "/" + long}, []suite{{long, 12}}, 1, true, false},
	{"solo", "Solo", 0, []string{"ada/notebook"}, []suite{{"notes", 12}}, 1.5, false, false},
	{"empty", "Empty", 0, nil, nil, 0, false, false},
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
		if p.believable {
			who.name = colleagues[i]
			first, _, _ := strings.Cut(who.name, " ")
			who.email = strings.ToLower(first) + "@example.com"
		}
		switch {
		case i == p.people-1 && p.people > 3: // has left; her rows are there
			who.gone, who.member = f.now.AddDate(0, -5, 0), false
		case !p.believable && p.people > 3 && i == 5:
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
			return tx.Do(f.ctx, `insert into team_members (team_id, user_id, role, joined_at) values (?, ?, ?, ?)`, c.ID, id, role, at)
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
	if !p.believable {
		f.badRows(c)
	}
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
