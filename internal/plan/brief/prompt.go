package brief

import (
	"fmt"
	"math"
	"path"
	"strings"
	"unicode/utf16"

	"cairn/internal/must"
	"cairn/internal/plan"
)

// A Prompt is what a model is told that has no tool to read files with: all
// of it, in the order it is written.
type Prompt struct {
	Instructions, Project, Roadmap  string
	Requirements, Context, Research string
	Plans                           []string

	Omitted   []string // parts that Fit left out
	Shrunk    bool     // Fit left only the beginning of the project
	Truncated int      // percent of the plans that Fit cut
	note      string
}

// Cut reports whether Fit left out something.
func (p *Prompt) Cut() bool { return p.note != "" }

// ReviewPrompt gathers what one needs to review those plans of a phase that
// are not executed yet. Without any it is an error.
func ReviewPrompt(tx *plan.Tx, phase *plan.Phase) *Prompt {
	p := &Prompt{}
	for _, f := range phase.Plans {
		if f.Summary != "" {
			continue
		}
		t := must.Get(tx.Read(path.Join(phase.Dir, f.Path)))
		p.Plans = append(p.Plans, f.Path+"\n\n"+t.String())
	}
	if p.Plans == nil {
		must.Fail(&plan.InputError{Path: "phase " + phase.ID.String(), What: "has no plan that is not executed"})
	}
	r := tx.Roadmap()
	if r != nil && phase.Section != nil {
		p.Roadmap = r.Span(phase.Section.Line, phase.Section.End)
	}
	for _, part := range []struct {
		into *string
		rel  string
	}{
		{&p.Project, tx.Shared("PROJECT.md")}, {&p.Requirements, tx.Path("REQUIREMENTS.md")},
		{&p.Context, fileOf(phase, "CONTEXT")}, {&p.Research, fileOf(phase, "RESEARCH")},
	} {
		if part.rel == "" {
			continue
		}
		t := tx.ReadIfThere(part.rel)
		if t != nil {
			*part.into = t.String()
		}
	}
	return p
}

// fileOf returns the path of a phase's document, "" when it is not there.
func fileOf(phase *plan.Phase, kind string) string {
	if name := phase.File(kind); name != "" {
		return path.Join(phase.Dir, name)
	}
	return ""
}

// PromptTokens estimates four characters, as JavaScript counts them, to a token.
func PromptTokens(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return (n + 3) / 4
}

const budgetNote = "Note: parts of this prompt were cut or left out to fit the reader's window.\n\n"

func (p *Prompt) fits(budget int) bool { return PromptTokens(p.String()) <= budget }

// Fit leaves out what matters least until the prompt has at most so many
// tokens: all but the first head lines of the project, then the ends of the
// plans, then context, research and requirements. Whether that was enough
// PromptTokens tells.
func (p *Prompt) Fit(budget, head int) {
	if p.fits(budget) {
		return
	}
	p.note = budgetNote
	if lines := strings.SplitAfter(p.Project, "\n"); len(lines) > head {
		p.Project, p.Shrunk = strings.Join(lines[:max(head, 0)], "")+"[…]\n", true
	}
	p.truncatePlans(budget)
	for _, part := range []struct {
		name string
		text *string
	}{{"context", &p.Context}, {"research", &p.Research}, {"requirements", &p.Requirements}} {
		if p.fits(budget) {
			return
		}
		if *part.text != "" {
			*part.text = ""
			p.Omitted = append(p.Omitted, part.name)
		}
	}
}

// truncatePlans cuts the same share off each plan, but never more than half.
func (p *Prompt) truncatePlans(budget int) {
	over, size := PromptTokens(p.String())-budget, 0
	for _, text := range p.Plans {
		size += PromptTokens(text)
	}
	if over <= 0 || size == 0 {
		return
	}
	p.Truncated = min(int(math.Ceil(100*float64(over)/float64(size)))+1, 50)
	for i, text := range p.Plans {
		runes := []rune(text)
		p.Plans[i] = string(runes[:len(runes)*(100-p.Truncated)/100]) + "\n[…]\n"
	}
}

// String is the whole prompt.
func (p *Prompt) String() string {
	var b strings.Builder
	b.WriteString(p.note)
	part := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "# %s\n\n%s\n\n", title, strings.TrimRight(text, "\n"))
		}
	}
	if p.Instructions != "" {
		b.WriteString(strings.TrimRight(p.Instructions, "\n") + "\n\n")
	}
	part("Project", p.Project)
	part("Roadmap", p.Roadmap)
	part("Requirements", p.Requirements)
	part("Context", p.Context)
	part("Research", p.Research)
	for _, text := range p.Plans {
		part("Plan", text)
	}
	return b.String()
}
