package grade

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
)

// What is missing holds neither way, in any type; and what holds does not hold
// under not.
func TestNotOfEveryType(t *testing.T) {
	for _, tr := range trials {
		if strings.Contains(tr.keys, "path: .") {
			continue
		}
		keys := ""
		if tr.keys != "" {
			keys = ", " + tr.keys
		}
		for _, wrap := range []string{
			`expectation: {type: ` + tr.kind + keys + `}`,
			`expectation: {type: any_of, expectations: [{type: ` + tr.kind + keys + `}]}`,
			`expectation: {type: all_of, threshold: 0.5, expectations: [{type: ` + tr.kind + keys + `}]}`,
			`expectation: {type: not, expectation: {type: not, expectation: {type: ` + tr.kind + keys + `}}}`,
		} {
			c := caseOf(t, "not", wrap, tr.input)
			missing := []string{`{"unrelated":1}`}
			if tr.missing != "" {
				missing = append(missing, tr.missing)
			}
			for _, output := range missing {
				if r := graded(t, c, output); r.Passed {
					t.Errorf("not %s passes without what it reads: %s", tr.kind, output)
				}
			}
			for _, output := range tr.pass {
				if r := graded(t, c, output); r.Passed {
					t.Errorf("%s and not %s pass: %s", tr.kind, tr.kind, output)
				}
			}
		}
	}
}

// A value of another kind does not equal, so that not holds; one that is missing holds
// neither way.
func TestNotEquals(t *testing.T) {
	for _, tt := range []struct {
		value, output string
		equal, not    bool
	}{
		{`"5"`, `{"a":"5"}`, true, false},
		{`5`, `{"a":5}`, true, false},
		{`5`, `{"a":"5"}`, true, false}, // a text is read as JSON
		{`"5"`, `{"a":5}`, false, true},
		{`5`, `{"a":"five"}`, false, true},
		{`"x"`, `{"a":["x"]}`, false, true},
		{`true`, `{"a":"yes"}`, false, true},
		{`"5"`, `{"a":null}`, false, false},
		{`"5"`, `{"a":" "}`, false, false},
		{`"5"`, `{"b":"6"}`, false, false},
	} {
		keys := "path: a, value: " + tt.value
		if r := graded(t, caseOf(t, "equals", keys, ""), tt.output); r.Passed != tt.equal {
			t.Errorf("equals %s of %s: %v", tt.value, tt.output, r.Passed)
		}
		if r := graded(t, caseOf(t, "not", "expectation: {type: equals, "+keys+"}", ""), tt.output); r.Passed != tt.not {
			t.Errorf("not equals %s of %s: %v", tt.value, tt.output, r.Passed)
		}
	}
}

// made makes a tree of joined leaves of which some are known.
func made(rng *rand.Rand, depth int, leaves *[]*part) *part {
	kind := rng.IntN(4)
	if depth == 0 || kind == 3 {
		p := &part{want: &cases.Expectation{Type: "leaf", Weight: float64(rng.IntN(3) + 1)}, is: outcome(rng.IntN(5)), exam: &exam{}}
		*leaves = append(*leaves, p)
		return p
	}
	list := []string{}
	for range rng.IntN(3) + 1 {
		list = append(list, "x")
	}
	yaml := [...]string{"not", "any_of", "all_of"}[kind]
	p := &part{want: joiner(yaml, rng)}
	p.want.Weight = float64(rng.IntN(3) + 1)
	for range list {
		p.parts = append(p.parts, made(rng, depth-1, leaves))
		if yaml == "not" {
			break
		}
	}
	return p
}

func joiner(kind string, rng *rand.Rand) *cases.Expectation {
	keys := map[string]string{"not": "expectation: {type: worthy}", "any_of": "expectations: [{type: worthy}]", "all_of": "expectations: [{type: worthy}], threshold: " + [...]string{"1", "0.5", "0.34"}[rng.IntN(3)]}[kind]
	all, _ := readYAML("name: c\nexpectations: [{type: "+kind+", "+keys+"}]\n", nil)
	return &all[0].Expectations[0]
}

// Whatever is not known may turn out either way: what is said to hold, or not
// to, stays so. A tree and its contrary never hold both.
func TestJoiningIsSound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	open := 0
	for range 3000 {
		var leaves []*part
		root := made(rng, 3, &leaves)
		is, not := root.outcome(false), root.outcome(true)
		if is == holding && not == holding {
			t.Fatal("a tree and its contrary hold")
		}
		if is > missing {
			open++
		}
		before := make([]outcome, len(leaves))
		for i, l := range leaves {
			before[i] = l.is
		}
		for range 20 {
			for i, l := range leaves {
				if before[i] == unknown || before[i] == unjudged {
					l.is = outcome(rng.IntN(3)) // holding, broken or missing
				}
			}
			later := root.outcome(false)
			if later > missing {
				t.Fatalf("all is known, and the tree is not: %v", later)
			}
			if is == holding && later != holding || (is == broken || is == missing) && later == holding {
				t.Fatalf("%v became %v: %s", is, later, root.why(false))
			}
		}
		for i, l := range leaves { // what is missing could as well have failed, for all that passes
			l.is = before[i]
			if l.is == missing {
				l.is = broken
			}
		}
		if is == holding && root.outcome(false) != holding {
			t.Fatalf("holds because something is missing: %s", root.why(false))
		}
	}
	if open < 100 {
		t.Errorf("only %d trees were open", open)
	}
}

// Nobody is asked what no answer could change.
func TestJoinedQuestions(t *testing.T) {
	const yaml = `
- name: c
  expectations:
    - type: any_of
      expectations: [{type: response_contains, patterns: [x]}, {type: quality_check, criteria: {tone: 0.7}}]
`
	for _, tt := range []struct {
		output string
		score  float64
		err    error
		asked  int
		status result.Status
		open   int
	}{
		{`{"c":"x"}`, 0, nil, 0, result.Pass, 0},
		{`{"c":"y"}`, 0.8, nil, 1, result.Pass, 0},
		{`{"c":"y"}`, 0.2, nil, 1, result.Fail, 0},
		{`{"c":"y"}`, 0, errors.New("no answer"), 1, result.Error, 0},
		{`{"c":"y"}`, -1, nil, 0, result.Skip, 1},                                                     // nobody to ask
		{`{"c":{"output":{"response":"y"},"judge_scores":{"tone":0.9}}}`, -1, nil, 0, result.Pass, 0}, // brought
		{`{"c":{"output":{"response":"y"},"judge_scores":{"tone":0.1}}}`, -1, nil, 0, result.Fail, 0},
	} {
		j := &countingJudge{score: tt.score, err: tt.err}
		opts := Options{Suite: "s", Judge: j}
		if tt.score < 0 {
			opts.Judge = nil
		}
		report := gradeAll(t, yaml, tt.output, opts)
		r := report.Run.Results[0]
		if r.Status != tt.status || j.asked != tt.asked || report.NotJudged != tt.open {
			t.Errorf("%s with %v, %v: %s %q %v, asked %d, open %d", tt.output, tt.score, tt.err, r.Status, r.Error, r.Failures, j.asked, report.NotJudged)
		}
		if tt.err != nil && r.Error != "not judged: no answer" {
			t.Error(r.Error)
		}
	}
}

// Where something cannot be told, judges are asked only if they could tell all.
func TestJoinedQuestionsBesideTheUnknown(t *testing.T) {
	long := `{"c":"` + strings.Repeat("x", 20_000) + `"}`
	for kind, asked := range map[string]int{"all_of": 0, "any_of": 1} {
		j := &countingJudge{score: 0.9}
		r := gradeAll(t, `{name: c, expectations: [{type: `+kind+`, expectations: [{type: levenshtein, value: x, max_distance: 1}, {type: quality_check, criteria: {tone: 0.7}}]}]}`, long, Options{Judge: j}).Run.Results[0]
		if j.asked != asked || r.Passed != (asked == 1) || r.Status == result.Fail {
			t.Errorf("%s: asked %d times, %s %q", kind, j.asked, r.Status, r.Error)
		}
	}
}

type countingJudge struct {
	score float64
	err   error
	asked int
}

func (j *countingJudge) Judge(_ context.Context, questions []Question) ([]Verdict, error) {
	j.asked += len(questions)
	verdicts := make([]Verdict, len(questions))
	for i := range verdicts {
		verdicts[i] = Verdict{Scores: map[string]float64{"tone": j.score}, Err: j.err}
	}
	return verdicts, nil
}

// A message says which part is to blame.
func TestJoinedMessages(t *testing.T) {
	for keys, want := range map[string]string{
		`type: not, expectation: {type: response_contains, patterns: [x]}`:                                                                  "response_contains holds",
		`type: not, expectation: {type: title_excludes, patterns: [x]}`:                                                                     "title_excludes: output has no title (looked at title, structured_content.title)",
		`type: any_of, expectations: [{type: has_title}, {type: response_contains, patterns: [y]}]`:                                         "0 of 2 hold (has_title: output has no title (looked at title, structured_content.title); response_contains: pattern not found in output: y)",
		`type: all_of, threshold: 0.6, expectations: [{type: has_title, weight: 2}, {type: response_contains, patterns: [x], weight: 1.5}]`: "1.5 of 3.5 hold (has_title: output has no title (looked at title, structured_content.title))",
		`type: not, expectation: {type: any_of, expectations: [{type: response_contains, patterns: [x]}, {type: worthy}]}`:                  "any_of: 0 of 2 hold (response_contains holds; worthy: output has no worthy (looked at worthy, is_worthy, classification.worthy))",
	} {
		all, problems := readYAML("name: c\nexpectations: [{"+keys+"}]\n", nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if r := graded(t, all[0], `{"response":"x"}`); r.Passed || r.Failures[0].Message != want {
			t.Errorf("%s\n%+v", keys, r.Failures)
		}
	}
}
