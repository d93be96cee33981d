package compare

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/term"
	"cairn/internal/text"
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
	t.head(func(text string, indent int) string { return term.Fold(w, text, indent) })
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	for _, part := range []func(io.Writer) error{t.parts, t.scores, t.spend, t.lists} {
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
	return v.paint(verdict, verdict.looks().sign+" "+text)
}

func (v View) paint(verdict Verdict, text string) string { return verdict.looks().paint(v.Paint, text) }

// looks are a verdict's sign in a text and in Markdown, and its color.
func (v Verdict) looks() look {
	return map[Verdict]look{
		Regression: {"✗", "❌", term.Paint.Bad}, Improvement: {"✓", "✅", term.Paint.Good}, NoDifference: {"·", "➖", term.Paint.Dim},
		NotComparable: {"!", "⚠️", term.Paint.Warn}, SameRun: {"=", "➖", func(_ term.Paint, text string) string { return text }},
	}[v]
}

// margin is the sentence of a margin with its sign and color.
func (v View) margin(verdict MarginVerdict, text string) string {
	switch verdict {
	case MarginShown:
		return v.Paint.Good("✓ " + text)
	case MarginExceeded:
		return v.Paint.Bad("✗ " + text)
	}
	return v.Paint.Warn("! " + text)
}

type look struct {
	sign, emoji string
	paint       func(term.Paint, string) string
}

// short is a verdict in a table, beside its sign.
func (v Verdict) short() string {
	if v == NoDifference {
		return "none shown"
	}
	return string(v)
}

func (t textWriter) head(fold func(text string, indent int) string) {
	c, p := t.c, t.v.Paint
	fmt.Fprintf(t.b, "%s\n   %s\n", fold("A  "+c.A.Name(), 3), p.Dim(c.A.Attempts.Outcome()))
	fmt.Fprintf(t.b, "%s\n   %s\n\n", fold("B  "+c.B.Name(), 3), p.Dim(c.B.Attempts.Outcome()))
	fmt.Fprintln(t.b, fold(t.v.verdict(c.Verdict, string(c.Verdict)+": "+c.Summary), 2))
	if line := c.rates(); line != "" {
		fmt.Fprintln(t.b, p.Dim(fold("  "+line, 2)))
	}
	if line := c.Run.MarginText(c.Run.Margin); line != "" {
		fmt.Fprintln(t.b, fold(t.v.margin(c.Run.Margin.Verdict, line), 2))
	}
	if text := c.ScoreSummary(); text != "" {
		fmt.Fprintln(t.b, fold(t.v.verdict(c.ScoreVerdict, "scores: "+text), 2))
	}
	for _, n := range c.Notes {
		fmt.Fprintln(t.b, p.Warn(fold("! "+term.Line(n.Text), 2)))
	}
}

// rates says the pass rates of the run and how far they are apart.
func (c *Comparison) rates() string {
	if c.Run.Difference == nil {
		return ""
	}
	return fmt.Sprintf("pass rate %s → %s: %s", c.Run.RateA.Percent(), c.Run.RateB.Percent(), c.Run.Difference.Points())
}

// ScoreSummary says what the scores did, in a few words; "" without scores.
func (c *Comparison) ScoreSummary() string {
	var lower, higher []string
	tested, other := 0, 0
	for _, s := range c.Scores {
		name := term.Line(s.Title())
		if len(c.Suites) > 1 {
			name = term.Line(s.Where()) + " › " + name
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
		parts = append(parts, "no difference shown in "+text.Count(tested, "criterion"))
	}
	if other > 0 {
		parts = append(parts, fmt.Sprintf("%d not compared, the scales differ", other))
	}
	return strings.Replace(strings.Join(parts, "; "), "criterions", "criteria", 1)
}

// table writes rows with cells that end with tabs; the first is the head. Only
// the names in the second column are cut where a terminal is too narrow.
func (t textWriter) table(w io.Writer, rows [][]string, limit int, what string) error {
	columns := term.NewColumns(w)
	columns.Flex(1)
	columns.Keep(len(rows[0]) - 1) // the verdict
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
		_, err := fmt.Fprintf(w, "… and %d more %s; -n 0 lists all\n", len(rows)-1-limit, what)
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

// silent takes a column out that says nothing in any row.
func silent(rows [][]string, column int) {
	if !slices.ContainsFunc(rows[1:], func(row []string) bool { return row[column] != "–" }) {
		without(rows, column)
	}
}

// Ordered returns parts with what matters most at the top.
func Ordered(parts []Suite) []Suite {
	return slices.SortedStableFunc(slices.Values(parts), func(a, b Suite) int {
		return cmp.Or(cmp.Compare(a.Verdict.rank(), b.Verdict.rank()), comparePointers(a.PHolm, b.PHolm))
	})
}

// tables are the parts that were tested: suites, and groups where there are some.
func (c *Comparison) tables() (list []table) {
	if len(c.Suites) > 0 {
		list = append(list, table{"suite", Ordered(c.Suites)})
	}
	if len(c.Groups) > 0 {
		list = append(list, table{c.By, Ordered(c.Groups)})
	}
	return list
}

type table struct {
	what  string
	parts []Suite
}

// plural names the parts of a table.
func (t table) plural() string {
	_, plural, _ := strings.Cut(text.Count(2, t.what), " ")
	return plural
}

func (t textWriter) parts(w io.Writer) error {
	for _, list := range t.c.tables() {
		if err := t.partTable(w, list); err != nil {
			return err
		}
	}
	return nil
}

func (t textWriter) partTable(w io.Writer, list table) error {
	rows := [][]string{{"", strings.ToUpper(list.what), "CASES", "A", "B", "REGRESSED", "FIXED", "FLAKY", "P", "P ADJ", "SEES", "VERDICT"}}
	for i := range list.parts {
		s := &list.parts[i]
		rows = append(rows, []string{
			t.v.paint(s.Verdict, s.Verdict.looks().sign), term.Line(suiteName(s.Name)), fmt.Sprint(s.Tested), s.RateA.Percent(), s.RateB.Percent(),
			t.count(s.Lost, t.v.Paint.Bad), t.count(s.Gained, t.v.Paint.Good), flakyText(s.Counts),
			pText(s.P), pText(s.PHolm), s.Sees(), t.v.paint(s.Verdict, s.Verdict.short()),
		})
	}
	silent(rows, 10) // the summary says what it would
	if len(rows) == 2 {
		without(rows, 9) // nothing to adjust for
	}
	silent(rows, 7)
	return t.table(w, rows, t.v.Limit, list.plural())
}

func (t textWriter) count(n int, paint func(string) string) string {
	if n == 0 {
		return "–"
	}
	return paint(fmt.Sprint(n))
}

// Sees is the drop that so many cases show four times in five, in a word or two.
func (s *Test) Sees() string {
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
	return pValue(*p)
}

func (t textWriter) scores(w io.Writer) error {
	if len(t.c.Scores) == 0 {
		return nil
	}
	rows := [][]string{{"", "SUITE", "SCORE", "SCALE", "CASES", "A", "B", "CHANGE", fmt.Sprintf("[%g %%]", t.c.Confidence*100), "P", "P ADJ", "VERDICT"}}
	for _, s := range t.c.Scores {
		row := []string{t.v.paint(s.Verdict, s.Verdict.looks().sign), term.Line(s.Where()), term.Line(s.Title()), s.Scale, fmt.Sprint(s.Cases)}
		if s.Verdict == NotComparable {
			row = append(row, "–", "–", "–", "–", "–", "–", t.v.paint(s.Verdict, s.Why))
		} else {
			row = append(row, figure3(s.A), figure3(s.B), signed(s.Diff, figure3), between(s.Lo, s.Hi, figure3),
				pText(s.P), pText(s.PHolm), t.v.paint(s.Verdict, s.Verdict.short()))
		}
		rows = append(rows, row)
	}
	if len(t.c.Suites) == 1 {
		without(rows, 1)
	}
	return t.table(w, rows, t.v.Limit, "scores")
}

func (t textWriter) spend(w io.Writer) error {
	const head = 6 // columns
	for i, s := range t.c.spent() {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, term.Fold(w, fmt.Sprintf("%s  %s; %s", t.v.Paint.Dim(strings.ToUpper(s.what)), s.cases, s.runs), head))
	}
	return nil
}

// listed is what the lists are about, each with the words of its head.
var listed = [...]struct {
	class Class
	title string
}{
	{Lost, "regressed: passed in A, %s in B"},
	{Gained, "fixed: failed in A, %s in B"},
	{Flaky, "flaky: passed and failed in one run, %s"},
	{NotJudged, "not judged because of errors, %s"},
	{New, "new: not in A, %s"},
	{Gone, "gone: not in B, %s"},
}

func (t textWriter) lists(w io.Writer) error {
	if t.c.Verdict == SameRun {
		return nil
	}
	for _, l := range listed {
		cases := t.c.Of(l.class)
		if len(cases) == 0 {
			continue
		}
		n := text.Count(len(cases), "case")
		switch l.class {
		case Lost:
			n = fmt.Sprintf("%d fail", len(cases))
		case Gained:
			n = fmt.Sprintf("%d pass", len(cases))
		}
		fmt.Fprintf(w, "\n%s\n", t.v.Paint.Bold(fmt.Sprintf(l.title, n)))
		columns := term.NewColumns(w)
		for i := range cases {
			if t.v.Limit > 0 && i == t.v.Limit {
				break
			}
			k := &cases[i]
			detail := text.Shorten(k.Detail(), 200)
			if k.Quarantined {
				detail = "(quarantined) " + detail
			}
			fmt.Fprintf(columns, "%s\t%s\t%s\n", t.glyph(k), t.c.Title(k), t.v.Paint.Dim(detail))
		}
		if err := columns.Flush(); err != nil {
			return err
		}
		if rest := len(cases) - t.v.Limit; t.v.Limit > 0 && rest > 0 {
			fmt.Fprintf(w, "… and %d more; -n 0 lists all\n", rest)
		}
	}
	return nil
}

func (t textWriter) glyph(k *Case) string {
	p := t.v.Paint
	switch {
	case k.Class == Lost:
		return p.Bad("✗")
	case k.Class == Gained:
		return p.Good("✓")
	case k.Class == Flaky && k.Change < 0:
		return p.Bad("↓")
	case k.Class == Flaky && k.Change > 0:
		return p.Good("↑")
	case k.Class == Flaky:
		return p.Warn("~")
	case k.Class == NotJudged:
		return p.Warn("!")
	case k.Class == New && k.B.Status() == "fail":
		return p.Bad("+")
	case k.Class == New:
		return "+"
	}
	return "−"
}
