package eval

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

// runOf is a run of day n whose cases went as the signs say: ✓ ✗ ! –, and ~
// for two attempts, one of which failed.
func runOf(n int, suite, signs string) *result.Run {
	run := &result.Run{SchemaVersion: 1, Suite: suite, Label: "main", GitBranch: "main", GitSHA: sha(string(rune('a' + n%6))), Timestamp: result.Time{Time: day0.AddDate(0, 0, n)}, Results: []result.Result{}}
	status := map[rune][]result.Status{'✓': {result.Pass}, '✗': {result.Fail}, '!': {result.Error}, '–': {result.Skip}, '~': {result.Fail, result.Pass}}
	i := 0
	for _, sign := range signs {
		for try, s := range status[sign] {
			r := result.Result{Name: fmt.Sprintf("case %d", i), Attempt: try + 1, CostUSD: 0.01}
			r.Set(s)
			run.Results = append(run.Results, r)
		}
		i++
	}
	run.Derive()
	return run
}

func storeOf(t *testing.T, runs ...*result.Run) (*Store, []Entry) {
	t.Helper()
	s := Open(t.TempDir())
	for _, run := range runs {
		if _, _, err := s.Put(run); err != nil {
			t.Fatal(err)
		}
	}
	entries, broken, err := s.List()
	if err != nil || len(broken) > 0 {
		t.Fatal(broken, err)
	}
	return s, entries
}

func TestTrend(t *testing.T) {
	mixed := runOf(4, "s", "✓✓✓")
	mixed.Results[2].Suite = "t"
	full := runOf(5, "s", "✗✗✗")
	full.JudgeTier = "full"
	s, entries := storeOf(t, runOf(0, "s", "✓✓✗"), runOf(1, "s", "✓~✗"), runOf(2, "s", "✗!✗"), runOf(3, "s", "✗✓"), mixed, full)
	got := ""
	trend := s.Trend(entries, TrendOptions{Runs: 4})
	for _, s := range trend {
		got += s.Suite + s.JudgeTier
		for _, p := range s.Points {
			got += fmt.Sprintf(" %d:%.2f", p.Time.Day(), p.Rate.Mean)
		}
		got += "; "
	}
	if want := "s 2:0.50 3:0.00 4:0.50 5:1.00; sfull 6:0.00; t 5:1.00; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	marks := ""
	for _, l := range trend[0].Cases {
		marks += fmt.Sprintf("%s %q %.2f %d %d; ", l.Title, strings.Join(l.Marks, "."), l.Share, l.Flips, l.Since)
	}
	if want := `case 2 "✗.✗.." 0.00 0 0; case 0 "✓.✗.✗.✓" 0.50 2 -1; case 1 "~.!.✓.✓" 0.83 1 -1; `; marks != want {
		t.Errorf("got  %s\nwant %s", marks, want)
	}
	l := Line{Marks: []string{"✗", "~", "✗", "!", "✗"}, Since: -1}
	if l.settle(); l.Since != 2 || l.Flips != 2 || l.Last() != "✗" {
		t.Errorf("%+v", l)
	}
	if l := (Line{Marks: []string{"✗", "~", "–", ""}, Since: -1}); l.Last() != "~" {
		t.Errorf("%q", l.Last())
	} else if l.settle(); l.Since != -1 {
		t.Errorf("it does not fail now: %+v", l)
	}
	if f := trend[0].FlakeRate; f == nil || *f != 1 || trend[0].Repeated != 1 {
		t.Errorf("flake rate %v of %d", f, trend[0].Repeated)
	}
	if cost := trend[0].Points[0].CostUSD; cost < 0.0399 || cost > 0.0401 {
		t.Errorf("cost %v", cost)
	}
	if got := s.Trend(entries, TrendOptions{Suite: "t"}); len(got) != 1 || got[0].Suite != "t" {
		t.Errorf("one suite: %+v", got)
	}
	if got := s.Trend(nil, TrendOptions{}); len(got) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// Two runs of one commit are repeats, with changes they are not.
func TestFlakeRateAcrossRuns(t *testing.T) {
	a, b := runOf(0, "s", "✓✓✗"), runOf(1, "s", "✓✗✗")
	b.GitSHA = a.GitSHA
	s, entries := storeOf(t, a, b)
	if got := s.Trend(entries, TrendOptions{})[0]; got.FlakeRate == nil || got.Repeated != 3 || *got.FlakeRate < 0.33 || *got.FlakeRate > 0.34 {
		t.Errorf("%v of %d", got.FlakeRate, got.Repeated)
	}
	b.Label = "another-model"
	s, entries = storeOf(t, a, b)
	if got := s.Trend(entries, TrendOptions{})[0]; got.FlakeRate != nil {
		t.Errorf("another label: %v", *got.FlakeRate)
	}
	b.Label, b.GitDirty = a.Label, true
	s, entries = storeOf(t, a, b)
	if got := s.Trend(entries, TrendOptions{})[0]; got.FlakeRate != nil {
		t.Errorf("uncommitted changes: %v", *got.FlakeRate)
	}
}

// A drop is named with its commit and the cases that make it.
func TestChange(t *testing.T) {
	var runs []*result.Run
	for i, signs := range []string{"✓✓✓✓✓✓✓✓✓✓✓✓", "✓✓✓✓✓✓✓✓✓✓✓✓", "✗✗✗✗✗✗✗✗✓✓!–"} {
		runs = append(runs, runOf(i, "s", signs))
	}
	s, entries := storeOf(t, runs...)
	got := s.Trend(entries, TrendOptions{})[0]
	c := got.Change
	if c == nil || c.At != 2 || c.Window != 1 || c.Cases != 10 || !(c.P > 2*2./256 && c.P < .022) || c.SHA != runs[2].GitSHA || !c.Time.Equal(runs[2].Timestamp.Time) || c.Regressed != 8 || c.Fixed != 0 {
		t.Fatalf("%+v", c)
	}
	if len(got.Changes) != 1 || len(c.Moved) != 8 || c.Moved[7] != (Moved{"case 7", 1, 0}) {
		t.Errorf("%+v", got.Changes)
	}
	if got := s.Trend(entries[1:], TrendOptions{})[0]; got.Change != nil {
		t.Errorf("nothing changed: %+v", got.Change)
	}
}

// A suite's name that has a number is where a reader looks for it.
func TestTrendOrder(t *testing.T) {
	run := runOf(0, "s", "✗✗✗✗✗✗✗✗✗✗✗✗")
	run.Results[10].Suite, run.Results[9].Suite, run.Results[2].Suite = "s 10", "s 9", "s 2"
	s, entries := storeOf(t, run)
	got := ""
	for _, one := range s.Trend(entries, TrendOptions{}) {
		got += one.Suite + ":"
		for _, l := range one.Cases {
			got += " " + strings.TrimPrefix(l.Title, "case ")
		}
		got += "; "
	}
	if want := "s: 0 1 3 4 5 6 7 8 11; s 2: 2; s 9: 9; s 10: 10; "; got != want {
		t.Errorf("%s", got)
	}
}

// A run is read once, however many suites it has.
func TestTrendReadsOnce(t *testing.T) {
	of := func(suites int) float64 {
		var runs []*result.Run
		for day := range 2 {
			run := runOf(day, "s", strings.Repeat("✓", 2000))
			for i := range run.Results {
				run.Results[i].Suite = fmt.Sprint("s", i%suites)
			}
			runs = append(runs, run)
		}
		s, entries := storeOf(t, runs...)
		return testing.AllocsPerRun(2, func() { s.Trend(entries, TrendOptions{}) })
	}
	if one, forty := of(1), of(40); forty > 1.5*one {
		t.Errorf("%.0f allocations for one suite, %.0f for forty", one, forty)
	}
}

func TestTallies(t *testing.T) {
	scores := func(v, w float64, scale result.Scale, s result.Status) result.Result {
		r := result.Result{Name: "x", JudgeScores: map[string]float64{"clarity": v}, Score: &w, Scale: scale}
		r.Set(s)
		return r
	}
	run := &result.Run{Results: []result.Result{scores(4, 3, "1-5", result.Pass), scores(2, 1, "1-5", result.Fail), scores(9, 9, "1-5", result.Error)}}
	other := scores(0.5, 0.25, "", result.Pass)
	other.Name = "y"
	run.Results = append(run.Results, other)
	tallies := Tallies(run)
	if len(tallies) != 2 || tallies[0].Mark() != "~" || tallies[1].Mark() != "✓" || !tallies[0].Flaky() {
		t.Fatalf("%+v", tallies)
	}
	rate, ok := RateOf(tallies)
	if !ok || rate.Cases != 2 || rate.Mean != 0.75 || !(rate.Lo > 0.09 && rate.Lo < rate.Mean && rate.Hi <= 1 && rate.Hi > rate.Mean) {
		t.Errorf("%+v", rate)
	}
	got := ""
	for _, s := range Scores(tallies) {
		got += fmt.Sprintf("%q %s %d %g; ", s.Criterion, s.Scale, s.Cases, s.Mean)
	}
	if want := `"" 0-1 1 0.25; "" 1-5 1 2; "clarity" 0-1 1 0.5; "clarity" 1-5 1 3; `; got != want {
		t.Errorf("scales are mixed: %s", got)
	}
	if _, ok := RateOf(nil); ok {
		t.Error("a rate of nothing")
	}
}
