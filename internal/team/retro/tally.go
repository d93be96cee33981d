package retro

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// A tally adds up what belongs to one period. Commits come the newest first.
type tally struct {
	sum    share
	merges int
	pulls  map[int]bool
	people map[string]*share // people and agents
	bots   map[string]int
	agents map[string]int
	byDay  map[int]int
	files  map[string]int    // commits that changed it, by its name at the end
	now    map[string]string // a name that a file had → its name at the end
	tests  int               // commits that changed one
}

// A share is what one of them did, or all did.
type share struct {
	agent          bool
	emails         map[string]int
	commits, co    int
	added, deleted int
	testAdded      int
	feat, fix      int
	times          []int64
	days           days
	hours          [24]int
	assisted       int
	pulls          map[int]bool
	areas          map[string]int
}

func newTally() *tally {
	return &tally{
		sum: newShare(), people: map[string]*share{}, bots: map[string]int{}, agents: map[string]int{}, pulls: map[int]bool{},
		byDay: map[int]int{}, files: map[string]int{}, now: map[string]string{},
	}
}

func newShare() share {
	return share{days: days{}, emails: map[string]int{}, pulls: map[int]bool{}, areas: map[string]int{}}
}

func (t *tally) of(p *person) *share {
	s := t.people[p.name]
	if s == nil {
		made := newShare()
		made.agent = p.sort == agent
		s = &made
		t.people[p.name] = s
	}
	if p.email != "" && !s.agent {
		s.emails[p.email]++
	}
	return s
}

// commit adds a commit that happened on a day.
func (t *tally) commit(c *commit, day int) {
	if c.pull != nil {
		t.pulls[c.pull.number] = true
		if c.pull.author.sort != bot {
			t.of(c.pull.author).pulls[c.pull.number] = true
		}
	}
	if c.isMerge() {
		t.merges++
		return
	}
	if c.author.sort == bot {
		t.bots[c.author.name]++
		return
	}
	hour := int(((c.authored+int64(c.offset))%86400 + 86400) % 86400 / 3600)
	own := t.of(c.author)
	for _, s := range [...]*share{&t.sum, own} {
		s.commits++
		s.days[day] = true
		if c.kind == feat {
			s.feat++
		} else if c.kind == fix {
			s.fix++
		}
		if c.assisted() {
			s.assisted++
		}
		if c.author.sort == human {
			s.hours[hour]++
			s.times = append(s.times, c.authored)
		}
	}
	t.byDay[day]++
	for _, p := range append([]*person{c.author}, c.co...) {
		switch {
		case p.sort == agent:
			t.agents[p.name]++
		case p.sort == bot:
		case p != c.author:
			s := t.of(p)
			s.co++
			s.days[day] = true
		}
	}
}

// changed adds what a commit of a person or an agent changed.
func (t *tally) changed(c *commit, list []change) {
	own := t.of(c.author)
	tests := false
	for _, ch := range list {
		test := isTest(ch.path)
		tests = tests || test
		for _, s := range [...]*share{&t.sum, own} {
			s.added += ch.added
			s.deleted += ch.deleted
			if test {
				s.testAdded += ch.added
			}
		}
		name := t.nameNow(ch.path)
		if ch.was != "" {
			t.now[ch.was] = name
		}
		t.files[name]++
		own.areas[name]++
	}
	if tests {
		t.tests++
	}
}

// nameNow follows renames to the name that a file has at the end of the period.
func (t *tally) nameNow(name string) string {
	if to, ok := t.now[name]; ok {
		return to
	}
	return name
}

// mostHotspots is how many files a report names.
const mostHotspots = 20

func (t *tally) hotspots() []Hotspot {
	out := make([]Hotspot, 0, len(t.files))
	for path, n := range t.files {
		out = append(out, Hotspot{oneLine(path), n})
	}
	slices.SortFunc(out, func(a, b Hotspot) int { return cmp.Or(b.Changes-a.Changes, strings.Compare(a.Path, b.Path)) })
	return slices.Clone(out[:min(mostHotspots, len(out))])
}

// areasOf adds files up by directory: the top one, and one deeper where the top
// one says nothing because all is in it.
func areasOf(files map[string]int, below string) []Area {
	sums := map[string]int{}
	for name, n := range files {
		rest := strings.TrimPrefix(name, below)
		dir, deeper, nested := strings.Cut(rest, "/")
		if !nested {
			dir = "./"
		} else {
			dir += "/"
			if next, _, more := strings.Cut(deeper, "/"); more && isShelf(dir) {
				dir += next + "/"
			}
		}
		sums[oneLine(dir)] += n
	}
	out := make([]Area, 0, len(sums))
	for path, n := range sums {
		out = append(out, Area{path, n})
	}
	slices.SortFunc(out, func(a, b Area) int { return cmp.Or(b.Changes-a.Changes, strings.Compare(a.Path, b.Path)) })
	return slices.Clone(out[:min(3, len(out))])
}

// isShelf reports directories that hold everything and say nothing.
func isShelf(dir string) bool {
	switch dir {
	case "src/", "internal/", "lib/", "packages/", "apps/", "pkg/", "app/", "cmd/", "crates/", "services/":
		return true
	}
	return false
}

func ratio(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return rounded(float64(part)/float64(all), 1e4)
}

func rounded(x, to float64) float64 { return math.Round(x*to) / to }

// peak is the hour with the most commits, the first of equal ones.
func peak(hours [24]int) *int {
	best := 0
	for hour, n := range hours {
		if n > hours[best] {
			best = hour
		}
	}
	if hours[best] == 0 {
		return nil
	}
	return &best
}

func sortedNames(people map[string]*share) []string { return slices.Sorted(maps.Keys(people)) }
