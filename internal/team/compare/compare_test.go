package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

// run makes a run from a text: each word is a case, each letter an attempt: p
// pass, f fail, e error, s skip; "-" is a case that is not in the run. "pp*3" is
// three such cases.
func run(suite, cases string) *result.Run {
	r := &result.Run{SchemaVersion: 1, Suite: suite}
	n := 0
	for _, word := range strings.Fields(cases) {
		word, times, _ := strings.Cut(word, "*")
		repeat := 1
		fmt.Sscan(times, &repeat)
		for range repeat {
			n++
			for i, letter := range strings.Trim(word, "-") {
				status := map[rune]result.Status{'p': result.Pass, 'f': result.Fail, 'e': result.Error, 's': result.Skip}[letter]
				attempt := result.Result{Name: fmt.Sprintf("case %03d", n), Attempt: i + 1}
				attempt.Set(status)
				r.Results = append(r.Results, attempt)
			}
		}
	}
	r.Recount()
	return r
}

// The figures of lm-evaluation-harness #3831: a test of two independent samples
// says p = 0.0804 of the same table.
func TestPublishedTable(t *testing.T) {
	a := run("", "p*53 p*15 f*3 f*29")
	b := run("", "p*53 f*15 p*3 f*29")
	c := Runs(a, b, Options{})
	s := c.Suites[0]
	if c.Verdict != Regression || s.Method != "exact" || math.Abs(*s.P-0.00754) > 5e-6 {
		t.Errorf("%s: %s, p %v %s", c.Verdict, c.Summary, *s.P, s.Method)
	}
	if want := (Counts{Lost: 15, Gained: 3, Failed: 29, Passed: 53}); s.Counts != want || s.Tested != 100 {
		t.Errorf("counts %+v of %d", s.Counts, s.Tested)
	}
	if want := "15 of 100 cases regressed, 3 fixed (p = 0.0075)"; c.Summary != want {
		t.Errorf("summary %q, want %q", c.Summary, want)
	}
}

func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		want       Verdict
		summary    string
	}{
		{"6 of 6 discordant lost at 12", "p*12", "p*6 f*6", Regression, "6 of 12 cases regressed, 0 fixed (p = 0.031)"},
		{"5 of 5 are not enough", "p*12", "p*7 f*5", NoDifference, "5 of 12 cases regressed, 0 fixed; 12 cases cannot show a drop under 50 points, and show one of 58 four times in five"},
		{"the other way round", "p*6 f*6", "p*12", Improvement, "0 of 12 cases regressed, 6 fixed (p = 0.031)"},
		{"nothing changed", "p*200", "p*200", NoDifference, "0 of 200 cases regressed, 0 fixed; 200 cases cannot show a drop under 3 points, and show one of 4 four times in five"},
		{"too few for anything", "p*5", "f*5", NoDifference, "5 of 5 cases regressed, 0 fixed; 5 cases cannot show any drop"},
		{"few pass", "p*3 f*9", "f*12", NoDifference, "3 of 12 cases regressed, 0 fixed; 12 cases, 25 % of them passing in A, cannot show any drop"},
		{"none passed", "f*12", "f*12", NoDifference, "0 of 12 cases regressed, 0 fixed; no case passed in A, so none can regress"},
		{"20 of 29 are called by mid-p alone", "p*20 f*9 p*11", "f*20 p*9 p*11", NoDifference, "20 of 40 cases regressed, 9 fixed (p = 0.043; exact 0.061): too near to call"},
		{"21 of 29", "p*21 f*8 p*11", "f*21 p*8 p*11", Regression, "21 of 40 cases regressed, 8 fixed (p = 0.016)"},
		{"nothing judged", "e*3", "p*3", NotComparable, "nothing to test: no case was judged in both runs"},
		{"no case", "", "", NotComparable, "nothing to compare: neither run holds a case"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Runs(run("s", test.a), run("s", test.b), Options{})
			if c.Verdict != test.want || c.Summary != test.summary {
				t.Errorf("%s: %q, want %s: %q", c.Verdict, c.Summary, test.want, test.summary)
			}
		})
	}
}

func TestClasses(t *testing.T) {
	for _, test := range []struct {
		a, b   string
		want   Class
		change float64
	}{
		{"p", "f", Lost, -1}, {"f", "p", Gained, 1}, {"p", "p", Passed, 0}, {"f", "f", Failed, 0},
		{"-", "f", New, 0}, {"p", "-", Gone, 0},
		{"e", "f", NotJudged, 0}, {"p", "e", NotJudged, 0}, {"ee", "ff", NotJudged, 0}, {"s", "e", NotJudged, 0},
		{"s", "p", Skipped, 0}, {"p", "s", Skipped, 0},
		{"ppp", "fff", Lost, -1}, {"ppp", "ppf", Flaky, -1. / 3}, {"pf", "pp", Flaky, 0.5}, {"pf", "fp", Flaky, 0},
		{"pef", "eep", Flaky, 0},   // errors are no attempts, and B has only one
		{"p", "fp", Flaky, -1},     // a runner that repeats what failed: the first attempts are compared
		{"p", "pf", Flaky, 0},      // the second has nothing to be compared with
		{"ppp", "f", Lost, -1},     // one attempt against one
		{"ep", "f", Lost, -1},      // what was judged counts
		{"pppp", "ffes", Lost, -1}, // two against two
		{"fffp", "pp", Flaky, 1},   // two against two
	} {
		c := Runs(run("s", test.a), run("s", test.b), Options{})
		if got := c.Cases[0]; got.Class != test.want || math.Abs(got.Change-test.change) > 1e-9 {
			t.Errorf("%s → %s: %s %+.2f, want %s %+.2f", test.a, test.b, got.Class, got.Change, test.want, test.change)
		}
	}
}

// Flaky cases enter the test by the direction of their rates, and never as lost.
func TestFlakyInTheTest(t *testing.T) {
	c := Runs(run("s", "ppp*10 pfp*2"), run("s", "ppf*10 pfp*2"), Options{})
	s := c.Suites[0]
	if s.Lost != 0 || s.FlakyWorse != 10 || s.FlakySame != 2 || c.Verdict != Regression {
		t.Errorf("%+v: %s", s.Counts, c.Summary)
	}
	if want := "0 of 12 cases regressed, 0 fixed, 10 flaky ones worse and 0 better (p = 0.0020)"; c.Summary != want {
		t.Errorf("summary %q, want %q", c.Summary, want)
	}
	if rate := s.RateB; math.Abs(rate.Rate-2./3) > 1e-9 || !(rate.Lo > 0.39 && rate.Lo < 0.4 && rate.Hi > 0.86 && rate.Hi < 0.87) {
		t.Errorf("rate %+v, want Wilson's of 8 in 12", rate)
	}
}

func TestHolmAcrossSuites(t *testing.T) {
	both := func(one, many string) *result.Run {
		r := run("small", one)
		for i := range 4 {
			r.Results = append(r.Results, run("", many).Results...)
			for j := range r.Results {
				if r.Results[j].Suite == "" {
					r.Results[j].Suite = fmt.Sprintf("suite %d", i)
					if j < len(run("", one).Results) {
						r.Results[j].Suite = "small"
					}
				}
			}
		}
		r.Recount()
		return r
	}
	// p = 0.031 alone; among five suites 0.16
	c := Runs(both("p*12", "p*40"), both("p*6 f*6", "p*40"), Options{})
	if len(c.Suites) != 5 || c.Verdict != NoDifference {
		t.Fatalf("%d suites, %s", len(c.Suites), c.Verdict)
	}
	if s := c.Suites[0]; s.Name != "small" || *s.P != 0.03125 || *s.PHolm != 5*0.03125 {
		t.Errorf("%s: p %v, %v", s.Name, *s.P, *s.PHolm)
	}
	if want := "6 of 172 cases regressed, 0 fixed; 172 cases cannot show a drop under 4.1 points, and show one of 5.3 four times in five"; c.Summary != want {
		t.Errorf("summary %q", c.Summary)
	}
	c = Runs(both("p*12", "p*40"), both("p*2 f*10", "p*40"), Options{})
	if want := "10 of 172 cases regressed, 0 fixed (p = 0.0020, adjusted 0.0039); regression in suite small"; c.Verdict != Regression || c.Summary != want {
		t.Errorf("%s: %q, want %q", c.Verdict, c.Summary, want)
	}
	if c := Runs(both("p*12", "p*40"), both("p*6 f*6", "p*40"), Options{Suite: "small"}); c.Verdict != Regression || len(c.Suites) != 1 {
		t.Errorf("one suite alone: %s of %d", c.Verdict, len(c.Suites))
	}
}

func TestSameRun(t *testing.T) {
	a, b := run("s", "p*3 f"), run("s", "p*3 f")
	if err := a.Identify(); err != nil {
		t.Fatal(err)
	}
	if err := b.Identify(); err != nil {
		t.Fatal(err)
	}
	for _, other := range []*result.Run{a, b} {
		c := Runs(a, other, Options{})
		if c.Verdict != SameRun || c.Suites[0].P != nil || len(c.Notes) != 1 {
			t.Errorf("%s: %s, %v", c.Verdict, c.Summary, c.Notes)
		}
	}
}

func TestQuarantined(t *testing.T) {
	c := Runs(run("s", "p*12"), run("s", "p*6 f*6"), Options{Quarantined: func(_, title, _ string) bool { return title == "case 012" }})
	if s := c.Suites[0]; c.Verdict != NoDifference || s.Lost != 5 || s.Quarantined != 1 || s.Tested != 11 {
		t.Errorf("%s: %+v", c.Verdict, s.Counts)
	}
}

func TestNotes(t *testing.T) {
	code := func(change func(a, b *result.Run)) string {
		a, b := run("s", "p*4"), run("s", "p*4")
		change(a, b)
		var codes []string
		for _, n := range Runs(a, b, Options{}).Notes {
			codes = append(codes, n.Code)
		}
		return strings.Join(codes, " ")
	}
	day := func(s string) result.Time {
		at, err := result.ParseTime(s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, test := range []struct {
		want   string
		change func(a, b *result.Run)
	}{
		{"", func(a, b *result.Run) {}},
		{"judge-tier", func(a, b *result.Run) { a.JudgeTier, b.JudgeTier = "fast", "full" }},
		{"judge-tier", func(a, b *result.Run) { b.JudgeTier = "full" }},
		{"prompt", func(a, b *result.Run) { a.PromptSHA, b.PromptSHA = "1", "2" }},
		{"model", func(a, b *result.Run) { a.Costs, b.Costs = []result.Cost{{Model: "x"}}, []result.Cost{{Model: "y"}} }},
		{"tool", func(a, b *result.Run) { a.Tool, b.Tool = "pytest", "jest" }},
		{"order", func(a, b *result.Run) { a.Timestamp, b.Timestamp = day("2026-03-02"), day("2026-03-01") }},
		{"unlisted", func(a, b *result.Run) { b.Total = 9 }},
		{"errors", func(a, b *result.Run) { b.Results[0].Set(result.Error); b.Recount() }},
		{"nothing-common suite", func(a, b *result.Run) { b.Suite = "t" }},
		{"repeats", func(a, b *result.Run) {
			again := b.Results[0]
			again.Attempt = 2
			b.Results = append(b.Results, again)
			b.Recount()
		}},
	} {
		if got := code(test.change); got != test.want {
			t.Errorf("notes %q, want %q", got, test.want)
		}
	}
}
