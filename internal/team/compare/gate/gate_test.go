package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/internal/team/compare"
	"cairn/internal/team/result"
)

// run makes a run of suite s: each word is a case, each letter an attempt: p
// pass, f fail, e error, s skip, - not in the run; "p*9" is nine cases.
func run(cases string) *result.Run {
	r := &result.Run{SchemaVersion: 1, Suite: "s", TotalCostUSD: 0}
	n := 0
	for _, word := range strings.Fields(cases) {
		word, times, _ := strings.Cut(word, "*")
		repeat := 1
		fmt.Sscan(times, &repeat)
		for range repeat {
			n++
			for i, letter := range strings.Trim(word, "-") {
				one := result.Result{Name: fmt.Sprintf("case %02d", n), Attempt: i + 1, CostUSD: 0.1, DurationMS: 100}
				one.Set(map[rune]result.Status{'p': result.Pass, 'f': result.Fail, 'e': result.Error, 's': result.Skip}[letter])
				r.Results = append(r.Results, one)
			}
		}
	}
	r.Derive()
	return r
}

func decode(t *testing.T, text string) *Policy {
	t.Helper()
	p, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p.Name = ".cairn/eval-policy.toml"
	return p
}

// said is the rules of a report as "rule status", without those that the
// built-in policy adds where they passed.
func said(r *Report) string {
	var words []string
	for _, rule := range r.Rules {
		if rule.Status == Pass && (rule.Rule == "no_regression" || rule.Rule == "max_error_rate") {
			continue
		}
		words = append(words, rule.Rule+" "+string(rule.Status))
	}
	return strings.Join(words, ", ")
}

func TestRules(t *testing.T) {
	for _, test := range []struct {
		name, policy, before, after string // before "none" is no baseline
		want                        string
	}{
		{"nothing is asked", "", "p*12", "p*12", ""},
		{"a regression", "", "p*12", "p*6 f*6", "no_regression fail"},
		{"a regression is allowed", "[suite.default]\nno_regression = false", "p*12", "p*6 f*6", ""},
		{"an improvement", "", "p*6 f*6", "p*12", ""},
		{"noise", "", "p*12", "p*8 f*4", ""},
		{"not tested", "", "e*3 p*9", "p*3 -*9", "no_regression warn"},
		{"alpha", "[gate]\nalpha = 0.001", "p*12", "p*6 f*6", ""},

		{"no baseline", "", "none", "p*3", "baseline warn, no_regression skip"},
		{"no baseline warns", "[gate]\non_no_baseline = \"warn\"", "none", "p*3", "baseline warn, no_regression skip"},
		{"no baseline fails", "[gate]\non_no_baseline = \"fail\"", "none", "p*3", "baseline fail, no_regression skip"},
		{"no baseline passes", "[gate]\non_no_baseline = \"pass\"", "none", "p*3", "baseline skip, no_regression skip"},
		{"no baseline, and a rule fails", "[suite.s]\nmin_pass_rate = 1", "none", "p*3 f", "baseline warn, min_pass_rate fail, no_regression skip"},
		{"without a baseline", "[suite.s]\nmin_pass_rate = 0.5\nmax_lost = 0\nmax_gone = 0\nmax_cost_increase_pct = 5\ncriteria.x = {no_regression = true}", "none", "p*3",
			"baseline warn, min_pass_rate pass, no_regression skip, max_lost skip, max_gone skip, criteria.x.no_regression skip, max_cost_increase_pct skip"},

		{"errors", "", "p*10", "p*7 e*3", "max_error_rate fail"},
		{"as many errors as may be", "", "p*10", "p*8 e*2", ""},
		{"skipped are no errors", "", "p*10", "p*8 e*2 s*9", ""},

		{"rate reached", "[suite.s]\nmin_pass_rate = 0.75", "p*4", "p*3 f", "min_pass_rate pass"},
		{"rate not reached", "[suite.s]\nmin_pass_rate = 0.76", "p*4", "p*3 f", "min_pass_rate fail"},
		{"rate of cases, not of attempts", "[suite.s]\nmin_pass_rate = 0.66", "p*3", "pppppp f f", "min_pass_rate fail"},
		{"errors are in no rate", "[suite.s]\nmin_pass_rate = 1\nmax_error_rate = 1", "p*4", "p*3 e", "min_pass_rate pass"},
		{"no rate", "[suite.s]\nmin_pass_rate = 0\nmax_error_rate = 1", "p*4", "e*4", "min_pass_rate fail, no_regression warn"},
		{"all of 12 pass, which is above 75 %", "[suite.s]\nmin_pass_rate_lower = 0.75", "p*12", "p*12", "min_pass_rate_lower pass"},
		{"and not surely above 80 %", "[suite.s]\nmin_pass_rate_lower = 0.8", "p*12", "p*12", "min_pass_rate_lower fail"},
		{"enough cases", "[suite.s]\nmin_cases = 3", "p*3", "p*3 e", "min_cases pass, max_error_rate fail"},
		{"too few", "[suite.s]\nmin_cases = 4\nmax_error_rate = 1", "p*3", "p*3 e", "min_cases fail"},

		{"one lost", "[suite.s]\nmax_lost = 0", "p*12", "p*11 f", "max_lost fail"},
		{"one lost is allowed", "[suite.s]\nmax_lost = 1", "p*12", "p*11 f", "max_lost pass"},
		{"flaky is not lost", "[suite.s]\nmax_lost = 0", "pp*12", "pp*11 pf", "max_lost pass"},
		{"one gone", "[suite.s]\nmax_gone = 0", "p*12", "p*11", "max_gone fail"},
		{"none gone", "[suite.s]\nmax_gone = 0", "p*12", "p*13", "max_gone pass"},

		{"must pass", "[suite.s]\nmust_pass = [\"case 01\"]", "p*3", "p f p", "must_pass pass"},
		{"must pass and does not", "[suite.s]\nmust_pass = [\"case 0*\"]", "p*3", "p f p", "must_pass fail"},
		{"must pass each time", "[suite.s]\nmust_pass = [\"case 01\"]", "p*3", "pf p p", "must_pass fail"},
		{"must pass and errs", "[suite.s]\nmust_pass = [\"case 01\"]\nmax_error_rate = 1", "p*3", "e p p", "must_pass fail"},
		{"must pass and is not there", "[suite.s]\nmust_pass = [\"case 9?\"]", "p*3", "p*3", "must_pass fail"},

		{"quarantine", "[suite.s]\nquarantine = [\"case 1*\"]\nmax_lost = 0", "p*12", "p*9 f*3", "max_lost pass, quarantine skip"},
		{"quarantine of a section", "[suite.default]\nquarantine = [\"*\"]\n[suite.s]\nquarantine = []\nmax_lost = 0", "p*12", "p*9 f*3", "max_lost fail"},
		{"quarantine takes from the test", "[suite.s]\nquarantine = [\"case 12\"]", "p*12", "p*6 f*6", "quarantine skip"},
		{"quarantine of all", "[suite.default]\nquarantine = [\"*\"]\nmin_cases = 1", "p*12", "f*12", "min_cases fail, no_regression warn, quarantine skip"},

		{"cost", "[suite.s]\nmax_cost_usd = 0.3", "p", "p*3", "max_cost_usd pass"},
		{"too dear", "[suite.s]\nmax_cost_usd = 0.29", "p", "p*3", "max_cost_usd fail"},
		{"cost of all", "[gate]\nmax_cost_usd = 0.29", "p", "p*3", "max_cost_usd fail"},
		{"new cases are no increase", "[gate]\nmax_cost_increase_pct = 0\nmax_duration_increase_pct = 0", "p", "p*3", "max_cost_increase_pct pass, max_duration_increase_pct pass"},

		{"nothing ran", "", "p*3", "", "results fail"},
		{"a suite of the policy is missing", "[suite.other]\nmin_pass_rate = 0.1", "p*3", "p*3", "results fail"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before *result.Run
			if test.before != "none" {
				before = run(test.before)
			}
			r := Check(run(test.after), before, "no run is stored", decode(t, test.policy), 0, nil)
			if got := said(r); got != test.want {
				t.Errorf("%s\nwant %s\n%+v", got, test.want, r.Rules)
			}
			verdict := Passed
			switch {
			case strings.Contains(test.want, " fail"):
				verdict = Failed
			case strings.Contains(test.want, "baseline warn"), test.name == "not tested":
				verdict = NotChecked
			}
			if r.Verdict != verdict || r.Passed != (verdict == Passed || strings.Contains(test.policy, `"warn"`)) {
				t.Errorf("%s, passed is %v", r.Verdict, r.Passed)
			}
		})
	}
}

func TestIncreases(t *testing.T) {
	before, after := run("p*4"), run("p*4")
	for i := range after.Results {
		after.Results[i].CostUSD *= 1.2
		after.Results[i].DurationMS *= 2
	}
	policy := "[gate]\nmax_cost_increase_pct = 19\nmax_duration_increase_pct = 101\n[suite.s]\nmax_cost_increase_pct = 21\nmax_duration_increase_pct = 99"
	want := "max_cost_increase_pct fail, max_duration_increase_pct pass, max_cost_increase_pct pass, max_duration_increase_pct fail"
	if got := said(Check(after, before, "", decode(t, policy), 0, nil)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for i := range before.Results {
		before.Results[i].CostUSD, before.Results[i].DurationMS = 0, 0
	}
	if got := said(Check(after, before, "", decode(t, policy), 0, nil)); strings.Count(got, "warn") != 4 {
		t.Errorf("an increase from nothing: %s", got)
	}
}

func TestCriteria(t *testing.T) {
	scored := func(v float64, scale result.Scale) *result.Run {
		r := run("p*20")
		for i := range r.Results {
			own := v
			r.Results[i].Scale, r.Results[i].Score = scale, &own
			r.Results[i].JudgeScores = map[string]float64{"accuracy": v + float64(i%3)/100}
		}
		return r
	}
	for _, test := range []struct {
		policy        string
		before, after *result.Run
		want          string
	}{
		{"{min = 0.7}", scored(0.7, ""), scored(0.7, ""), "criteria.accuracy.min pass"},
		{"{min = 0.8}", scored(0.7, ""), scored(0.7, ""), "criteria.accuracy.min fail"},
		{"{no_regression = true}", scored(0.8, ""), scored(0.7, ""), "criteria.accuracy.no_regression fail, criteria.score.no_regression warn"},
		{"{no_regression = true}", scored(0.7, ""), scored(0.8, ""), "criteria.accuracy.no_regression pass"},
		{"{no_regression = true}", scored(3, "1-5"), scored(0.8, ""), "criteria.accuracy.no_regression warn"},
		{"{min = 0.1, no_regression = true}", run("p*20"), run("p*20"), "criteria.accuracy.min fail, criteria.accuracy.no_regression warn"},
	} {
		if got := said(Check(test.after, test.before, "", decode(t, "[suite.default]\ncriteria.accuracy = "+test.policy), 0, nil)); got != test.want {
			t.Errorf("%s: %s, want %s", test.policy, got, test.want)
		}
	}
	if got := said(Check(scored(0.7, ""), scored(0.8, ""), "", decode(t, "[suite.s.criteria]\nscore = {min = 0.75, no_regression = true}"), 0, nil)); got != "criteria.score.min fail, criteria.score.no_regression fail, criteria.accuracy.no_regression warn" {
		t.Errorf("the result's own score: %s", got)
	}
}

func TestSameRunIsNoBaseline(t *testing.T) {
	r := run("p*3")
	if got := said(Check(r, r, "", Default(), 0, nil)); got != "baseline warn, no_regression skip" {
		t.Errorf("%s", got)
	}
}

// A suite that cannot be compared is not passed over: it is named, and the verdict is
// not checked. But a new one is everyday life.
func TestSuiteWithoutBaseline(t *testing.T) {
	of := func(a, b string) *result.Run {
		r, other := run(a), run(b)
		for _, one := range other.Results {
			one.Suite = "t"
			r.Results = append(r.Results, one)
		}
		return r
	}
	had := func(suite string) string { return map[string]string{"t": "run 0123 of main"}[suite] }
	for _, test := range []struct {
		name, policy, before, after string
		had                         func(string) string
		verdict                     Verdict
		want, why                   string
	}{
		{"new", "", "", "p*3", nil, Passed, "no_regression warn", ""},
		{"new to the branch", "", "", "p*3", func(string) string { return "" }, Passed, "no_regression warn", ""},
		{"missing in the baseline", "", "", "p*3", had, NotChecked, "no_regression warn", "did not check t: the baseline has no case of it, and run 0123 of main has"},
		{"which may be", "[gate]\non_no_baseline = \"pass\"", "", "p*3", had, Passed, "no_regression skip", ""},
		{"or may not", "[gate]\non_no_baseline = \"fail\"", "", "p*3", had, Failed, "no_regression fail", ""},
		{"or is not asked", "[suite.t]\nno_regression = false", "", "p*3", had, Passed, "", ""},
		{"max_lost asks it too", "[suite.t]\nno_regression = false\nmax_lost = 0", "", "p*3", had, NotChecked, "max_lost warn", "did not check t: the baseline has no case of it, and run 0123 of main has"},
		{"both", "[suite.t]\nmax_lost = 0", "", "p*3", had, NotChecked, "no_regression warn, max_lost skip", "did not check t: the baseline has no case of it, and run 0123 of main has"},
		{"all renamed", "", "p*3", "-*3 p*3", nil, NotChecked, "no_regression warn", "did not check t: no case was judged in both runs, so nothing could be tested"},
		{"all skipped now", "", "p*3", "s*3", nil, NotChecked, "no_regression warn", "did not check t: no case was judged in both runs, so nothing could be tested"},
		{"nothing but errors before", "", "e*3", "p*3", nil, NotChecked, "no_regression warn", "did not check t: no case was judged in both runs, so nothing could be tested"},
		{"skipped before", "", "s*3", "p*3", nil, Passed, "no_regression warn", ""},
		{"skipped in both", "", "s*3", "s*3", nil, Passed, "no_regression skip", ""},
		{"in quarantine", "[suite.t]\nquarantine = [\"*\"]", "", "p*3", had, Passed, "no_regression warn, quarantine skip", ""},
	} {
		r := Check(of("p*20", test.after), of("p*20", test.before), "", decode(t, test.policy), 0, test.had)
		why := ""
		if r.Verdict == NotChecked {
			why, _ = r.Why()
		}
		if got := said(r); got != test.want || r.Verdict != test.verdict || why != test.why {
			t.Errorf("%s: %s, %s, %q", test.name, r.Verdict, got, why)
		}
	}
}

// Cases that were compared no more are said beside the test that holds without them.
func TestNotCompared(t *testing.T) {
	for after, want := range map[string]string{
		"p*20":              "",
		"p*5 s*9 -*6":       "; passed in the baseline and not compared: 6 gone, 9 skipped",
		"p*18 e f":          "; passed in the baseline and not compared: 1 not judged",
		"p*5 f*14 s":        "", // the cases that fell follow
		"p*18 - p p p p p ": "; passed in the baseline and not compared: 1 gone",
	} {
		r := Check(run(after), run("p*20"), "", Default(), 0, nil)
		i := slices.IndexFunc(r.Rules, func(x Rule) bool { return x.Rule == "no_regression" })
		if got := r.Rules[i].Reason; want != "" && !strings.HasSuffix(got, want) || want == "" && strings.Contains(got, "not compared") {
			t.Errorf("%s: %s", after, got)
		}
	}
}

// The same goes for variants.
func TestVariantWithoutBaseline(t *testing.T) {
	of := func(variants map[string]result.Status) *result.Run {
		r := &result.Run{SchemaVersion: 1, Suite: "s"}
		for variant, status := range variants {
			for i := range 20 {
				one := result.Result{Name: fmt.Sprint("case ", i), Variant: variant}
				one.Set(status)
				r.Results = append(r.Results, one)
			}
		}
		r.Derive()
		return r
	}
	before := of(map[string]result.Status{"v0": result.Pass, "v1": result.Pass})
	for _, test := range []struct {
		variants map[string]result.Status
		want     string
	}{
		{map[string]result.Status{"v0": result.Pass, "v1": result.Pass}, "passed"},
		{map[string]result.Status{"v0": result.Pass, "v1": result.Pass, "v2": result.Fail}, "passed"},
		{map[string]result.Status{"v0": result.Pass, "v1": result.Skip}, "did not check variant v1: no case was judged in both runs, so nothing could be tested"},
	} {
		r := Check(of(test.variants), before, "", Default(), 0, nil)
		got := string(r.Verdict)
		if r.Verdict == NotChecked {
			got, _ = r.Why()
		}
		if got != test.want {
			t.Errorf("%v: %s", test.variants, got)
		}
	}
}

// Results that are counted and not listed are not checked, whichever run has them.
func TestUnlisted(t *testing.T) {
	short := run("p*3")
	short.Total, short.Failed = 500, 497
	for _, test := range []struct {
		policy        string
		before, after *result.Run
		verdict       Verdict
		why           string
		data          bool
	}{
		{"", run("p*3"), short, NotChecked, "did not check results: the run counts 500 results and lists 3", true},
		{"[gate]\non_no_baseline = \"pass\"", nil, short, NotChecked, "did not check results: the run counts 500 results and lists 3", true},
		{"", short, run("p*3"), NotChecked, "did not check baseline: the baseline counts 500 results and lists 3", false},
		{"[gate]\non_no_baseline = \"pass\"", short, run("p*3"), Passed, "", false},
	} {
		r := Check(test.after, test.before, "none", decode(t, test.policy), 0, nil)
		if r.Verdict != test.verdict {
			t.Errorf("%s, want %s: %+v", r.Verdict, test.verdict, r.Rules)
		} else if r.Verdict == NotChecked {
			if why, data := r.Why(); why != test.why || data != test.data {
				t.Errorf("%s, %v", why, data)
			}
		}
	}
}

// What nobody said has not kept to a limit.
func TestUnknownCosts(t *testing.T) {
	costing := func(dollars float64, cases int, of int) *result.Run {
		r := run(fmt.Sprintf("p*%d", of))
		for i := range r.Results {
			r.Results[i].CostUSD = 0
			if i < cases {
				r.Results[i].CostUSD = dollars
			}
		}
		r.TotalCostUSD = 0
		r.Derive()
		return r
	}
	total := costing(0, 0, 4)
	total.TotalCostUSD = 0.5
	for _, test := range []struct {
		name, policy  string
		before, after *result.Run
		verdict       Verdict
		want          string
	}{
		{"no result says it", "[gate]\nmax_cost_usd = 1", run("p*4"), costing(0, 0, 4), NotChecked, "max_cost_usd warn"},
		{"and nothing excuses that", "[gate]\nmax_cost_usd = 1\non_no_baseline = \"pass\"", run("p*4"), costing(0, 0, 4), NotChecked, "max_cost_usd warn"},
		{"nor is there a baseline", "[gate]\nmax_cost_usd = 1\non_no_baseline = \"warn\"", nil, costing(0, 0, 4), NotChecked, "baseline warn, max_cost_usd warn, no_regression skip"},
		{"of a suite", "[suite.s]\nmax_cost_usd = 1", run("p*4"), costing(0, 0, 4), NotChecked, "max_cost_usd warn"},
		{"half of them say it", "[suite.s]\nmax_cost_usd = 1", run("p*4"), costing(0.1, 2, 4), Passed, "max_cost_usd warn"},
		{"half of them are too dear", "[gate]\nmax_cost_usd = 0.1", run("p*4"), costing(0.1, 2, 4), Failed, "max_cost_usd fail"},
		{"all of them say it", "[gate]\nmax_cost_usd = 1", run("p*4"), costing(0.1, 4, 4), Passed, "max_cost_usd pass"},
		{"the run says it", "[gate]\nmax_cost_usd = 1\n[suite.s]\nmax_cost_usd = 1", run("p*4"), total, Passed, "max_cost_usd pass, max_cost_usd pass"},
		{"the run is too dear", "[gate]\nmax_cost_usd = 0.4", run("p*4"), total, Failed, "max_cost_usd fail"},
		{"cheaper because unknown", "[gate]\nmax_cost_increase_pct = 5", run("p*4"), costing(0, 0, 4), NotChecked, "max_cost_increase_pct warn"},
		{"the same of a suite", "[suite.s]\nmax_cost_increase_pct = 5", run("p*4"), costing(0, 0, 4), NotChecked, "max_cost_increase_pct warn"},
		{"half unknown", "[gate]\nmax_cost_increase_pct = 5\n[suite.s]\nmax_cost_increase_pct = 5", run("p*4"), costing(0.1, 2, 4), Passed, "max_cost_increase_pct warn, max_cost_increase_pct warn"},
		{"half unknown, and dearer", "[gate]\nmax_cost_increase_pct = 5", run("p*4"), costing(0.2, 2, 4), Failed, "max_cost_increase_pct fail"},
		{"not known before", "[gate]\nmax_cost_increase_pct = 5", costing(0, 0, 4), run("p*4"), Passed, "max_cost_increase_pct warn"},
	} {
		r := Check(test.after, test.before, "none", decode(t, test.policy), 0, nil)
		if got := said(r); got != test.want || r.Verdict != test.verdict || r.Passed != (test.verdict == Passed) {
			t.Errorf("%s: %s, %s, passed %v\n%+v", test.name, r.Verdict, got, r.Passed, r.Rules)
		}
	}
	slower := run("p*4")
	for i := range slower.Results {
		slower.Results[i].DurationMS = 0
	}
	r := Check(slower, run("p*4"), "", decode(t, "[gate]\nmax_duration_increase_pct = 5"), 0, nil)
	if why, data := r.Why(); r.Verdict != NotChecked || !data || why != "did not check max_duration_increase_pct: the run says no time of the cases in both runs, so its increase is not known" {
		t.Errorf("%s, %s", r.Verdict, why)
	}
	r = Check(costing(0.1, 2, 4), run("p*4"), "", decode(t, "[gate]\nmax_cost_usd = 1"), 0, nil)
	if got := r.Rules[0].Reason; got != "the run cost at least $0.20, at most $1.00 is allowed: not checked for all of it, since the cost is known of 2 of 4 judged results" {
		t.Errorf("%s", got)
	}
}

// A suite that is gone is said aloud, and stops what wants it.
func TestSuiteGone(t *testing.T) {
	before, after := run("p*3"), run("p*3")
	for i := range after.Results {
		after.Results[i].Suite = "t"
	}
	if got := said(Check(after, before, "", Default(), 0, nil)); got != "results warn, no_regression warn" {
		t.Errorf("%s", got)
	}
	if got := said(Check(after, before, "", decode(t, "[suite.default]\nmax_gone = 2"), 0, nil)); !strings.HasPrefix(got, "max_gone fail") {
		t.Errorf("%s", got)
	}
	before.Kind = compare.Deterministic
	if got := said(Check(after, before, "", Default(), 0, nil)); !strings.HasPrefix(got, "results warn, max_gone fail") {
		t.Errorf("deterministic: %s", got)
	}
	for _, more := range []string{"", "\nmax_gone = 0"} {
		r := Check(after, before, "", decode(t, "[suite.default]\nquarantine = [\"case 0*\"]"+more), 0, nil)
		if got := r.Rules[0].Reason; got != "the whole suite is gone: 3 cases in the baseline (3 in quarantine), none in the run" {
			t.Errorf("in quarantine: %s", got)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		glob, name string
		want       bool
	}{
		{"a", "a", true}, {"a", "b", false}, {"*", "", true}, {"*", "a/b c", true}, {"a*c", "abbc", true}, {"a*c", "abcd", false},
		{"TestX/*", "TestX/sub case", true}, {"?", "é", true}, {"?", "", false}, {"[v]", "[v]", true}, {"**a", "ba", true}, {"a*b*c", "aXbYbZc", true}, {"", "", true}, {"", "a", false},
	} {
		if Match(test.glob, test.name) != test.want {
			t.Errorf("%q and %q: want %v", test.glob, test.name, test.want)
		}
	}
}

func TestRuleLines(t *testing.T) {
	r := sample(t)
	lines := map[string]int{}
	for _, rule := range r.Rules {
		if rule.Suite != "t" {
			lines[rule.Rule] = rule.Line
		}
	}
	for rule, want := range map[string]int{"max_lost": 6, "max_gone": 11, "min_pass_rate": 12, "max_duration_increase_pct": 3, "criteria.accuracy.no_regression": 8, "max_error_rate": 10} {
		if lines[rule] != want {
			t.Errorf("%s is in line %d, want %d", rule, lines[rule], want)
		}
	}
	if !slices.ContainsFunc(r.Rules, func(x Rule) bool { return x.Status == Warn }) {
		t.Error("the sample has no warning")
	}
}
