package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/command"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

// findCase returns the case that is called name, or else the only one whose
// name has it in it, whatever the case of the letters.
func findCase(tallies []*eval.Tally, name string) (*eval.Tally, error) {
	var equal, like []*eval.Tally
	for _, t := range tallies {
		switch {
		case t.Title == name || t.Results[0].Name == name || t.Results[0].CaseID == name:
			equal = append(equal, t)
		case strings.Contains(strings.ToLower(t.Title), strings.ToLower(name)):
			like = append(like, t)
		}
	}
	if len(equal) == 0 {
		equal = like
	}
	switch len(equal) {
	case 0:
		return nil, command.Usage(term.Hint(fmt.Errorf("no case of the run is called %q", term.Line(name)), "cairn eval show RUN --all lists them"))
	case 1:
		return equal[0], nil
	}
	var titles []string
	for _, t := range equal {
		titles = append(titles, strings.TrimPrefix(term.Line(t.Suite+" › "+t.Title), "› "))
	}
	return nil, command.Usage(term.Hint(fmt.Errorf("%d cases of the run are called like %q", len(equal), term.Line(name)), "%s", listText(titles, 8)))
}

const (
	mostText  = 4000 // bytes of an output, of a reasoning
	caseWidth = 96
)

// showCase prints everything of a case, attempt by attempt.
func showCase(env *Env, t *eval.Tally) error {
	paint := term.NewPaint(env.Stdout, env.Getenv)
	p := casePrinter{paint: paint}
	p.line("%s  %s", paint.Bold(term.Line(t.Title)), paint.Dim(strings.Join(nonEmpty([]string{term.Line(t.Suite), term.Line(t.Category), strings.Join(cleanAll(t.Results[0].Tags), ", ")}), " · ")))
	for _, r := range t.Results {
		p.attempt(r, len(t.Results) > 1)
	}
	_, err := env.Stdout.Write([]byte(p.out.String()))
	return err
}

func cleanAll(texts []string) []string {
	clean := make([]string, len(texts))
	for i, t := range texts {
		clean[i] = term.Line(t)
	}
	return clean
}

type casePrinter struct {
	paint term.Paint
	out   strings.Builder
}

func (p *casePrinter) line(format string, args ...any) {
	p.out.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// text prints a stranger's text under a heading, indented.
func (p *casePrinter) text(title, s string) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	p.line("%s", p.paint.Dim(title))
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

func (p *casePrinter) attempt(r *result.Result, several bool) {
	try := ""
	if several {
		try = fmt.Sprintf("attempt %d", r.Try())
	}
	p.line("\n%s", strings.Join(nonEmpty([]string{statusText(p.paint, r.Status), try, term.Line(r.Model), text.Some(r.DurationMS, text.Millis), text.Some(r.CostUSD, text.Dollars)}), " · "))
	var scores []string
	if r.Score != nil {
		scores = append(scores, fmt.Sprintf("score %g", *r.Score))
	}
	for _, name := range sortedNames(r.JudgeScores) {
		scores = append(scores, fmt.Sprintf("%s %g", term.Line(name), r.JudgeScores[name]))
	}
	if len(scores) > 0 {
		scale := ""
		if r.Scale != "" {
			scale = " of " + term.Line(scaleText(r.Scale))
		}
		p.line("%s%s", strings.Join(scores, " · "), scale)
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

func (p *casePrinter) failure(f result.Failure) {
	kind := strings.Join(nonEmpty([]string{term.Line(cmp.Or(f.ExpectationType, f.Check, f.Type)), term.Line(f.Criterion), term.Line(f.Pattern)}), " · ")
	p.line("%s", p.paint.Bad(cmp.Or(kind, "failure")))
	for line := range strings.Lines(clipText(strings.TrimSpace(f.Message))) {
		p.line("  %s", term.Printable(strings.TrimRight(line, "\r\n")))
	}
	for _, v := range [...]struct {
		title string
		value jsontext.Value
	}{{"expected", f.Expected}, {"actual", f.Actual}} {
		if len(v.value) > 0 && string(v.value) != "null" {
			p.line("  %s %s", p.paint.Dim(v.title), term.Printable(text.Shorten(string(v.value), 400)))
		}
	}
	for _, d := range f.Details {
		p.line("  %s %g, %g is wanted", term.Line(d.Criterion), d.Score, d.Threshold)
	}
	for _, name := range sortedNames(f.Scores) {
		p.line("  %s %g", term.Line(name), f.Scores[name])
	}
}

func (p *casePrinter) json(title string, v jsontext.Value) {
	if len(v) == 0 || string(v) == "null" || string(v) == "{}" {
		return
	}
	v = v.Clone()
	if v.Indent(jsontext.WithIndent("  ")) != nil {
		return
	}
	p.text(title, string(v))
}

func statusText(paint term.Paint, s result.Status) string {
	switch s {
	case result.Pass:
		return paint.Good("✓ pass")
	case result.Fail:
		return paint.Bad("✗ fail")
	case result.Error:
		return paint.Warn("! error")
	}
	return paint.Dim("– skip")
}
