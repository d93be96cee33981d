package eval

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/result"
)

// tried is a run of day n in which models went as their signs say.
func tried(n int, models map[string]string) *result.Run {
	run := runOf(n, "s", "")
	names := []string{}
	for name := range models {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, model := range names {
		for i, r := range runOf(n, "s", models[model]).Results {
			r.Model, r.Variant, r.CaseID = model, model+" · prompt", fmt.Sprintf("%s-%d", model, i)
			run.Results = append(run.Results, r)
		}
	}
	run.Derive()
	return run
}

func TestContests(t *testing.T) {
	good, bad := strings.Repeat("✓", 20), strings.Repeat("✓", 8)+strings.Repeat("✗", 12)
	s, entries := storeOf(t,
		tried(0, map[string]string{"old": good, "bad": good}), // bad was tried again since
		tried(7, map[string]string{"good": good, "bad": bad, "fair": strings.Repeat("✓", 18) + "✗✗", "absent": "!!"}),
		tried(13, map[string]string{"good": "✗"}), // the same commit as day 7: repeats
	)
	contests := s.Contests(entries, "", ByModel, 0)
	if len(contests) != 1 {
		t.Fatalf("%+v", contests)
	}
	c := contests[0]
	got := ""
	for _, one := range c.Contestants {
		got += fmt.Sprintf("%s %.3f %s %d; ", one.Name, one.Rate.Mean, one.Group, len(one.Runs))
	}
	if want := "old 1.000 a 1; good 0.975 a 2; fair 0.900 a 1; bad 0.400 b 1; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if c.SharedCases != 20 || c.SmallestDifference == nil || *c.SmallestDifference != 0.3 {
		t.Errorf("%d shared, %v", c.SharedCases, c.SmallestDifference)
	}
	for _, d := range c.Duels {
		if d.Cases != 20 || d.Adjusted < d.P || d.Real() != (d.B == "bad") {
			t.Errorf("%+v", d)
		}
	}
	// One attempt each is compared with one attempt: of good the first.
	if d := c.Duels[0]; d.A != "old" || d.B != "good" || d.Better != 1 || d.Worse != 0 {
		t.Errorf("repeats: %+v", d)
	}
	if per := c.Contestants[3].CostPerPass; per == nil || *per < 0.0249 || *per > 0.0251 {
		t.Errorf("20 cents for 8 passes: %v", per)
	}
	if got := s.Contests(entries[:1], "", ByModel, 0); len(got) != 0 {
		t.Errorf("a contest of one: %+v", got)
	}
	if got := s.Contests(entries, "", ByVariant, 1); len(got) != 0 {
		t.Errorf("the newest run has one variant: %+v", got)
	}
}

func TestContestByLabel(t *testing.T) {
	a, b := runOf(0, "s", "✓✓✗"), runOf(1, "s", "✓✗✗")
	b.Label = "other"
	s, entries := storeOf(t, a, b)
	c := s.Contests(entries, "", ByLabel, 0)
	if len(c) != 1 || c[0].Contestants[0].Name != "main" || c[0].SharedCases != 3 || c[0].SmallestDifference != nil {
		t.Errorf("%+v", c)
	}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		n      int
		differ string // pairs
		want   string
	}{
		{1, "", "a"},
		{3, "", "a a a"},
		{3, "01 02 12", "a b c"},
		{3, "02", "a ab b"},
		{4, "02 03 13", "a ab bc c"},
		{4, "01", "a b ab ab"},
		{4, "01 23", "ab cd ac bd"},
	} {
		var pairs [][2]int
		for _, p := range strings.Fields(c.differ) {
			pairs = append(pairs, [2]int{int(p[0] - '0'), int(p[1] - '0')})
		}
		got := groups(c.n, pairs)
		if strings.Join(got, " ") != c.want && c.differ != "01 23" {
			t.Errorf("%d, %s: %q, want %s", c.n, c.differ, got, c.want)
		}
		for i := range c.n {
			for k := i + 1; k < c.n; k++ {
				if share := strings.ContainsAny(got[i], got[k]); share == slices.Contains(pairs, [2]int{i, k}) {
					t.Errorf("%d, %s: %q is wrong of %d and %d", c.n, c.differ, got, i, k)
				}
			}
		}
	}
}

func TestPair(t *testing.T) {
	p := Pair(Tallies(runOf(0, "s", "✓✓✗✗~~!✓")), Tallies(runOf(1, "s", "✓✗✓✗✗✓✓–")))
	// Of the cases with two attempts only the first counts, which failed.
	if p.Cases != 6 || p.Better != 2 || p.Worse != 1 || p.P != 1 {
		t.Errorf("%+v", p)
	}
}

func TestLeaders(t *testing.T) {
	good, bad := strings.Repeat("✓", 12), strings.Repeat("✗", 12)
	runs := []*result.Run{
		runOf(0, "s", bad), runOf(1, "s", good), runOf(2, "s", bad), // a b c
		runOf(3, "t", good), runOf(4, "t", good), // d e
		runOf(8, "s", good), // c again: a repeat, and no step
	}
	dirty := runOf(5, "s", good)
	dirty.GitDirty = true
	s, entries := storeOf(t, append(runs, dirty)...)
	author := func(commit string) string {
		return map[string]string{sha("b"): "Ada", sha("c"): "Bob", sha("d"): "Cy", sha("e"): "Cy", sha("f"): "Cy"}[commit]
	}
	all := s.Leaders(entries, "", day0.Add(-time.Hour), author, time.UTC)
	got := ""
	for _, p := range all.People {
		got += fmt.Sprintf("%s +%d −%d %v %d %d; ", p.Name, len(p.Better), len(p.Worse), p.Green, p.Runs, p.Streak)
	}
	if want := "Ada +1 −0 [s] 1 1; Cy +0 −0 [t] 2 2; Bob +0 −1 [] 2 1; "; got != want || all.Nobody != 2 || all.Steps != 3 {
		t.Errorf("got %s %d %d\nwant %s", got, all.Nobody, all.Steps, want)
	}
	other := runOf(9, "s", bad) // d
	other.Label = "another-model"
	s2, more := storeOf(t, append(runs, dirty, other)...)
	if got := s2.Leaders(more, "", day0.Add(-time.Hour), author, time.UTC); got.Steps != all.Steps {
		t.Errorf("a run with another label is a step: %+v", got)
	}
	// A step needs the run before, also when that is too old to count itself.
	if all := s.Leaders(entries, "", day0.AddDate(0, 0, 1), author, time.UTC); len(all.People) != 3 || len(all.People[0].Better) != 1 || all.Nobody != 1 {
		t.Errorf("%+v", all)
	}
	if all := s.Leaders(entries, "", day0.AddDate(1, 0, 0), author, time.UTC); len(all.People) != 0 || all.Steps != 0 {
		t.Errorf("%+v", all)
	}
}

func TestStreak(t *testing.T) {
	for days, want := range map[string]int{"": 0, "1": 1, "1 1 1": 1, "1 2 3": 3, "5 1 2 9 10 11": 3, "1 3 5": 1} {
		var times []time.Time
		for _, d := range strings.Fields(days) {
			var n int
			fmt.Sscan(d, &n)
			times = append(times, day0.AddDate(0, 0, n))
		}
		if got := streak(times); got != want {
			t.Errorf("%s: %d, want %d", days, got, want)
		}
	}
}

// A run of several suites tells of the one that is asked for only.
func TestOneSuiteOfARunOfSeveral(t *testing.T) {
	mixed := func(n int, signs string) *result.Run {
		run := tried(n, map[string]string{"a": signs, "b": "✗✗✗✗"})
		for i := range run.Results {
			run.Results[i].Suite = []string{"s", "t"}[i%2]
		}
		return run
	}
	s, entries := storeOf(t, mixed(0, "✓✓✓✓"), mixed(1, "✗✗✗✗"))
	if got := s.Contests(entries, "t", ByModel, 0); len(got) != 1 || got[0].Suite != "t" || got[0].SharedCases != 2 {
		t.Errorf("%+v", got)
	}
	if got, _ := s.Baselines(entries, "t", day0.AddDate(1, 0, 0), 0); len(got) != 1 || got[0].Suite != "t" || got[0].Tiers[0].Counts.Total != 4 {
		t.Errorf("%+v", got)
	}
	ada := func(string) string { return "Ada" }
	if got := s.Leaders(entries, "t", day0, ada, time.UTC); got.Steps != 1 {
		t.Errorf("%+v", got)
	}
	if got := s.Leaders(entries, "", day0, ada, time.UTC); got.Steps != 2 {
		t.Errorf("%+v", got)
	}
}
