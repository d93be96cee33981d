package eval

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

func TestBaselines(t *testing.T) {
	tiered := func(n int, tier, label, signs string) *result.Run {
		run := runOf(n, "s", signs)
		run.JudgeTier, run.Label = tier, label
		return run
	}
	s, entries := storeOf(t,
		tiered(0, "full", "main_full", "✗✗"), tiered(6, "full", "main_full", "✓✗"), // one commit
		tiered(12, "fast", "main_fast", "✓✓"), tiered(13, "standard", "main", "✗✗"), // and another
		tiered(14, "", "main_", "✓"), tiered(1, "full", "old_full", "✗"),
	)
	text := func(until int, labels int) string {
		got := ""
		all, more := s.Baselines(entries, "", day0.AddDate(0, 0, until), labels)
		for _, b := range all {
			got += b.Label + ":"
			for _, t := range b.Tiers {
				got += fmt.Sprintf(" %s %.1f", t.Tier, t.Rate.Mean)
				if a := t.Against; a != nil {
					got += fmt.Sprintf(" +%d −%d", a.Better, a.Worse)
				}
			}
			got += "; "
		}
		return fmt.Sprintf("%s%d more", got, more)
	}
	for _, c := range []struct {
		until, labels int
		want          string
	}{
		{99, 0, "main_:  1.0; main: fast 1.0 standard 0.0 full 0.5 +0 −1; old: full 0.0; 0 more"},
		{99, 1, "main_:  1.0; 2 more"},
		{5, 0, "old: full 0.0; main: full 0.0; 0 more"},
		{0, 0, "main: full 0.0; 0 more"},
		{-1, 0, "0 more"},
	} {
		if got := text(c.until, c.labels); got != c.want {
			t.Errorf("day %d, %d labels:\ngot  %s\nwant %s", c.until, c.labels, got, c.want)
		}
	}
	if got := OfLabel(entries, "main"); len(got) != 4 {
		t.Errorf("%d of label main", len(got))
	}
}

// A runner's text is no markup, no link, no mention, and no cell of its own.
func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"plain":               "`plain`",
		"a | b":               "`a \\| b`",
		`a \| b`:              "`a \\ \\| b`",
		"`x` @you <b>":        "`'x' @you <b>`",
		"two\nlines\r\n\tand": "`two lines   and`",
		"\x1b[31mred\u202e":   "`[31mred`",
		" ":                   "(none)",
		"\u200b":              "(none)",
	} {
		if got := code(text, "(none)"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestMarkdownTablesAreWhole(t *testing.T) {
	run := runOf(0, "a | suite", "✗✓~!")
	run.JudgeTier, run.Label, run.Repo, run.GitBranch = "full", "la|bel", "o|r", "b|r"
	for i := range run.Results {
		run.Results[i].Name += " |\n`|` \\|"
		run.Results[i].Category = []string{"c|d", ""}[i%2]
		run.Results[i].Failures = []result.Failure{{Message: "<img src=x> | [a](b) \\| " + strings.Repeat("long ", 50)}}
		run.Results[i].JudgeScores = map[string]float64{"clear|ly": 1}
	}
	s, entries := storeOf(t, run)
	all, _ := s.Baselines(entries, "", day0, 0)
	if len(all) != 1 {
		t.Fatal(all)
	}
	cells := 0
	for line := range strings.Lines(Markdown(all, day0)) {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		n := strings.Count(strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, ""), "|")
		if cells == 0 {
			cells = n
		}
		outside := line
		for strings.Count(outside, "`") > 1 {
			before, rest, _ := strings.Cut(outside, "`")
			_, after, _ := strings.Cut(rest, "`")
			outside = before + after
		}
		if n != cells || strings.ContainsAny(outside, "<>[]`@") {
			t.Errorf("%d cells, not %d: %s", n-1, cells-1, line)
		}
	}
}
