package compare

import (
	"fmt"
	"strings"

	"cairn/internal/text"
)

// mostMarkdown is how many cases a list of the Markdown names.
const mostMarkdown = 30

// Markdown is the comparison for a pull request: the verdict, one table, and
// the rest folded away. limit is of each list, 0 is the usual one.
func (c *Comparison) Markdown(limit int) string {
	if limit <= 0 {
		limit = mostMarkdown
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### %s %s\n\n%s\n", c.Verdict.looks().emoji, c.Verdict, Escape(c.Summary))
	if line := c.rates(); line != "" {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	if line := c.Run.MarginText(c.Run.Margin); line != "" {
		fmt.Fprintf(&b, "\n%s\n", Escape(line))
	}
	if text := c.ScoreSummary(); text != "" {
		fmt.Fprintf(&b, "\n%s scores: %s\n", c.ScoreVerdict.looks().emoji, Escape(text))
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "\n> ⚠️ %s\n", Escape(n.Text))
	}
	fmt.Fprintf(&b, "\n| | |\n|---|---|\n| A | %s |\n| B | %s |\n", c.A.markdown(), c.B.markdown())
	if c.Verdict != SameRun {
		for _, list := range c.tables() {
			c.markdownParts(&b, list, limit)
		}
		c.markdownScores(&b, limit)
		c.markdownSpend(&b)
		c.markdownLists(&b, limit)
	}
	return b.String()
}

func (s Side) markdown() string { return Escape(s.Name()) + "<br>" + s.Attempts.Outcome() }

func (c *Comparison) markdownParts(b *strings.Builder, list table, limit int) {
	fmt.Fprintf(b, "\n| %s | cases | A | B | regressed | fixed | p | verdict |\n|---|--:|--:|--:|--:|--:|--:|---|\n", list.what)
	for i := range list.parts {
		s := &list.parts[i]
		if i == limit {
			fmt.Fprintf(b, "\n… and %d more %s\n", len(list.parts)-limit, list.plural())
			break
		}
		verdict := string(s.Verdict)
		if s.Verdict == NoDifference {
			verdict += "; " + s.Limits()
		}
		fmt.Fprintf(b, "| %s | %d | %s | %s | %d | %d | %s | %s %s |\n", Escape(suiteName(s.Name)), s.Tested,
			s.RateA.Percent(), s.RateB.Percent(), s.Lost, s.Gained, pText(s.PHolm), s.Verdict.looks().emoji, verdict)
	}
}

func (c *Comparison) markdownScores(b *strings.Builder, limit int) {
	if len(c.Scores) == 0 {
		return
	}
	fmt.Fprintf(b, "\n<details><summary>scores: %d</summary>\n\n| suite | score | scale | cases | A | B | change | p | verdict |\n|---|---|---|--:|--:|--:|---|--:|---|\n", len(c.Scores))
	for i, s := range c.Scores {
		if i == limit {
			fmt.Fprintf(b, "\n… and %d more\n", len(c.Scores)-limit)
			break
		}
		if s.Verdict == NotComparable {
			fmt.Fprintf(b, "| %s | %s | | %d | | | | | %s not compared: %s |\n", Escape(s.Where()), Escape(s.Title()), s.Cases, s.Verdict.looks().emoji, Escape(s.Why))
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s | %s | %s %s | %s | %s %s |\n", Escape(s.Where()), Escape(s.Title()), s.Scale, s.Cases,
			figure3(s.A), figure3(s.B), signed(s.Diff, figure3), between(s.Lo, s.Hi, figure3), pText(s.PHolm), s.Verdict.looks().emoji, s.Verdict)
	}
	b.WriteString("\n</details>\n")
}

func (c *Comparison) markdownSpend(b *strings.Builder) {
	if c.Cost == nil && c.Duration == nil {
		return
	}
	b.WriteString("\n<details><summary>cost and time</summary>\n\n")
	for _, s := range c.spent() {
		fmt.Fprintf(b, "- %s: %s\n", s.what, Escape(s.cases))
	}
	b.WriteString("\n</details>\n")
}

func (c *Comparison) markdownLists(b *strings.Builder, limit int) {
	for _, l := range listed {
		cases := c.Of(l.class)
		if len(cases) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n<details><summary>%s: %d</summary>\n\n", l.class.Word(), len(cases))
		for i := range cases {
			if i == limit {
				fmt.Fprintf(b, "- … and %d more\n", len(cases)-limit)
				break
			}
			fmt.Fprintf(b, "- %s", Escape(text.Shorten(c.Title(&cases[i]), 120)))
			if detail := text.Shorten(cases[i].Detail(), 200); detail != "" {
				fmt.Fprintf(b, " — %s", Escape(detail))
			}
			b.WriteByte('\n')
		}
		b.WriteString("\n</details>\n")
	}
}
