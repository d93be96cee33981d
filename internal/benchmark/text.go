package benchmark

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/text"
)

const nameWidth = 24

// WriteText writes the report as a person reads it on a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	r.overview(&b)
	r.scenarioTable(&b)
	r.apartTable(&b)
	r.ruleTable(&b)
	r.lostLines(&b)
	r.figures(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) overview(b *strings.Builder) {
	span := "all transcripts"
	if r.Since != nil {
		span = "calls since " + r.Since.Format("2006-01-02")
	}
	fmt.Fprintf(b, "%s · level %s\n\n", span, r.Level)
	for _, h := range r.Hosts {
		fmt.Fprintf(b, "  %-10s %s, %s tokens of tool results\n", h.Host, calls(h.Calls), text.Thousands(h.Tokens))
	}
	fmt.Fprintf(b, "  %-10s %s files, %.1f MB, %s lines%s\n\n", "read", text.Thousands(r.Scan.Files), float64(r.Scan.Bytes)/(1<<20), text.Thousands(r.Scan.Lines), skipped(r))
	fmt.Fprintf(b, "  received   %10s tokens   %s\n", text.Thousands(r.Received.Before), calls(r.Received.Calls))
	fmt.Fprintf(b, "  may touch  %10s tokens   %s; saves %.1f %% of these, %.1f %% of all\n", text.Thousands(r.Touched.Before), calls(r.Touched.Calls), r.Touched.Percent, r.Received.Percent)
	fmt.Fprintf(b, "  scenarios  %10s tokens   %s of %d kinds\n", text.Thousands(r.Corpus.Before), calls(r.Corpus.Calls), len(r.Scenarios))
	if r.Dollars != nil {
		r.Dollars.headline(b)
	}
	fmt.Fprintf(b, "  heavy tail: %s, %d %% of those with a long result, hold 80 %% of the tokens of long results\n\n", calls(r.Heavy.Calls), r.Heavy.Percent)
}

func skipped(r *Report) string {
	s := ""
	add := func(n int, what string) {
		if n > 0 {
			s += fmt.Sprintf(", %s %s", text.Thousands(n), what)
		}
	}
	add(r.Scan.Duplicates, "copies left out")
	add(r.Scan.Broken, "broken lines")
	add(r.Scan.Long, "lines too long")
	add(r.Scan.Unreadable, "files unreadable")
	return s
}

func (r *Report) scenarioTable(b *strings.Builder) {
	if len(r.Scenarios) == 0 {
		return
	}
	fmt.Fprintf(b, "%-*s %6s %9s %9s %7s %8s  %s\n", nameWidth, "SCENARIO", "CALLS", "TOKENS", "AFTER", "SAVED", "PLANTED", "RULES")
	for _, s := range r.Scenarios {
		planted := "–"
		if s.Planted > 0 {
			planted = fmt.Sprintf("%d/%d", s.Planted-s.Lost, s.Planted)
		}
		fmt.Fprintf(b, "%-*s %6s %9s %9s %5.1f %% %8s  %s\n", nameWidth, text.Shorten(s.Name, nameWidth), text.Thousands(s.Calls), text.Thousands(s.Before), text.Thousands(s.After), s.Percent, planted, strings.Join(s.Rules, " "))
	}
	fmt.Fprintf(b, "%-*s %6s %9s %9s %5.1f %%\n", nameWidth, "TOTAL", text.Thousands(r.Corpus.Calls), text.Thousands(r.Corpus.Before), text.Thousands(r.Corpus.After), r.Corpus.Percent)
	rest := func(name string, t Total) {
		if t.Calls > 0 {
			fmt.Fprintf(b, "%-*s %6s %9s %9s %5.1f %%\n", nameWidth, name, text.Thousands(t.Calls), text.Thousands(t.Before), text.Thousands(t.After), t.Percent)
		}
	}
	rest("other long results", r.Light)
	rest(fmt.Sprintf("short: ≤ %d lines", shortLines), r.Short)
	b.WriteByte('\n')
}

func (r *Report) apartTable(b *strings.Builder) {
	if len(r.Apart) == 0 {
		return
	}
	fmt.Fprintf(b, "%-*s %6s %9s  %s\n", nameWidth+26, "LEFT ALONE, COUNTED NEITHER WAY", "CALLS", "TOKENS", "MOST OF IT")
	for _, a := range r.Apart {
		var most []string
		for _, p := range a.Largest {
			most = append(most, p.Title)
		}
		fmt.Fprintf(b, "%-*s %6s %9s  %s\n", nameWidth+26, a.Text, text.Thousands(a.Calls), text.Thousands(a.Tokens), strings.Join(most, ", "))
	}
	if r.Gained.More > 0 {
		fmt.Fprintf(b, "of what the agent cut itself, cairn would have shown %s tokens more\n", text.Thousands(r.Gained.More))
	}
	b.WriteByte('\n')
}

func (r *Report) ruleTable(b *strings.Builder) {
	if len(r.Rules) == 0 {
		return
	}
	fmt.Fprintf(b, "%-*s %6s %9s %9s %7s  %s\n", nameWidth, "RULE", "CALLS", "TOKENS", "AFTER", "SAVED", "RESTORED")
	for _, s := range r.Rules {
		fmt.Fprintf(b, "%-*s %6s %9s %9s %5.1f %%  %d\n", nameWidth, text.Shorten(s.Rule, nameWidth), text.Thousands(s.Calls), text.Thousands(s.Before), text.Thousands(s.After), s.Percent, s.Restored)
	}
	b.WriteByte('\n')
}

func (r *Report) lostLines(b *strings.Builder) {
	for _, l := range r.Planted.Lost {
		fmt.Fprintf(b, "lost in %s (%s, line %d of %d, rule %s): %s\n", l.Scenario, l.Kind, l.At, l.Of, l.Rule, strings.TrimSpace(l.Line))
	}
	if len(r.Planted.Lost) > 0 {
		b.WriteByte('\n')
	}
}

func (r *Report) figures(b *strings.Builder) {
	for _, f := range r.ESeries {
		verdict, bound := "ok", "at least"
		if !f.OK {
			verdict = "missed"
		}
		if f.Most {
			bound = "at most"
		}
		fmt.Fprintf(b, "%s  %5.1f %s  %-40s %s %.0f %s: %s\n", f.ID, f.Value, f.Unit, f.Text, bound, f.Target, f.Unit, verdict)
	}
	verdict := "passed"
	if !r.Gate.Pass {
		verdict = "not passed"
	}
	fmt.Fprintf(b, "\nplanted lines kept: %d of %d · ship gate %s\n", r.Planted.Lines-len(r.Planted.Lost), r.Planted.Lines, verdict)
}

func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return text.Thousands(n) + " calls"
}
