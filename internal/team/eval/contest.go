package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

// By is what is set against each other in a contest.
type By string

const (
	ByModel   By = "model"
	ByVariant By = "variant" // a prompt, a provider, as the results say
	ByLabel   By = "label"
)

// A Contest is one suite that several models, variants or labels were tried
// on, each with its newest code.
type Contest struct {
	Repo      string `json:"repo,omitzero"`
	Suite     string `json:"suite"`
	Kind      string `json:"kind,omitzero"`
	JudgeTier string `json:"judge_tier,omitzero"`

	Contestants []Contestant `json:"contestants"` // the best first
	Duels       []Duel       `json:"duels"`       // every two of them

	// SmallestDifference is the difference in pass rate below which so few
	// shared cases cannot show any, 0..1; absent where they show nothing at all.
	SmallestDifference *float64 `json:"smallest_difference,omitempty"`
	SharedCases        int      `json:"git_shared_cases"`   // judged of all of them
	LeftOut            []string `json:"left_out,omitempty"` // contestants beyond MostContestants
}

// MostContestants bounds a contest: its duels grow with the square. The newest
// are taken.
const MostContestants = 20

// A Contestant is one model.
type Contestant struct {
	Name        string        `json:"name"`
	Group       string        `json:"group"` // letters: two that share one cannot be told apart
	Rate        Rate          `json:"pass_rate"`
	Counts      result.Counts `json:"counts"`
	Scores      []Score       `json:"scores,omitempty"`
	CostUSD     float64       `json:"cost_usd,omitzero"`
	CostPerPass *float64      `json:"cost_per_pass,omitempty"`
	Runs        []string      `json:"runs"` // ids
	Commit      string        `json:"git_sha,omitzero"`

	code    string // runs of the same code are repeats
	tallies []*Tally
	at      map[string]*Tally // by key
}

// A Duel is two contestants on the cases that both were judged on.
type Duel struct {
	A string `json:"a"`
	B string `json:"b"`
	Pairing
	Adjusted float64 `json:"p_holm"` // by Holm, for all duels of the report
}

// Real reports whether the two can be told apart.
func (d *Duel) Real() bool { return d.Adjusted < Alpha }

// Contests reads the newest runs runs (0: all) of one suite, or of each for "",
// among entries, which are the newest first, and sets what they tried against
// each other. A suite in which there is one only is left out.
func (s *Store) Contests(entries []Entry, suite string, by By, runs int) []Contest {
	var all []Contest
	load := s.loader()
	for _, m := range seriesOf(entries, suite, runs) {
		c := Contest{Repo: m.repo, Suite: m.suite, Kind: m.kind, JudgeTier: m.tier}
		for _, e := range m.entries {
			if run, err := load(e); err == nil {
				c.add(e, run, by)
			}
		}
		if c.settle(); len(c.Contestants) > 1 {
			all = append(all, c)
		}
	}
	judgeDuels(all)
	return all
}

// add gives a run's results to the contestants. Of each only the newest code
// counts, with all its repeats.
func (c *Contest) add(e Entry, run *result.Run, by By) {
	code := "commit " + e.SHA + " " + e.PromptSHA
	if e.SHA == "" || e.Dirty {
		code = "run " + e.ID
	}
	for i := range run.Results {
		r := &run.Results[i]
		name := contestantOf(run, r, by)
		if suite := cmp.Or(r.Suite, run.Suite); suite != c.Suite || name == "" {
			continue
		}
		at := slices.IndexFunc(c.Contestants, func(c Contestant) bool { return c.Name == name })
		if at < 0 && len(c.Contestants) == MostContestants {
			if !slices.Contains(c.LeftOut, name) {
				c.LeftOut = append(c.LeftOut, name)
			}
			continue
		}
		if at < 0 {
			at = len(c.Contestants)
			c.Contestants = append(c.Contestants, Contestant{Name: name, code: code, Commit: e.SHA, at: map[string]*Tally{}})
		}
		one := &c.Contestants[at]
		if one.code != code {
			continue
		}
		if !slices.Contains(one.Runs, e.ID) {
			one.Runs = append(one.Runs, e.ID)
		}
		one.add(contestKey(run, r, by), r)
	}
}

func contestantOf(run *result.Run, r *result.Result, by By) string {
	switch by {
	case ByLabel:
		return run.Label
	case ByVariant:
		return r.Variant
	}
	if len(run.Costs) == 1 {
		return cmp.Or(r.Model, run.Costs[0].Model)
	}
	return r.Model
}

// contestKey is a case without what tells the contestants apart.
func contestKey(run *result.Run, r *result.Result, by By) string {
	if by == ByLabel || r.Variant == "" {
		return run.Key(r)
	}
	same := *r
	same.Variant, same.CaseID = "", "" // both may name the model
	return run.Key(&same)
}

func (c *Contestant) add(key string, r *result.Result) {
	t := c.at[key]
	if t == nil {
		t = &Tally{Key: key, Title: r.Name}
		c.at[key] = t
		c.tallies = append(c.tallies, t)
	}
	t.Counts.Count(r.Status)
	t.CostUSD += r.CostUSD
	t.Results = append(t.Results, r)
}

// settle ranks the contestants and sets every two against each other.
func (c *Contest) settle() {
	for i := range c.Contestants {
		one := &c.Contestants[i]
		one.Counts, one.Scores = Total(one.tallies), Scores(one.tallies)
		one.Rate, _ = RateOf(one.tallies)
		for _, t := range one.tallies {
			one.CostUSD += t.CostUSD
		}
		if one.CostUSD > 0 && one.Counts.Passed > 0 {
			per := one.CostUSD / float64(one.Counts.Passed)
			one.CostPerPass = &per
		}
	}
	c.Contestants = slices.DeleteFunc(c.Contestants, func(one Contestant) bool { return one.Rate.Cases == 0 })
	slices.SortStableFunc(c.Contestants, func(a, b Contestant) int {
		return cmp.Or(cmp.Compare(b.Rate.Mean, a.Rate.Mean), cmp.Compare(b.Rate.Cases, a.Rate.Cases), strings.Compare(a.Name, b.Name))
	})
	judged := map[string]int{}
	for i, a := range c.Contestants {
		for _, t := range a.tallies {
			if t.Counts.Judged() > 0 {
				judged[t.Key]++
			}
		}
		for _, b := range c.Contestants[i+1:] {
			c.Duels = append(c.Duels, Duel{A: a.Name, B: b.Name, Pairing: Pair(b.tallies, a.tallies)})
		}
	}
	for _, n := range judged {
		if n == len(c.Contestants) {
			c.SharedCases++
		}
	}
	if drop, ok := stats.SmallestSignificantDrop(c.SharedCases, Alpha); ok {
		c.SmallestDifference = &drop
	}
}

// judgeDuels adjusts the p-values of all duels and groups what cannot be told
// apart.
func judgeDuels(all []Contest) {
	var p []float64
	for _, c := range all {
		for _, d := range c.Duels {
			p = append(p, d.P)
		}
	}
	adjusted := stats.Holm(p)
	for i := range all {
		c := &all[i]
		var real [][2]int
		for k := range c.Duels {
			d := &c.Duels[k]
			d.Adjusted, adjusted = adjusted[0], adjusted[1:]
			if d.Real() {
				real = append(real, [2]int{c.index(d.A), c.index(d.B)})
			}
		}
		for k, group := range groups(len(c.Contestants), real) {
			c.Contestants[k].Group = group
		}
	}
}

func (c *Contest) index(name string) int {
	return slices.IndexFunc(c.Contestants, func(one Contestant) bool { return one.Name == name })
}

// groups gives n things letters so that two share one exactly where they are
// no pair of differ: a compact letter display, by the insert-and-absorb method
// of Piepho, Journal of Computational and Graphical Statistics 13 (2004).
func groups(n int, differ [][2]int) []string {
	columns := [][]bool{slices.Repeat([]bool{true}, n)}
	for _, pair := range differ {
		var next [][]bool
		for _, column := range columns {
			if !column[pair[0]] || !column[pair[1]] {
				next = append(next, column)
				continue
			}
			for _, out := range pair { // the column without the one, and without the other
				split := slices.Clone(column)
				split[out] = false
				next = append(next, split)
			}
		}
		columns = absorb(next)
	}
	slices.SortFunc(columns, func(a, b []bool) int {
		for i := range a {
			switch {
			case a[i] && !b[i]:
				return -1
			case b[i] && !a[i]:
				return 1
			}
		}
		return 0
	})
	letters := make([]string, n)
	for i := range letters {
		for k, column := range columns {
			if column[i] {
				letters[i] += letter(k)
			}
		}
	}
	return letters
}

// absorb leaves out columns that another holds whole.
func absorb(columns [][]bool) (kept [][]bool) {
	for i, a := range columns {
		held := false
		for k, b := range columns {
			held = held || k != i && within(a, b) && (k < i || !within(b, a))
		}
		if !held {
			kept = append(kept, a)
		}
	}
	return kept
}

func within(a, b []bool) bool {
	for i := range a {
		if a[i] && !b[i] {
			return false
		}
	}
	return true
}

func letter(k int) string {
	if k < 26 {
		return string(rune('a' + k))
	}
	return strings.TrimSpace(fmt.Sprintf("(%d)", k+1))
}
