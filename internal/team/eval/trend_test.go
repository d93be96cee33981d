package eval

import (
	"fmt"
	"math/rand/v2"
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

// simulate makes n runs of cases that pass with probability p, and q from run
// at on.
func simulate(rnd *rand.Rand, n, cases, at int, p, q float64) []Point {
	points := make([]Point, n)
	for i := range points {
		rate := p
		if i >= at {
			rate = q
		}
		signs := strings.Builder{}
		for range cases {
			if rnd.Float64() < rate {
				signs.WriteRune('✓')
			} else {
				signs.WriteRune('✗')
			}
		}
		run := runOf(i, "s", signs.String())
		points[i] = pointOf(EntryOf(run), run, "s")
	}
	return points
}

func TestChange(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	const times = 400
	for _, c := range []struct{ runs, cases int }{{20, 30}, {20, 6}, {5, 100}, {2, 40}} {
		noise := 0
		for range times {
			series := []Series{{Change: changeOf(simulate(rnd, c.runs, c.cases, 0, 0.8, 0.8))}}
			if judgeChanges(series); series[0].Change != nil {
				noise++
			}
		}
		if noise > times/20 {
			t.Errorf("%d runs of %d cases: noise is called a change %d times in %d", c.runs, c.cases, noise, times)
		}
	}
	found, right := 0, 0
	for range 100 {
		series := []Series{{Change: changeOf(simulate(rnd, 20, 50, 14, 0.9, 0.6))}}
		if judgeChanges(series); series[0].Change != nil {
			found++
			if series[0].Change.At == 14 && series[0].Change.After < series[0].Change.Before {
				right++
			}
		}
	}
	if found < 95 || right < 90 {
		t.Errorf("a drop of 30 points is found %d times in 100, at the right run %d times", found, right)
	}
}

// The newest run alone can be the change, six cases lost of six at least.
func TestChangeWithTheNewestRun(t *testing.T) {
	var points []Point
	for i, signs := range []string{"✓✓✓✓✓✓✓✓✓✓✓✓", "✓✓✓✓✓✓✓✓✓✓✓✓", "✗✗✗✗✗✗✗✗✓✓!–"} {
		run := runOf(i, "s", signs)
		points = append(points, pointOf(EntryOf(run), run, "s"))
	}
	c := changeOf(points)
	if c == nil || c.At != 2 || c.Window != 1 || c.Cases != 10 || c.P != 2*2./256 {
		t.Errorf("%+v", c)
	}
	// A case that was not judged everywhere: the runs next to the change count.
	near := []Point{}
	for i, signs := range []string{"✗✓", "✓✓", "✗✗", "!✗"} {
		run := runOf(i, "s", signs)
		near = append(near, pointOf(EntryOf(run), run, "s"))
	}
	if c := changeOf(near); c == nil || c.At != 2 || c.Before != 1 || c.After != 0 {
		t.Errorf("%+v", c)
	}
	if c := changeOf(points[:2]); c != nil {
		t.Errorf("nothing changed: %+v", c)
	}
	if c := changeOf(points[:1]); c != nil {
		t.Errorf("one run: %+v", c)
	}
	// Two such series are held to more than one.
	two := []Series{{Change: changeOf(points)}, {Change: &Change{P: 0.04}}, {}}
	if judgeChanges(two); two[0].Change == nil || two[0].Change.P != 4*2./256 || two[1].Change == nil {
		t.Errorf("%+v", two)
	}
	two = []Series{{Change: &Change{P: 0.03}}, {Change: &Change{P: 0.04}}}
	if judgeChanges(two); two[0].Change != nil || two[1].Change != nil {
		t.Errorf("%+v", two)
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
