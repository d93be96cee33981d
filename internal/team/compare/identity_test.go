package compare

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// prompted is a run of two tests with each prompt, as the reader of promptfoo makes
// it: a prompt is its text, or "label=text". Whether a test passes depends on the
// text alone, so that nothing changes unless other texts are compared.
func prompted(prompts ...string) *result.Run {
	run := &result.Run{Suite: "s", Tool: madeIDs}
	for i, text := range prompts {
		p := result.Prompt{Name: fmt.Sprintf("prompt %d", i+1), Text: text}
		if label, own, ok := strings.Cut(text, "="); ok {
			p.Name, p.Label, p.Text = label, label, own
		}
		p.ID = result.ContentID(p.Text)
		run.Prompts = append(run.Prompts, p)
		for _, test := range []string{"x", "y"} {
			r := result.Result{Name: test, Variant: "m · " + p.Name, CaseID: test + p.Name, Identity: &result.Identity{Input: result.ContentID("in " + test), Prompt: p.Name}}
			if r.Set(result.Pass); strings.HasPrefix(p.Text, "bad") {
				r.Set(result.Fail)
			}
			run.Results = append(run.Results, r)
		}
	}
	run.Recount()
	return run
}

func noted(c *Comparison) (list []string) {
	for _, n := range c.Notes {
		if strings.HasPrefix(n.Code, "prompt-") || strings.HasPrefix(n.Code, "case-") || n.Code == "input-changed" || n.Code == "prompts" {
			list = append(list, n.Code+": "+n.Text)
		}
	}
	return list
}

// What is said of prompts, and never a case lost or gained unless one prompt was
// edited from a text that passes to one that does not.
func TestPromptsAreTheirText(t *testing.T) {
	for _, tt := range []struct {
		what         string
		a, b         []string
		lost, gained int
		new, gone    int
		notes        []string
	}{
		{"nothing", []string{"good", "bad"}, []string{"good", "bad"}, 0, 0, 0, 0, nil},
		{"inserted in front", []string{"good", "bad"}, []string{"bad 2", "good", "bad"}, 0, 0, 2, 0,
			[]string{"prompt-moved: prompt 1 of A is prompt 2 of B", "prompt-moved: prompt 2 of A is prompt 3 of B", "prompt-new: prompt 1 of B is new"}},
		{"moved", []string{"good", "bad"}, []string{"bad", "good"}, 0, 0, 0, 0,
			[]string{"prompt-moved: prompt 1 of A is prompt 2 of B", "prompt-moved: prompt 2 of A is prompt 1 of B"}},
		{"taken out", []string{"good", "bad"}, []string{"bad"}, 0, 0, 0, 2, []string{"prompt-gone: prompt 1 of A is not in B", "prompt-moved: prompt 2 of A is prompt 1 of B"}},
		{"edited in place", []string{"good", "bad"}, []string{"bad 2", "bad"}, 2, 0, 0, 0, []string{"prompt-edited: prompt 1 was edited"}},
		{"all edited", []string{"good", "bad"}, []string{"bad 2", "good 2"}, 2, 2, 0, 0, []string{"prompt-edited: prompt 1 was edited", "prompt-edited: prompt 2 was edited"}},
		{"one inserted, another edited", []string{"good 1", "good 2", "good 3"}, []string{"bad new", "good 1", "bad 2", "good 3"}, 2, 0, 2, 0,
			[]string{"prompt-moved: prompt 1 of A is prompt 2 of B", "prompt-edited: prompt 2 of A was edited and is prompt 3 of B", "prompt-moved: prompt 3 of A is prompt 4 of B", "prompt-new: prompt 1 of B is new"}},
		{"moved, another edited", []string{"good 1", "bad 2", "good 3"}, []string{"bad 2", "good 1", "bad 3"}, 2, 0, 0, 0,
			[]string{"prompt-moved: prompt 1 of A is prompt 2 of B", "prompt-moved: prompt 2 of A is prompt 1 of B", "prompt-edited: prompt 3 was edited"}},
		{"which was edited is not known", []string{"good", "bad"}, []string{"bad 1", "bad 2", "bad"}, 0, 0, 4, 2,
			[]string{"prompt-gone: prompt 1 of A is not in B", "prompt-moved: prompt 2 of A is prompt 3 of B", "prompt-new: prompt 1 of B is new", "prompt-new: prompt 2 of B is new"}},
		{"given a label", []string{"good", "bad"}, []string{"short=good", "bad"}, 0, 0, 0, 0, []string{`prompt-renamed: prompt 1 of A is called "short" in B`}},
		{"another label", []string{"short=good", "bad"}, []string{"brief=good", "bad"}, 0, 0, 0, 0, []string{`prompt-renamed: the prompt "short" of A is called "brief" in B`}},
		{"labels swapped", []string{"a=good", "b=bad"}, []string{"b=good", "a=bad"}, 0, 0, 0, 0,
			[]string{`prompt-renamed: the prompt "a" of A is called "b" in B`, `prompt-renamed: the prompt "b" of A is called "a" in B`}},
		{"edited under its label", []string{"a=good", "b=bad"}, []string{"b=bad", "a=bad 2"}, 2, 0, 0, 0, []string{`prompt-edited: the prompt "a" was edited`}},
		{"another label and another text", []string{"a=good"}, []string{"b=bad"}, 0, 0, 2, 2, []string{`prompt-gone: the prompt "a" of A is not in B`, `prompt-new: the prompt "b" of B is new`}},
		{"two labels of one text", []string{"a=good", "b=good"}, []string{"b=good", "a=bad"}, 2, 0, 0, 0, []string{`prompt-edited: the prompt "a" was edited`}},
	} {
		c := Runs(prompted(tt.a...), prompted(tt.b...), Options{})
		if n := c.Counts; n.Lost != tt.lost || n.Gained != tt.gained || n.New != tt.new || n.Gone != tt.gone {
			t.Errorf("%s: lost %d, gained %d, new %d, gone %d", tt.what, n.Lost, n.Gained, n.New, n.Gone)
		}
		if got := noted(c); !slices.Equal(got, tt.notes) {
			t.Errorf("%s: %q", tt.what, got)
		}
	}
}

// A pair says how its case was called, and what of it was edited.
func TestCaseSaysWhatItWas(t *testing.T) {
	c := Runs(prompted("good", "bad"), prompted("bad new", "good", "bad"), Options{})
	for _, k := range c.Cases {
		if k.Name == "x [m · prompt 2]" {
			if k.Changed == nil || k.Changed.Was != "x [m · prompt 1]" || k.CaseID != "xprompt 2" || k.Class != Passed || k.Changed.Edited != nil {
				t.Errorf("%+v", k)
			}
			return
		}
	}
	t.Errorf("%+v", c.Cases)
}

// An id that a runner gave a case is kept, whatever prompt or variant the case ran
// with. One that is made of the prompt's number is not.
func TestCaseIDs(t *testing.T) {
	of := func(variant, prompt, input string, status result.Status) *result.Run {
		run := &result.Run{Suite: "s"}
		if prompt != "" {
			run.Prompts = []result.Prompt{{Name: prompt, ID: result.ContentID(prompt), Label: prompt}}
		}
		for i := range 3 {
			r := result.Result{Name: fmt.Sprint("case ", i), CaseID: fmt.Sprint("refund-", i), Variant: variant,
				Identity: &result.Identity{Input: result.ContentID(fmt.Sprint(input, i)), Prompt: prompt}}
			r.Set(status)
			run.Results = append(run.Results, r)
		}
		run.Recount()
		return run
	}
	const others = `"case 0", "case 1", "case 2"`
	promptNotes := []string{`prompt-gone: the prompt "short" of A is not in B`, `prompt-new: the prompt "long" of B is new`}
	prompted := "case-prompt: cases with the same case_id have another prompt in B; they are compared, and what became of them may be due to that: " + others
	asked := "input-changed: the input of cases changed; they are compared by their name, and what became of them may be due to that: " + others
	for _, tt := range []struct {
		what   string
		a, b   *result.Run
		edited []string
		notes  []string
	}{
		{"another prompt", of("m · short", "short", "x", result.Pass), of("m · long", "long", "x", result.Fail), []string{"prompt"}, append(promptNotes, prompted)},
		{"another prompt and input", of("m · short", "short", "x", result.Pass), of("m · long", "long", "y", result.Fail), []string{"input", "prompt"}, append(promptNotes, asked, prompted)},
		{"another variant", of("v1", "", "x", result.Pass), of("v2", "", "x", result.Fail), nil, nil},
		{"another input", of("", "", "x", result.Pass), of("", "", "y", result.Fail), []string{"input"}, []string{strings.ReplaceAll(asked, `"case `, `"refund-`)}},
	} {
		c := Runs(tt.a, tt.b, Options{})
		if c.Counts.Lost != 3 || c.Counts.New+c.Counts.Gone > 0 {
			t.Errorf("%s: %+v", tt.what, c.Counts)
			continue
		}
		if k := c.Cases[0]; tt.edited != nil && !slices.Equal(k.Changed.Edited, tt.edited) {
			t.Errorf("%s: %+v", tt.what, k.Changed)
		}
		got, want := noted(c), slices.Clone(tt.notes)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", tt.what, got)
		}
	}
}

// Runs of an older version have no texts: their numbers count, as they did.
func TestStoredEarlier(t *testing.T) {
	before, after := prompted("good", "bad"), prompted("bad new", "good", "bad")
	before.Prompts = nil
	for i := range before.Results {
		before.Results[i].Identity = nil
	}
	if c := Runs(before, after, Options{}); c.Counts.Lost != 2 || c.Counts.Gained != 2 || c.Counts.New != 2 || noted(c) != nil {
		t.Errorf("%+v %q", c.Counts, noted(c))
	}
	if c := Runs(after, before, Options{}); c.Counts.Lost != 2 || c.Counts.Gained != 2 || c.Counts.Gone != 2 {
		t.Errorf("%+v", c.Counts)
	}
}

// A file that does not hold the texts of labelled prompts, such as JSONL, is
// matched by their labels.
func TestTextNotKnown(t *testing.T) {
	after := prompted("b=bad", "a=good")
	for i := range after.Prompts {
		after.Prompts[i].ID, after.Prompts[i].Text = "", ""
	}
	if c := Runs(prompted("a=good", "b=bad"), after, Options{}); c.Counts.Passed != 2 || c.Counts.Failed != 2 || noted(c) != nil {
		t.Errorf("%+v %q", c.Counts, noted(c))
	}
}

// asked is a run of questions by name; one that begins with "bad" fails.
func asked(cases ...[2]string) *result.Run {
	run := &result.Run{Suite: "s"}
	for _, k := range cases {
		r := result.Result{Name: k[0], Identity: &result.Identity{Input: result.ContentID(k[1])}}
		if r.Set(result.Pass); strings.HasPrefix(k[1], "bad") {
			r.Set(result.Fail)
		}
		run.Results = append(run.Results, r)
	}
	return run
}

// Cases are their suite, name and input: one that was renamed is the same, one with
// another input is compared and said, and numbers that came to mean others say
// nothing.
func TestCasesAreTheirInput(t *testing.T) {
	type cases = [][2]string
	for _, tt := range []struct {
		what         string
		a, b         cases
		lost, gained int
		new, gone    int
		notes        []string
	}{
		{"renamed", cases{{"one", "x"}, {"two", "y"}}, cases{{"uno", "x"}, {"two", "y"}}, 0, 0, 0, 0, []string{`case-renamed: cases with the same input and another name are taken for the same: "one" is "uno" in B`}},
		{"other input", cases{{"one", "x"}, {"two", "y"}}, cases{{"one", "bad"}, {"two", "y"}}, 1, 0, 0, 0, []string{`input-changed: the input of cases changed; they are compared by their name, and what became of them may be due to that: "one"`}},
		{"numbers moved", cases{{"1", "x"}, {"2", "bad"}}, cases{{"1", "bad new"}, {"2", "x"}, {"3", "bad"}}, 0, 0, 1, 0,
			[]string{`case-renamed: cases with the same input and another name are taken for the same: "1" is "2" in B, "2" is "3" in B`}},
		{"swapped", cases{{"1", "x"}, {"2", "bad"}}, cases{{"1", "bad"}, {"2", "x"}}, 0, 0, 0, 0, []string{`case-renamed: cases with the same input and another name are taken for the same: "1" is "2" in B, "2" is "1" in B`}},
		{"one input in several", cases{{"a", "x"}, {"b", "x"}}, cases{{"a", "x"}, {"c", "x"}}, 0, 0, 0, 0, []string{`case-renamed: cases with the same input and another name are taken for the same: "b" is "c" in B`}},
		{"not to be told apart", cases{{"a", "x"}, {"b", "x"}}, cases{{"c", "x"}, {"d", "x"}}, 0, 0, 2, 2, nil},
		{"other name and input", cases{{"a", "x"}}, cases{{"b", "y"}}, 0, 0, 1, 1, nil},
	} {
		c := Runs(asked(tt.a...), asked(tt.b...), Options{})
		if n := c.Counts; n.Lost != tt.lost || n.Gained != tt.gained || n.New != tt.new || n.Gone != tt.gone {
			t.Errorf("%s: %+v", tt.what, n)
		}
		if got := noted(c); !reflect.DeepEqual(got, tt.notes) {
			t.Errorf("%s: %q", tt.what, got)
		}
	}
}

// A runner of one's own says what was asked in a member: where a case came out
// otherwise, that is looked at.
func TestInputOfOwn(t *testing.T) {
	run := func(cases ...string) *result.Run {
		run := &result.Run{Suite: "s"}
		for i, x := range cases {
			r := result.Result{Name: fmt.Sprint("c", i)}
			if r.Set(result.Pass); strings.HasPrefix(x, "-") {
				r.Set(result.Fail)
			}
			if x = strings.TrimPrefix(x, "-"); x != "" {
				r.X = jsontext.Value(x)
			}
			run.Results = append(run.Results, r)
		}
		return run
	}
	a := run(`{"input":"x"}`, `{"vars":{"a":1,"b":[2]}}`, `{"input":"x"}`, `{"input":"x"}`, ``, `{"turns":1}`)
	b := run(`-{"input":"y"}`, `-{"turns":3,"vars":{"b": [2], "a":1}}`, `-{"input":"x","turns":2}`, `{"input":"y"}`, `-{"input":"y"}`, `-{"turns":2}`)
	c := Runs(a, b, Options{})
	if got, want := noted(c), []string{`input-changed: cases that came out otherwise have another input in B, which may be why: "c0"`}; !slices.Equal(got, want) || c.Counts.Lost != 5 {
		t.Errorf("%q %+v", got, c.Counts)
	}
	if k := c.Cases[0]; k.Name != "c0" || k.Changed == nil || !slices.Equal(k.Changed.Edited, []string{"input"}) {
		t.Errorf("%+v", k)
	}
}

// Attempts at one case stay together, whatever it is called in the other run.
func TestAttemptsFollow(t *testing.T) {
	a, b := asked([2]string{"1", "x"}), asked([2]string{"2", "x"})
	for _, run := range []*result.Run{a, b} {
		again := run.Results[0]
		again.Attempt = 2
		again.Set(result.Fail)
		run.Results = append(run.Results, again)
	}
	if c := Runs(a, b, Options{}); len(c.Cases) != 1 || c.Cases[0].Class != Flaky || c.Cases[0].B.Judged() != 2 || c.Cases[0].Changed.Was != "1" {
		t.Errorf("%+v", c.Cases)
	}
}
