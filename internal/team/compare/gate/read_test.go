package gate

import (
	"strings"
	"testing"
)

func TestDecodeErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[gate]\nalfa = 0.1", "line 2: gate.alfa is not known; did you mean alpha"},
		{"[gates]\n", "line 1: gates is not known; did you mean gate"},
		{"[suite.s]\n\nmax_losst = 1", "line 3: suite.s.max_losst is not known; did you mean max_lost"},
		{"[suite.s]\ncriteria.x = {minimum = 1}", "line 2: suite.s.criteria.x.minimum is not known; known are min, no_regression"},
		{"[suite.s]\nzzzzzzzzz = 1", "line 2: suite.s.zzzzzzzzz is not known; known are min_pass_rate, "},
		{"[gate]\nalpha = \"x\"", "line 2: "},
		{"[gate]\nalpha = 1", "line 2: gate.alpha: a share between 0 and 1 is wanted, such as 0.05"},
		{"[gate]\nalpha = nan", "line 2: gate.alpha: a share"},
		{"[gate]\non_no_baseline = \"shrug\"", `line 2: gate.on_no_baseline: must be "pass", "warn", "not-checked" or "fail"`},
		{"[gate]\nbaseline = \" \"", "line 2: gate.baseline: the name of a run"},
		{"[gate]\nmax_cost_usd = -1", "line 2: gate.max_cost_usd: a number from 0 is wanted"},
		{"[gate]\nmax_cost_usd = inf", "line 2: gate.max_cost_usd: a number"},
		{"[suite.s]\nmin_pass_rate = 90", "line 2: suite.s.min_pass_rate: a share from 0 to 1 is wanted, such as 0.9"},
		{"[suite.s]\nmax_lost = -1", "line 2: suite.s.max_lost: a number of cases is wanted"},
		{"[suite.s]\nmust_pass = [\"\"]", "line 2: suite.s.must_pass: an empty name matches no case"},
		{"[suite.s]\nmust_pass = \"a\"", "line 2: "},
		{"[suite.s]\ncriteria.x = {}", "line 2: suite.s.criteria.x: min or no_regression is wanted"},
		{"[suite.s]\ncriteria.x = {min = nan}", "line 2: suite.s.criteria.x.min: a score is wanted"},
		{"[gate]\n[gate]\n", "line 2: "},
		{"[gate", "line 1: "},
		{"\x00", "line 1: "},
		{strings.Repeat("#", MaxBytes+1), "a policy of more than 1024 KB is not read"},
	} {
		_, err := Decode([]byte(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: %v, want %s", test.text, err, test.want)
		}
	}
}

func TestDecode(t *testing.T) {
	p := decode(t, "\ufeff"+`[suite.default]
min_pass_rate = 0.5
max_lost = 3
criteria.accuracy = { min = 0.7 }

[suite."a suite"]
min_pass_rate = 0.9
no_regression = false
criteria.accuracy = { no_regression = true }
criteria."two words".min = 4
`)
	r := p.rules("a suite")
	if *r.MinPassRate != 0.9 || *r.MaxLost != 3 || *r.NoRegression || *r.MaxErrorRate != 0.2 {
		t.Errorf("a section and the default: %+v", r)
	}
	if c := r.Criteria["accuracy"]; *c.Min != 0.7 || !*c.NoRegression || *r.Criteria["two words"].Min != 4 {
		t.Errorf("criteria: %+v", r.Criteria)
	}
	if r := p.rules("another"); *r.MinPassRate != 0.5 || !*r.NoRegression || r.Criteria["accuracy"].NoRegression != nil {
		t.Errorf("the default: %+v", r)
	}
	if p.Alpha != 0.05 || p.NoBaseline != StopThen || p.Baseline != "" {
		t.Errorf("gate: %+v", p)
	}
}

// Whatever is in the file: a policy or one line that says what is wrong.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"", "[gate]\nalpha = 0.1", "[suite.s]\ncriteria.x = {min = 1, no_regression = true}", "[suite.\"a\\u0000b\"]\nquarantine = [\"*\"]", "a.b.c = {d.e = [1, {f = 2}]}", "[[suite]]\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data)
		if err == nil {
			Check(run("p f e"), run("p p p"), "", p, 0, nil)
			return
		}
		if text := err.Error(); text == "" || strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("%q", text)
		}
	})
}
