package compare

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/term"
)

// A View is how a comparison is printed.
type View struct {
	Paint term.Paint
	Limit int // of each list; 0 is all
}

// Text prints the comparison for a terminal or a log: the verdict first.
func (c *Comparison) Text(w io.Writer, v View) error {
	var b strings.Builder
	t := textWriter{c: c, v: v, b: &b}
	t.head()
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	for _, part := range []func(io.Writer) error{t.suites, t.scores, t.spend, t.lists} {
		if err := part(w); err != nil {
			return err
		}
	}
	return nil
}

type textWriter struct {
	c *Comparison
	v View
	b *strings.Builder
}

// verdict is a verdict with the sign and the color that go with it.
func (v View) verdict(verdict Verdict, text string) string {
	return v.paint(verdict, sign(verdict)+" "+text)
}

func (v View) paint(verdict Verdict, text string) string {
	switch verdict {
	case Regression:
		return v.Paint.Bad(text)
	case Improvement:
		return v.Paint.Good(text)
	case NotComparable:
		return v.Paint.Warn(text)
	case NoDifference:
		return v.Paint.Dim(text)
	}
	return text
}

// short is a verdict in a table, beside its sign.
func (v Verdict) short() string {
	if v == NoDifference {
		return "none shown"
	}
	return string(v)
}

func sign(verdict Verdict) string {
	switch verdict {
	case Regression:
		return "✗"
	case Improvement:
		return "✓"
	case SameRun:
		return "="
	case NotComparable:
		return "!"
	}
	return "·"
}

func (t textWriter) head() {
	c, p := t.c, t.v.Paint
	fmt.Fprintf(t.b, "A  %s\n   %s\n", c.A.Name(), p.Dim(c.A.Attempts.Outcome()))
	fmt.Fprintf(t.b, "B  %s\n   %s\n\n", c.B.Name(), p.Dim(c.B.Attempts.Outcome()))
	fmt.Fprintln(t.b, t.v.verdict(c.Verdict, string(c.Verdict)+": "+c.Summary))
	if text := c.ScoreSummary(); text != "" {
		fmt.Fprintln(t.b, t.v.verdict(c.ScoreVerdict, "scores: "+text))
	}
	for _, n := range c.Notes {
		fmt.Fprintln(t.b, p.Warn("! "+OneLine(n.Text)))
	}
}

// ScoreSummary says what the scores did, in a few words; "" without scores.
func (c *Comparison) ScoreSummary() string {
	var lower, higher []string
	tested, other := 0, 0
	for _, s := range c.Scores {
		name := OneLine(s.Title())
		if len(c.Suites) > 1 {
			name = OneLine(SuiteName(s.Suite)) + " › " + name
		}
		switch s.Verdict {
		case Regression:
			lower = append(lower, name+" "+figure3(s.Diff))
		case Improvement:
			higher = append(higher, name+" +"+figure3(s.Diff))
		case NotComparable:
			other++
			continue
		}
		tested++
	}
	var parts []string
	for _, side := range []struct {
		word  string
		names []string
	}{{"lower: ", lower}, {"higher: ", higher}} {
		if n := len(side.names); n > 5 {
			side.names = append(side.names[:5:5], fmt.Sprintf("%d more", n-5))
		}
		if len(side.names) > 0 {
			parts = append(parts, side.word+strings.Join(side.names, ", "))
		}
	}
	switch {
	case len(c.Scores) == 0:
		return ""
	case tested == 0:
		return "on different scales in A and B, not compared"
	case len(parts) == 0:
		parts = append(parts, "no difference shown in "+term.Count(tested, "criterion"))
	}
	if other > 0 {
		parts = append(parts, fmt.Sprintf("%d not compared, the scales differ", other))
	}
	return strings.Replace(strings.Join(parts, "; "), "criterions", "criteria", 1)
}

// table writes rows with cells that end with tabs; the first is the head.
func (t textWriter) table(w io.Writer, rows [][]string, limit int, what string) error {
	columns := term.NewColumns(w)
	fmt.Fprintln(w)
	for i, row := range rows {
		if limit > 0 && i > limit {
			break
		}
		if i == 0 {
			for j := range row {
				row[j] = t.v.Paint.Dim(row[j])
			}
		}
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	if limit > 0 && len(rows)-1 > limit {
		_, err := fmt.Fprintf(w, "… and %d more %s; --json prints all\n", len(rows)-1-limit, what)
		return err
	}
	return nil
}

// without takes a column out of all rows.
func without(rows [][]string, column int) {
	for i := range rows {
		rows[i] = slices.Delete(rows[i], column, column+1)
	}
}

// Ordered returns the suites with what matters most at the top.
func (c *Comparison) Ordered() []Suite {
	order := []Verdict{Regression, Improvement, NotComparable, NoDifference, SameRun}
	return slices.SortedStableFunc(slices.Values(c.Suites), func(a, b Suite) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)), comparePointers(a.PHolm, b.PHolm))
	})
}

func (t textWriter) suites(w io.Writer) error {
	if len(t.c.Suites) == 0 {
		return nil
	}
	rows := [][]string{{"", "SUITE", "CASES", "A", "B", "LOST", "GAINED", "FLAKY", "P", "P HOLM", "SEES", "VERDICT"}}
	for _, s := range t.c.Ordered() {
		rows = append(rows, []string{
			t.v.paint(s.Verdict, sign(s.Verdict)), OneLine(SuiteName(s.Name)), fmt.Sprint(s.Tested), s.RateA.Percent(), s.RateB.Percent(),
			t.count(s.Lost, t.v.Paint.Bad), t.count(s.Gained, t.v.Paint.Good), flakyText(s.Counts),
			pText(s.P), pText(s.PHolm), s.Sees(), t.v.paint(s.Verdict, s.Verdict.short()),
		})
	}
	if len(rows) == 2 {
		without(rows, 9) // nothing to adjust for
	}
	return t.table(w, rows, t.v.Limit, "suites")
}

func (t textWriter) count(n int, paint func(string) string) string {
	if n == 0 {
		return "–"
	}
	return paint(fmt.Sprint(n))
}

// Sees is the drop that so many cases show four times in five, in a word or two.
func (s Suite) Sees() string {
	switch {
	case s.Verdict != NoDifference:
		return "–"
	case s.SmallestDrop == nil:
		return "no drop"
	case s.DetectableDrop == nil:
		return "seldom any"
	}
	return "−" + points(*s.DetectableDrop) + " pt"
}

func flakyText(n Counts) string {
	if n.Flaky() == 0 {
		return "–"
	}
	text := fmt.Sprint(n.Flaky())
	if n.FlakyWorse > 0 {
		text += fmt.Sprintf(" ↓%d", n.FlakyWorse)
	}
	if n.FlakyBetter > 0 {
		text += fmt.Sprintf(" ↑%d", n.FlakyBetter)
	}
	return text
}

func pText(p *float64) string {
	if p == nil {
		return "–"
	}
	return PValue(*p)
}
