package compare

import (
	"fmt"
	"io"

	"cairn/internal/term"
	"cairn/internal/text"
)

func (t textWriter) scores(w io.Writer) error {
	if len(t.c.Scores) == 0 {
		return nil
	}
	rows := [][]string{{"", "SUITE", "SCORE", "SCALE", "CASES", "A", "B", "CHANGE", fmt.Sprintf("[%g %%]", t.c.Confidence*100), "P", "P HOLM", "VERDICT"}}
	for _, s := range t.c.Scores {
		row := []string{t.v.paint(s.Verdict, sign(s.Verdict)), term.Line(suiteName(s.Suite)), term.Line(s.Title()), s.Scale, fmt.Sprint(s.Cases)}
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
	if t.c.Cost == nil && t.c.Duration == nil {
		return nil
	}
	const head = 6 // columns
	fmt.Fprintln(w)
	if s := t.c.Cost; s != nil {
		fmt.Fprintln(w, term.Fold(w, fmt.Sprintf("%s  %s; runs %s → %s", t.v.Paint.Dim("COST"), s.Sentence(text.Dollars), text.Dollars(t.c.A.CostUSD), text.Dollars(t.c.B.CostUSD)), head))
	}
	if s := t.c.Duration; s != nil {
		fmt.Fprintln(w, term.Fold(w, fmt.Sprintf("%s  %s; runs %s → %s", t.v.Paint.Dim("TIME"), s.Sentence(text.Millis), text.Millis(t.c.A.DurationMS), text.Millis(t.c.B.DurationMS)), head))
	}
	return nil
}

// listed is what the lists are about, each with the words of its head.
var listed = [...]struct {
	class Class
	title string
}{
	{Lost, "lost: passed in A, %s in B"},
	{Gained, "gained: failed in A, %s in B"},
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
