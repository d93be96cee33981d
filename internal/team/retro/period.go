package retro

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A period is a number of days in a zone.
type period struct {
	from, to time.Time // [from, to)
	days     int
}

// endingWith is the period of days whose last day is the one that last is in.
func endingWith(last time.Time, days int, zone *time.Location) period {
	y, m, d := last.In(zone).Date()
	return period{from: time.Date(y, m, d-days+1, 0, 0, 0, 0, zone), to: time.Date(y, m, d+1, 0, 0, 0, 0, zone), days: days}
}

func (p period) last() time.Time {
	y, m, d := p.from.Date()
	return time.Date(y, m, d+p.days-1, 0, 0, 0, 0, p.from.Location())
}

func (p period) has(at int64) bool { return at >= p.from.Unix() && at < p.to.Unix() }

// mostDays is the longest period, a hundred years.
const mostDays = 36500

func checkDays(days int) error {
	if days < 1 || days > mostDays {
		return fmt.Errorf("a period must have 1 to %[2]d days, not %[1]d", days, mostDays)
	}
	return nil
}

// Weeks is [Weeks] of a history that was read.
func (h *History) Weeks(ctx context.Context, now time.Time, n int) ([]Report, error) {
	zone := h.o.zone()
	local := now.In(zone)
	sunday := local.AddDate(0, 0, (7-int(local.Weekday()))%7)
	newest := endingWith(sunday, 7, zone)
	found := map[int]bool{} // weeks before the newest
	for i := range h.commits {
		if at := h.commits[i].at; at < newest.to.Unix() {
			back := (dayOf(newest.from.Unix(), zone) - dayOf(at, zone) + 6) / 7
			if n == 0 || back < n {
				found[max(back, 0)] = true
			}
		}
	}
	var periods []period
	for back := range found {
		y, m, d := newest.last().Date()
		if p := endingWith(time.Date(y, m, d-7*back, 0, 0, 0, 0, zone), 7, zone); !h.lacks(p) {
			periods = append(periods, p)
		}
	}
	slices.SortFunc(periods, func(a, b period) int { return a.from.Compare(b.from) })
	return h.measure(ctx, periods)
}

// lacks reports that a shallow clone may not have all of a period.
func (h *History) lacks(p period) bool {
	for i := range h.commits {
		if c := &h.commits[i]; c.cut && c.at >= p.from.Unix() {
			return true
		}
	}
	return false
}

// measure fills periods, which do not overlap and are in order, in one pass.
func (h *History) measure(ctx context.Context, periods []period) ([]Report, error) {
	tallies := make([]*tally, len(periods))
	for i := range tallies {
		tallies[i] = newTally()
	}
	find := func(at int64) int {
		i, _ := slices.BinarySearchFunc(periods, at, func(p period, at int64) int {
			if p.to.Unix() <= at {
				return -1
			}
			return 1
		})
		if i < len(periods) && periods[i].has(at) {
			return i
		}
		return -1
	}
	touched, err := h.touching(ctx, find)
	if err != nil {
		return nil, err
	}
	all, own := days{}, map[string]days{} // for streaks: the days before a period, too
	zone := h.o.zone()
	var wanted []request
	for i := range h.commits {
		c := &h.commits[i]
		day := dayOf(c.at, zone)
		if c.counts() {
			all[day] = true
			for _, p := range append([]*person{c.author}, c.co...) {
				if own[p.name] == nil {
					own[p.name] = days{}
				}
				own[p.name][day] = true
			}
		}
		at := find(c.at)
		if at < 0 || touched != nil && c.isMerge() && !touched[c] {
			continue
		}
		tallies[at].commit(c, day)
		if c.counts() && !c.cut {
			wanted = append(wanted, request{commit: c})
		}
	}
	err = h.changes(ctx, wanted, func(c *commit, list []change) { tallies[find(c.at)].changed(c, list) })
	if err != nil {
		return nil, err
	}
	reports := make([]Report, len(periods))
	for i, p := range periods {
		r := tallies[i].report(p)
		last := dayOf(p.last().Unix(), zone)
		r.StreakDays = all.streak(last)
		for name, a := range r.Authors {
			a.StreakDays = own[name].streak(last)
			r.Authors[name] = a
		}
		r.OccurredAt = h.known(p)
		if r.VersionRange, err = h.versionRange(ctx, p); err != nil {
			return nil, err
		}
		r.Shallow = h.lacks(p)
		r.Metrics.Path = oneLine(h.o.Path)
		if zone.String() != "UTC" {
			r.Metrics.Timezone = zone.String()
		}
		r.Tweetable = headline(&r)
		reports[i] = r
	}
	return reports, nil
}

// touching returns, where only a directory counts, the merges that brought
// changes to it; nil where all counts.
func (h *History) touching(ctx context.Context, find func(int64) int) (map[*commit]bool, error) {
	if h.o.Path == "" {
		return nil, nil
	}
	var merges []request
	for i := range h.commits {
		if c := &h.commits[i]; c.isMerge() && find(c.at) >= 0 {
			merges = append(merges, request{commit: c, merge: true})
		}
	}
	touched := map[*commit]bool{}
	err := h.changes(ctx, merges, func(c *commit, list []change) { touched[c] = len(list) > 0 })
	return touched, err
}

// known is the time up to which a period is known: its end once something newer
// is there, else the newest commit in it. Of two reports on a period the later one
// knows more, and nobody's clock decides.
func (h *History) known(p period) time.Time {
	if h.newest >= p.to.Unix() {
		return p.to.Add(-time.Second).UTC()
	}
	last := p.from.Unix()
	for i := range h.commits {
		if at := h.commits[i].at; p.has(at) {
			last = max(last, at)
		}
	}
	return time.Unix(last, 0).UTC()
}

// report makes a report of a tally, without what its history tells.
func (t *tally) report(p period) Report {
	r := Report{Date: p.last().Format(time.DateOnly), Period: strconv.Itoa(p.days) + "d", From: p.from, To: p.to, Authors: map[string]Author{}}
	var sessions sessions
	for _, name := range sortedNames(t.people) {
		s := t.people[name]
		own := sessionsOf(s.times)
		sessions.add(own)
		a := Author{
			Agent: s.agent, Commits: s.commits, CoAuthored: s.co, Insertions: s.added, Deletions: s.deleted, TestLOC: s.testAdded,
			TestRatio: ratio(s.testAdded, s.added), ActiveDays: len(s.days), Sessions: own.count, DeepSessions: own.deep,
			AvgSessionMinutes: own.minutes(), PeakHour: peak(s.hours), AIAssistedCommits: s.assisted, PRsMerged: len(s.pulls),
			TopAreas: areasOf(s.areas, ""), Email: most(s.emails),
		}
		if len(a.TopAreas) > 0 {
			a.TopArea = a.TopAreas[0].Path
		}
		r.Authors[name] = a
		if !s.agent && s.commits+s.co > 0 {
			r.Metrics.Contributors++
		}
	}
	m := &r.Metrics
	m.Commits, m.PRsMerged, m.Merges = t.sum.commits, len(t.pulls), t.merges
	m.Insertions, m.Deletions, m.NetLOC = t.sum.added, t.sum.deleted, t.sum.added-t.sum.deleted
	m.TestLOC, m.TestRatio, m.Files = t.sum.testAdded, ratio(t.sum.testAdded, t.sum.added), len(t.files)
	m.ActiveDays, m.Sessions, m.DeepSessions, m.AvgSessionMinutes = len(t.sum.days), sessions.count, sessions.deep, sessions.minutes()
	if sessions.total > 0 {
		perHour := rounded(float64(m.Insertions)/sessions.total.Hours(), 1)
		m.LOCPerSessionHour = &perHour
	}
	m.PeakHour, m.Hours = peak(t.sum.hours), t.sum.hours[:]
	m.FeatPct, m.FixPct = ratio(t.sum.feat, m.Commits), ratio(t.sum.fix, m.Commits)
	m.AIAssistedCommits, m.Agents, m.Bots = t.sum.assisted, t.agents, t.bots
	for _, n := range t.bots {
		m.BotCommits += n
	}
	m.Days = make([]int, p.days)
	first := dayOf(p.from.Unix(), p.from.Location())
	for day, n := range t.byDay {
		if i := day - first; i >= 0 && i < len(m.Days) {
			m.Days[i] = n
		}
	}
	m.Hotspots = t.hotspots()
	for name := range t.files {
		if isTest(name) {
			r.TestHealth.FilesChanged++
		}
	}
	r.TestHealth.Commits = t.tests
	return r
}

// most is the name that was counted most, the first of equal ones.
func most(counts map[string]int) string {
	best := ""
	for name, n := range counts {
		if best == "" || n > counts[best] || n == counts[best] && name < best {
			best = name
		}
	}
	return best
}
