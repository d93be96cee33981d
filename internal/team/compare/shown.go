package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/text"
)

// Shown is what a page shows of a comparison: figures as a person reads them, so
// that they are said in one way everywhere. Package evalpage draws it.
type (
	Shown struct {
		Verdict Verdict      `json:"verdict"`
		Summary string       `json:"summary"`
		Score   Verdict      `json:"score"`
		Scored  string       `json:"scored"` // the sentence
		Notes   []Note       `json:"notes"`
		Sides   []shownSide  `json:"sides"`
		Tables  []shownTable `json:"tables"`
		Spend   []string     `json:"spend"`
		Classes []shownClass `json:"classes"`
		Cases   []shownCase  `json:"cases"`
		Test    string       `json:"test"` // how it was tested
	}
	shownSide struct {
		Name    string `json:"name"`
		Outcome string `json:"outcome"`
	}
	shownTable struct {
		Title    string     `json:"title"`
		Head     []string   `json:"head"`
		Verdicts []Verdict  `json:"verdicts"` // of the rows
		Rows     [][]string `json:"rows"`
	}
	shownClass struct {
		Class Class  `json:"class"`
		Count int    `json:"count"`
		What  string `json:"what"`
	}
	shownCase struct {
		Class  Class     `json:"class"`
		Change float64   `json:"change"`
		Title  string    `json:"title"`
		Suite  string    `json:"suite"`
		Brief  string    `json:"brief"`
		Aside  bool      `json:"aside"` // in quarantine
		A      *shownRan `json:"a"`
		B      *shownRan `json:"b"`
	}
	shownRan struct {
		Status   string   `json:"status"`
		Facts    string   `json:"facts"`
		Messages []string `json:"messages"`
		Preview  string   `json:"preview"`
	}
)

// Shown returns what a page shows. Cases that pass in both runs are counted in it
// and not listed.
func (c *Comparison) Shown() Shown {
	v := Shown{
		Verdict: c.Verdict, Summary: c.Summary, Score: c.ScoreVerdict, Scored: c.ScoreSummary(), Notes: c.Notes,
		Sides: []shownSide{{c.A.Name(), c.A.Attempts.Outcome()}, {c.B.Name(), c.B.Attempts.Outcome()}},
		Test: fmt.Sprintf("McNemar's test of the whole run, each suite and each group, adjusted for all of them, α = %g; intervals of %g %%; p-values of scores by random signs. Variants and repeats of a case are averaged inside it. Cases that pass in both runs are not listed.",
			c.Alpha, c.Confidence*100),
	}
	for _, n := range []struct {
		class Class
		what  string
	}{
		{Lost, "passed in A, fails in B"}, {Gained, "failed in A, passes in B"}, {Flaky, "passed and failed in one run"}, {NotJudged, "ended in errors"},
		{New, "in B only"}, {Gone, "in A only"}, {Failed, "fails in both"}, {Skipped, "not run in A or B"}, {Passed, "passes in both"},
	} {
		v.Classes = append(v.Classes, shownClass{n.class, len(c.Of(n.class)), n.what})
	}
	for i := range c.Cases {
		if k := &c.Cases[i]; k.Class != Passed {
			v.Cases = append(v.Cases, c.shownCase(k))
		}
	}
	slices.SortStableFunc(v.Cases, func(a, b shownCase) int { return cmp.Compare(a.Class.rank(), b.Class.rank()) })
	if c.Verdict == SameRun {
		return v
	}
	for _, list := range c.tables() {
		v.Tables = append(v.Tables, c.partTable(list))
	}
	if len(c.Scores) > 0 {
		v.Tables = append(v.Tables, c.scoreTable())
	}
	for _, s := range c.spent() {
		v.Spend = append(v.Spend, s.what+": "+s.cases+"; "+s.runs)
	}
	return v
}

func (c *Comparison) partTable(list table) shownTable {
	t := shownTable{Title: strings.ToUpper(list.plural()[:1]) + list.plural()[1:], Head: []string{list.what, "cases", "A", "B", "regressed", "fixed", "flaky", "p", "p (adjusted)", "verdict"}}
	for i := range list.parts {
		s := &list.parts[i]
		verdict := string(s.Verdict)
		if s.Verdict == NoDifference {
			verdict += ": " + s.Limits()
			if s.Near(c.Alpha) {
				verdict = string(s.Verdict) + ": too near to call, exact p " + pValue(*s.PStrict)
			}
		}
		t.Rows = append(t.Rows, []string{suiteName(s.Name), fmt.Sprint(s.Tested), s.RateA.Percent(), s.RateB.Percent(),
			fmt.Sprint(s.Lost), fmt.Sprint(s.Gained), flakyText(s.Counts), pText(s.P), pText(s.PHolm), verdict})
		t.Verdicts = append(t.Verdicts, s.Verdict)
	}
	return t
}

func (c *Comparison) scoreTable() shownTable {
	t := shownTable{Title: "Scores", Head: []string{"score", "cases", "A", "B", "change", "p", "p (adjusted)", "verdict"}}
	for _, s := range c.Scores {
		name := s.Title()
		if len(c.Suites) > 1 {
			name = s.Where() + " › " + name
		}
		t.Verdicts = append(t.Verdicts, s.Verdict)
		if s.Verdict == NotComparable {
			t.Rows = append(t.Rows, []string{name, fmt.Sprint(s.Cases), "", "", "", "", "", "not compared: " + s.Why})
			continue
		}
		if s.Scale != "0-1" {
			name += " (" + s.Scale + ")"
		}
		t.Rows = append(t.Rows, []string{name, fmt.Sprint(s.Cases), figure3(s.A), figure3(s.B),
			signed(s.Diff, figure3) + " " + between(s.Lo, s.Hi, figure3), pText(s.P), pText(s.PHolm), string(s.Verdict)})
	}
	return t
}

func (c *Comparison) shownCase(k *Case) shownCase {
	p := shownCase{Class: k.Class, Change: k.Change, Title: k.Name, Brief: k.Detail(), Aside: k.Quarantined, A: k.A.shown(), B: k.B.shown()}
	if len(c.Suites) > 1 {
		p.Suite = k.Suite
	}
	return p
}

func (r *Ran) shown() *shownRan {
	if r == nil {
		return nil
	}
	var facts []string
	if r.Judged() > 1 {
		facts = append(facts, r.Tries()+" passed")
	}
	if r.Errored > 0 {
		facts = append(facts, text.Count(r.Errored, "error"))
	}
	if r.Score != nil {
		facts = append(facts, "score "+figure3(*r.Score))
	}
	for _, name := range sorted(r.Scores) {
		facts = append(facts, name+" "+figure3(r.Scores[name]))
	}
	if r.CostUSD > 0 {
		facts = append(facts, text.Dollars(r.CostUSD))
	}
	if r.DurationMS > 0 {
		facts = append(facts, text.Millis(r.DurationMS))
	}
	return &shownRan{Status: r.Status(), Facts: strings.Join(facts, " · "), Messages: r.Messages, Preview: r.Preview}
}
