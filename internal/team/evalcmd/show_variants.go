package evalcmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/team/eval"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

const (
	leastColumn = 28 // columns of a terminal for one answer among others
	gutter      = " │ "
)

// showVariants shows a case that ran with several variants: a line for each, then
// the answers side by side, or one below the other where the terminal is too narrow
// for that.
func showVariants(list []*eval.Tally) answer.View {
	if len(list) == 1 {
		return showCase(list[0])
	}
	t := answer.NewTable("variant", ":name", "score:number", "cost:usd", "time:ms", "why")
	for _, one := range list {
		score := ""
		if r := one.Results[0]; r.Score != nil {
			score = fmt.Sprintf("%g", *r.Score)
		}
		t.Add(variantName(one), outcome(one), score, answer.Some(one.CostUSD), answer.Some(one.DurationMS), cmp.Or(text.Shorten(one.Reason(), 200), blank))
	}
	return apart(painted(func(page *answer.Page) {
		first := list[0].Results[0]
		fmt.Fprintln(page, page.Bold(term.Line(first.Name))+"  "+page.Dim(joined(" · ", term.Line(list[0].Suite), term.Line(first.Category), term.Line(strings.Join(first.Tags, ", ")))))
		if input := judge.InputOf(first); input != "" {
			casePage{page}.text("input", input)
		}
	}), t, painted(func(page *answer.Page) { columns(page, list) }),
		answer.Line("--case %q shows one with its reasons", list[0].Title))
}

func variantName(t *eval.Tally) string { return cmp.Or(t.Results[0].Variant, "(none)") }

// columns prints the answers side by side.
func columns(page *answer.Page, list []*eval.Tally) {
	wide := page.Width
	if wide == 0 { // not a terminal
		wide = 120
	}
	width := (wide - text.Width(gutter)*(len(list)-1)) / len(list)
	if width < leastColumn {
		for _, t := range list {
			casePage{page}.text(term.Line(variantName(t)), answerOf(t))
		}
		return
	}
	var cells [][]string
	longest := 0
	for _, t := range list {
		lines := []string{text.Cut(term.Line(variantName(t)), width)}
		for line := range strings.Lines(clipText(answerOf(t))) {
			lines = append(lines, fitting(term.Printable(strings.TrimRight(line, "\r\n")), width)...)
		}
		cells, longest = append(cells, lines), max(longest, len(lines))
	}
	for i := range longest {
		var row []string
		for _, lines := range cells {
			cell := ""
			if i < len(lines) {
				cell = lines[i]
			}
			if cell = text.Pad(cell, width); i == 0 {
				cell = page.Dim(cell)
			}
			row = append(row, cell)
		}
		fmt.Fprintln(page, strings.TrimRight(strings.Join(row, page.Dim(gutter)), " "))
	}
}

// fitting is a line as lines of a width: broken between words, and a word that is
// too wide anywhere.
func fitting(line string, width int) (lines []string) {
	for part := range strings.SplitSeq(strings.TrimSuffix(text.Wrap(line, width), "\n"), "\n") {
		for text.Width(part) > width {
			end := 0
			for i := range part {
				if text.Width(part[:i]) > width {
					break
				}
				end = i
			}
			lines, part = append(lines, part[:end]), part[end:]
		}
		lines = append(lines, part)
	}
	return lines
}

// answerOf is what came back, or why nothing did: of the first attempt that did not
// pass, where there are several.
func answerOf(t *eval.Tally) string {
	r := t.Results[0]
	if i := slices.IndexFunc(t.Results, func(r *result.Result) bool { return r.Status != result.Pass }); i > 0 {
		r = t.Results[i]
	}
	return strings.TrimSpace(cmp.Or(judge.OutputOf(r), r.ResponsePreview, r.Error, "(no answer in the run)"))
}
