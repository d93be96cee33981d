package evalcmd

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/answer"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

const (
	mostText  = 4000 // bytes of an output, of a reasoning
	caseWidth = 96
)

// showCase shows everything about a case, attempt by attempt.
func showCase(t *eval.Tally) answer.View {
	return painted(func(page *answer.Page) {
		p := casePage{page}
		p.line("%s  %s", p.Bold(term.Line(t.Title)), p.Dim(joined(" · ", term.Line(t.Suite), term.Line(t.Category), term.Line(strings.Join(t.Results[0].Tags, ", ")))))
		for _, r := range t.Results {
			p.attempt(r, len(t.Results) > 1)
		}
	})
}

type casePage struct{ *answer.Page }

func (p casePage) line(format string, args ...any) {
	fmt.Fprintln(p, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// text prints a stranger's text under a heading, indented.
func (p casePage) text(title, s string) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	p.line("%s", p.Dim(title))
	for line := range strings.Lines(clipText(s)) {
		line = term.Printable(strings.TrimRight(line, "\r\n"))
		for wrapped := range strings.Lines(text.Wrap(line, caseWidth)) {
			p.line("  %s", strings.TrimRight(wrapped, "\n"))
		}
	}
}

// clipText keeps the beginning of a text that is too long to read.
func clipText(text string) string {
	if len(text) <= mostText {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes more; --json prints all)", strings.ToValidUTF8(text[:mostText], ""), len(text)-mostText)
}

func (p casePage) attempt(r *result.Result, several bool) {
	try := ""
	if several {
		try = fmt.Sprintf("attempt %d", r.Try())
	}
	p.line("\n%s", joined(" · ", p.Mark(status(r.Status)), try, term.Line(r.Model), text.Some(r.DurationMS, text.Millis), text.Some(r.CostUSD, text.Dollars)))
	var scores []string
	if r.Score != nil {
		scores = append(scores, fmt.Sprintf("score %g", *r.Score))
	}
	for _, name := range sorted(r.JudgeScores) {
		scores = append(scores, fmt.Sprintf("%s %g", term.Line(name), r.JudgeScores[name]))
	}
	if len(scores) > 0 {
		of := ""
		if r.Scale != "" {
			of = " of " + term.Line(scale(r.Scale))
		}
		p.line("%s%s", strings.Join(scores, " · "), of)
	}
	for _, f := range r.Failures {
		p.failure(f)
	}
	p.text("error", r.Error)
	p.text("judge", r.JudgeReasoning)
	p.text("response", r.ResponsePreview)
	p.json("output", r.Output)
	p.json("comparison", r.Comparison)
	p.json("more", r.X)
}

func (p casePage) failure(f result.Failure) {
	kind := joined(" · ", term.Line(cmp.Or(f.ExpectationType, f.Check, f.Type)), term.Line(f.Criterion), term.Line(f.Pattern))
	p.line("%s", p.Bad(cmp.Or(kind, "failure")))
	for line := range strings.Lines(clipText(strings.TrimSpace(f.Message))) {
		p.line("  %s", term.Printable(strings.TrimRight(line, "\r\n")))
	}
	for _, v := range [...]struct {
		title string
		value jsontext.Value
	}{{"expected", f.Expected}, {"actual", f.Actual}} {
		if len(v.value) > 0 && string(v.value) != "null" {
			p.line("  %s %s", p.Dim(v.title), term.Printable(text.Shorten(string(v.value), 400)))
		}
	}
	for _, d := range f.Details {
		p.line("  %s %g, must be at least %g", term.Line(d.Criterion), d.Score, d.Threshold)
	}
	for _, name := range sorted(f.Scores) {
		p.line("  %s %g", term.Line(name), f.Scores[name])
	}
}

func (p casePage) json(title string, v jsontext.Value) {
	if len(v) == 0 || string(v) == "null" || string(v) == "{}" {
		return
	}
	v = v.Clone()
	if v.Indent(jsontext.WithIndent("  ")) != nil {
		return
	}
	p.text(title, string(v))
}
