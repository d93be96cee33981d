package dashboard

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"cairn/internal/team/db/figures"
)

// A bar is the form above a view that says what of the team is shown. It is a
// plain GET form and works without a script.
type bar struct {
	Action  string
	Keep    []picked // what the address names besides a filter
	Presets []option
	// Weeks is sent along, so that another choice keeps the time; "" where it is
	// usual, or where days were asked for.
	Weeks    string
	Custom   bool // days were asked for
	From, To string
	Selects  []choice
	Reset    string // the view without a filter; "" where there is none
	Told     string // the time in words
}

// A choice is one select of the bar.
type choice struct {
	Name, Title, All string
	Options          []picked
	Any              bool // nothing is chosen
}

// A picked is an option of a select.
type picked struct {
	Value, Text string
	Here        bool
}

// newBar makes the bar of a view: only what has a meaning there.
func newBar(v view, a *ask) *bar {
	f := a.filter
	b := &bar{Custom: f.Weeks == 0, From: f.From.Format(time.DateOnly), To: f.To.AddDate(0, 0, -1).Format(time.DateOnly), Told: span(f.From, f.To.AddDate(0, 0, -1))}
	args := maps.Clone(a.path)
	delete(args, "after") // another choice begins with the first rows
	at := place{team: a.team, view: v.name, args: args, filter: Filter{Weeks: usualWeeks}}
	b.Action, b.Reset = at.to(v.name), at.here("")
	for _, name := range slices.Sorted(maps.Keys(args)) {
		b.Keep = append(b.Keep, picked{Value: args[name], Text: name})
	}
	if !b.Custom && (f.Weeks != usualWeeks || f.asked) {
		b.Weeks = strconv.Itoa(f.Weeks)
	}
	for _, n := range presets {
		at.filter = Filter{Weeks: n, asked: n == usualWeeks && f.Weeks != n && !f.asked, Repo: f.Repo, Person: f.Person, Branch: f.Branch}
		b.Presets = append(b.Presets, option{strconv.Itoa(n), at.here(""), n == f.Weeks})
	}
	if len(f.query()) == 0 {
		b.Reset = ""
	}
	b.choose("repo", "Repository", "All repositories", f.Repo, texts(a.repos))
	if v.byPerson || f.Person != "" {
		b.choose("person", "Person", "Everybody", f.Person, a.choices(f.Person))
	}
	if v.byBranch || f.Branch != "" {
		b.choose("branch", "Branch", "All branches", f.Branch, texts(a.branches))
	}
	return b
}

// choose adds a select, unless there is nothing to choose from. What is chosen
// stays in it, even where no row has it.
func (b *bar) choose(name, title, all, chosen string, options []picked) {
	if chosen != "" && !slices.ContainsFunc(options, func(o picked) bool { return o.Value == chosen }) {
		options = append(options, picked{Value: chosen, Text: chosen})
	}
	if len(options) == 0 {
		return
	}
	for i := range options {
		options[i].Here = options[i].Value == chosen
	}
	b.Selects = append(b.Selects, choice{name, title, all, options, chosen == ""})
}

func texts(list []string) (out []picked) {
	for _, text := range list {
		out = append(out, picked{Value: text, Text: text})
	}
	return out
}

// choices are the people that can be chosen: members, the bots of CI as one, and the
// authors that only git knows. No two read the same.
func (a *ask) choices(chosen string) (out []picked) {
	members, bot, taken := []figures.Person{}, -1, map[string]bool{}
	for _, p := range a.people {
		switch {
		case p.Role != "ci":
			members = append(members, p)
		case bot < 0:
			bot = len(members)
			members = append(members, p)
		case p.ID.String() == chosen: // the one whose address was opened
			members[bot] = p
		}
	}
	slices.SortFunc(members, func(p, q figures.Person) int {
		return cmp.Or(cmp.Compare(a.names[p.ID], a.names[q.ID]), cmp.Compare(p.ID.String(), q.ID.String()))
	})
	for _, p := range members {
		taken[a.names[p.ID]] = true
		out = append(out, picked{Value: p.ID.String(), Text: a.names[p.ID]})
	}
	for _, name := range a.authors {
		one := picked{Value: name, Text: name}
		if taken[name] {
			one.Text += " (in git)"
		}
		out = append(out, one)
	}
	return out
}

// span writes days from the first to the last: 2 Mar – 24 May 2026.
func span(first, last time.Time) string {
	form := "2 Jan 2006"
	if first.Year() == last.Year() {
		form = "2 Jan"
	}
	return first.Format(form) + " – " + last.Format("2 Jan 2006")
}
