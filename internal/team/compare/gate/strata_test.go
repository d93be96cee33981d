package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/internal/team/compare"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

// made is a run of results that pass as said.
func made(n int, pass func(i int) (one result.Result, ok bool)) *result.Run {
	r := &result.Run{SchemaVersion: 1}
	for i := range n {
		one, ok := pass(i)
		one.Set(result.Fail)
		if ok {
			one.Set(result.Pass)
		}
		r.Results = append(r.Results, one)
	}
	r.Derive()
	return r
}

func failedRules(r *Report) (rules []string) {
	for _, rule := range r.Rules {
		if rule.Status == Fail {
			rules = append(rules, rule.title()+": "+rule.Reason)
		}
	}
	return rules
}

// A gate that passes over a hundred lost cases is worse than none.
func TestSpreadRegressionFails(t *testing.T) {
	spread := func(lost int) *result.Run {
		return made(500, func(i int) (result.Result, bool) {
			return result.Result{Suite: fmt.Sprintf("file %d", i/10), Name: fmt.Sprint("c", i%10)}, i%10 >= lost
		})
	}
	for _, test := range []struct {
		policy string
		want   []string
	}{
		{"", []string{"no_regression: 100 of 500 cases regressed, 0 fixed (p < 0.0001)"}},
		{"[gate]\nno_regression = false", nil},
		{"[suite.default]\nno_regression = false", nil},
		{"[suite.default]\nno_regression = false\n[gate]\nno_regression = true", []string{"no_regression: 100 of 500 cases regressed, 0 fixed (p < 0.0001)"}},
		// A suite that may regress is in no test of the run.
		{"[suite.\"file 0\"]\nno_regression = false", []string{"no_regression: 98 of 490 cases regressed, 0 fixed (p < 0.0001)"}},
	} {
		r := Check(spread(2), spread(0), "", decode(t, test.policy), 0, nil)
		if got := failedRules(r); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.policy, got, test.want)
		}
	}
}

// A report of a hundred rules shows those that did not hold.
func TestRulesThatHoldAreCounted(t *testing.T) {
	spread := func(lost int) *result.Run {
		return made(500, func(i int) (result.Result, bool) {
			return result.Result{Suite: fmt.Sprintf("file %d", i/10), Name: fmt.Sprint("c", i%10)}, i%10 >= lost
		})
	}
	var b strings.Builder
	if err := Check(spread(2), spread(0), "", Default(), 0, nil).Text(&b, term.Paint(false)); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	if !strings.Contains(out, "✗ fail    no_regression  100 of 500 cases regressed") || !strings.Contains(out, "✓ pass  … and 100 rules of suites held; --json lists them") || strings.Count(out, "\n") > 9 {
		t.Error(out)
	}
}

func TestVariantRules(t *testing.T) {
	passing := func(sonnet, haiku int) *result.Run {
		return made(120, func(i int) (result.Result, bool) {
			model := []string{"sonnet", "haiku"}[i%2]
			return result.Result{Suite: "s", Name: fmt.Sprint("c", i/2), Variant: model, Model: model}, i/2 < []int{sonnet, haiku}[i%2]
		})
	}
	for _, test := range []struct{ policy, want string }{
		{"", "variant sonnet: no_regression"},
		{"[variant.sonnet]\nno_regression = false", ""},
		{"[variant.default]\nno_regression = false", ""},
		{"[variant.default]\nno_regression = false\n[variant.sonnet]\nno_regression = true", "variant sonnet: no_regression"},
		{"[gate]\nno_regression = false", ""},
		{"[gate]\nno_regression = false\n[variant.haiku]\nmin_pass_rate = 0.9", "variant haiku: min_pass_rate"},
		{"[gate]\nno_regression = false\n[variant.default]\nmax_lost = 20", "variant sonnet: max_lost"},
		{"[gate]\nno_regression = false\n[variant.opus]\nmin_pass_rate = 0.9", "variant opus: results"},
		{"[gate]\nno_regression = false\n[variant.sonnet]\nnon_inferiority_margin = 0.4", "variant sonnet: non_inferiority_margin"},
	} {
		r := Check(passing(33, 51), passing(54, 30), "", decode(t, test.policy), 0, nil)
		var got []string
		for _, said := range failedRules(r) {
			rule, _, _ := strings.Cut(said, ": ")
			key, _, _ := strings.Cut(strings.TrimPrefix(said, rule+": "), ": ")
			got = append(got, rule+": "+key)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%q: %q, want %q", test.policy, got, test.want)
		}
	}
	if _, err := Decode([]byte("[variant.sonnet]\nmust_pass = [\"x\"]")); err == nil || !strings.Contains(err.Error(), "variant.sonnet.must_pass is not known") {
		t.Error(err)
	}
	if _, err := Decode([]byte("[variant.sonnet]\nmin_pass_rate = 9")); err == nil || !strings.Contains(err.Error(), "line 2: variant.sonnet.min_pass_rate") {
		t.Error(err)
	}
	if _, err := Decode([]byte("[gate]\nnon_inferiority_margin = 5")); err == nil || !strings.Contains(err.Error(), "line 2: gate.non_inferiority_margin: must be a share") {
		t.Error(err)
	}
}

// Deterministic cases may not regress at all, unless the policy says so.
func TestDeterministicCases(t *testing.T) {
	unit := func(cases string) *result.Run {
		r := run(cases)
		r.Kind = compare.Deterministic
		return r
	}
	for _, test := range []struct{ policy, after, want string }{
		{"", "p*500", "max_lost pass"},
		{"", "p*499 f", "max_lost fail"},
		{"", "p*499 e", "max_lost fail"}, // JUnit's word for a test that threw
		{"[suite.s]\nmax_lost = 1", "p*499 f", "max_lost pass"},
		{"[suite.default]\nmax_lost = 1", "p*498 f*2", "max_lost fail"},
		{"", "p*499 s", "max_lost fail"},
		{"", "p*499 pf", "max_lost fail"},
		{"", "p*499 ep", "max_lost fail"},
		{"", "p*499 -", "max_lost pass, max_gone fail"},
		{"", "p*499 - f", "max_lost pass, max_gone fail"}, // a new one in its place
		{"[suite.s]\nmax_gone = 1", "p*499 -", "max_lost pass, max_gone pass"},
		{"[suite.s]\nmax_lost = 2\nmax_gone = 0", "p*497 s f -", "max_lost pass, max_gone fail"},
		{"[suite.s]\nmax_lost = 1", "p*498 s f", "max_lost fail"},
		{"[suite.s]\nquarantine = [\"case 50*\"]\nmax_error_rate = 1", "p*499 -", "max_lost pass, quarantine skip"},
	} {
		if got := said(Check(unit(test.after), unit("p*500"), "", decode(t, test.policy), 0, nil)); got != test.want {
			t.Errorf("%q, %s: %s, want %s", test.policy, test.after, got, test.want)
		}
	}
	if got := said(Check(run("p*499 f"), run("p*500"), "", Default(), 0, nil)); got != "" {
		t.Errorf("of another kind: %s", got)
	}
	for _, kinds := range [][2]string{{"unit", "eval"}, {"unit", ""}, {"", "Unit"}} { // a kind that was changed excuses nothing
		before, after := run("p*500"), run("p*498 f s")
		before.Kind, after.Kind = kinds[0], kinds[1]
		r := Check(after, before, "", Default(), 0, nil)
		if got := said(r); got != "max_lost fail" {
			t.Errorf("kinds %q: %s", kinds, got)
		}
		i := slices.IndexFunc(r.Rules, func(x Rule) bool { return x.Rule == "max_lost" })
		if got, want := r.Rules[i].sentence(5), "2 cases regressed (1 failed, 1 skipped), at most 0 may; kind unit is taken to be deterministic, max_lost allows more: case 499, case 500"; got != want {
			t.Errorf("%s", got)
		}
		if n := r.Comparison.Notes; !slices.ContainsFunc(n, func(n compare.Note) bool {
			return n.Text == "kind unit is taken to be deterministic: of the cases that passed in A, 2 no longer pass (1 failed, 1 skipped), whatever the test says of chance"
		}) {
			t.Errorf("%+v", n)
		}
	}
	if got := said(Check(unit("p*3 f s -"), unit("pf f s f"), "", Default(), 0, nil)); strings.Contains(got, "fail") {
		t.Errorf("what did not pass before: %s", got)
	}
	if got := said(Check(unit("p*3"), nil, "none", Default(), 0, nil)); got != "baseline warn, no_regression skip, max_lost skip" {
		t.Errorf("without a baseline: %s", got)
	}
}

func TestMarginRule(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{"p*100", "p*100", "non_inferiority_margin pass"},
		{"p*20", "p*20", "non_inferiority_margin fail"}, // too few to show it
		{"p*100", "p*80 f*20", "no_regression fail, non_inferiority_margin fail"},
		{"none", "p*100", "baseline warn, non_inferiority_margin skip, no_regression skip"},
		{"e*20", "p*20", "non_inferiority_margin fail, no_regression warn"},
	} {
		var before *result.Run
		if test.before != "none" {
			before = run(test.before)
		}
		r := Check(run(test.after), before, "none", decode(t, "[gate]\nnon_inferiority_margin = 0.05"), 0, nil)
		got := strings.Split(said(r), ", ")
		want := strings.Split(test.want, ", ")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s to %s: %v, want %v", test.before, test.after, got, want)
		}
	}
}

// What found its way past the gate when others attacked it.
func TestNothingSlipsThrough(t *testing.T) {
	named := func(suite string, n int, pass bool) *result.Run {
		return made(n, func(i int) (result.Result, bool) {
			return result.Result{Suite: suite, Name: fmt.Sprint("c", i)}, pass
		})
	}
	for _, test := range []struct {
		name, policy  string
		before, after *result.Run
		want          Verdict
	}{
		{"all suites renamed", "", named("x", 100, true), named("y", 100, false), NotChecked},
		{"a baseline that judged nothing", "", run("e*20"), run("f*20"), NotChecked},
		{"and the policy passes it", "[gate]\non_no_baseline = \"pass\"", named("x", 100, true), named("y", 100, false), Passed},
		{"a section that says nothing of regressions", "[gate]\nno_regression = true\n[suite.default]\nno_regression = false\n[suite.x]\nmax_cost_usd = 5", named("x", 40, true), named("x", 40, false), Failed},
		{"must_pass with errors", "[suite.s]\nmust_pass = [\"case 01\"]\nmax_error_rate = 1", run("p p"), run("pee p"), Failed},
		{"one variant alone, with a section", "[variant.v]\nnon_inferiority_margin = 0.1",
			made(60, func(i int) (result.Result, bool) { return result.Result{Name: fmt.Sprint(i), Variant: "v"}, true }),
			made(60, func(i int) (result.Result, bool) { return result.Result{Name: fmt.Sprint(i), Variant: "v"}, true }), Passed},
		{"a variant that is gone", "",
			made(60, func(i int) (result.Result, bool) {
				return result.Result{Name: fmt.Sprint(i / 2), Variant: fmt.Sprint("v", i%2)}, true
			}),
			made(30, func(i int) (result.Result, bool) { return result.Result{Name: fmt.Sprint(i), Variant: "v0"}, true }), Passed},
	} {
		if r := Check(test.after, test.before, "", decode(t, test.policy), 0, nil); r.Verdict != test.want {
			t.Errorf("%s: %s %q, want %s", test.name, r.Verdict, failedRules(r), test.want)
		}
		if r := Check(test.after, test.before, "", decode(t, test.policy), 0, nil); r.Verdict == NotChecked {
			if why, data := r.Why(); why != "compared nothing: no case was judged in both runs" || data {
				t.Errorf("%s: %q", test.name, why)
			}
		}
	}
	failing := made(120, func(i int) (result.Result, bool) {
		return result.Result{Suite: "s", Name: fmt.Sprint(i / 6), Variant: fmt.Sprint("v", i%6)}, true
	})
	for i := range failing.Results {
		if i%6 == 0 {
			failing.Results[i].Set(result.Error)
		}
	}
	failing.Recount()
	if r := Check(failing, failing, "", Default(), 0, nil); !slices.ContainsFunc(failedRules(r), func(s string) bool { return strings.HasPrefix(s, "variant v0: max_error_rate") }) {
		t.Errorf("a variant of errors: %s %q", r.Verdict, failedRules(r))
	}
}

// A criterion that falls a little in every suite fails where suites may not fall.
func TestPooledScoreFails(t *testing.T) {
	scored := func(mean float64) *result.Run {
		return made(80, func(i int) (result.Result, bool) {
			return result.Result{Suite: fmt.Sprint("s", i/4), Name: fmt.Sprint(i), JudgeScores: map[string]float64{"accuracy": mean + 0.01*float64(i%7)}}, true
		})
	}
	r := Check(scored(0.5), scored(0.62), "", decode(t, "[suite.default]\ncriteria.accuracy = {no_regression = true}"), 0, nil)
	if r.Verdict != Failed {
		t.Errorf("%s: %q", r.Verdict, r.Summary())
	}
	if r := Check(scored(0.5), scored(0.62), "", Default(), 0, nil); r.Verdict != Passed || r.Count(Warn) == 0 {
		t.Errorf("without a rule: %s, %d warnings", r.Verdict, r.Count(Warn))
	}
}
