package query

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"cairn/internal/atomicfile"
	"cairn/internal/plan"
)

var promptCommands = []command{
	{name: "prompt-budget", run: promptBudget, bare: true},
}

// exitTooBig is prompt-budget's exit code for a prompt that cannot be made
// small enough.
const exitTooBig = 2

// prompt is what prompt-budget puts together, in the order it is written.
type prompt struct {
	instructions, roadmap, project  string
	plans                           []string
	context, research, requirements string
	note                            string
	omitted                         []string
	shrunk                          bool
	truncated                       int // percent of the plans that was cut
}

// promptBudget puts a prompt together from files and leaves out what matters
// least until it fits: first most of PROJECT.md, then the ends of the plans,
// then context, research and requirements.
func promptBudget(c *call) (result, error) {
	budget, err := c.number("budget", 0)
	if err != nil || budget <= 0 {
		return result{}, fail("usage", "prompt-budget: --budget <tokens> is required and has to be positive")
	}
	margin, err := c.number("safety-margin-pct", 10)
	if err != nil {
		return result{}, err
	}
	head, err := c.number("project-md-head-lines", 40)
	if err != nil {
		return result{}, err
	}
	var p prompt
	for _, f := range []struct {
		flag string
		into *string
	}{
		{"instructions-file", &p.instructions}, {"roadmap-file", &p.roadmap}, {"project-file", &p.project},
		{"context-file", &p.context}, {"research-file", &p.research}, {"requirements-file", &p.requirements},
	} {
		if *f.into, err = c.fileOf(f.flag); err != nil {
			return result{}, err
		}
	}
	for {
		text, err := c.fileOf("plan-file")
		if err != nil {
			return result{}, err
		}
		if text == "" {
			break
		}
		p.plans = append(p.plans, text)
	}
	effective := budget * (100 - margin) / 100
	p.fit(effective, head)
	text := p.String()
	tokens := tokensOf(text)
	meta := object{
		{"budget", budget}, {"effectiveBudget", effective}, {"estimatedTokens", tokens}, {"omitted", list(p.omitted)},
		{"projectMdShrunk", p.shrunk}, {"planTruncationPct", p.truncated}, {"hardFailed", tokens > effective}, {"noteInjected", p.note != ""},
	}
	if name, ok := c.flag("output-prompt"); ok && tokens <= effective {
		if err := atomicfile.WriteFile(c.fromHere(name), []byte(text), 0o644); err != nil {
			return result{}, err
		}
	}
	if name, ok := c.flag("output-metadata"); ok {
		b, err := marshal(meta, "  ")
		if err != nil {
			return result{}, err
		}
		if err := atomicfile.WriteFile(c.fromHere(name), b, 0o644); err != nil {
			return result{}, err
		}
	}
	res := data(meta)
	if tokens > effective {
		res.code = exitTooBig
	}
	return res, nil
}

// number reads a flag that is a whole number.
func (c *call) number(flag string, deflt int) (int, error) {
	text, ok := c.flag(flag)
	if !ok {
		return deflt, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fail("usage", "--%s needs a whole number, not %q", flag, text)
	}
	return n, nil
}

// fileOf reads the file that a flag names; "" without the flag.
func (c *call) fileOf(flag string) (string, error) {
	name, ok := c.flag(flag)
	if !ok {
		return "", nil
	}
	b, err := plan.ReadFile(c.fromHere(name))
	if err != nil {
		return "", fail("usage", "--%s: cannot read %s", flag, name)
	}
	return string(b), nil
}

// tokensOf estimates four characters, as JavaScript counts them, to a token.
func tokensOf(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return (n + 3) / 4
}

const budgetNote = "Note: parts of this prompt were cut or left out to fit the reader's window.\n\n"

func (p *prompt) fits(budget int) bool { return tokensOf(p.String()) <= budget }

// fit leaves out what it must.
func (p *prompt) fit(budget, head int) {
	if p.fits(budget) {
		return
	}
	p.note = budgetNote
	if lines := strings.SplitAfter(p.project, "\n"); len(lines) > head {
		p.project, p.shrunk = strings.Join(lines[:max(head, 0)], "")+"[…]\n", true
	}
	p.truncatePlans(budget)
	for _, part := range []struct {
		name string
		text *string
	}{{"context", &p.context}, {"research", &p.research}, {"requirements", &p.requirements}} {
		if p.fits(budget) {
			return
		}
		if *part.text != "" {
			*part.text = ""
			p.omitted = append(p.omitted, part.name)
		}
	}
}

// truncatePlans cuts the same share off each plan, but never more than half.
func (p *prompt) truncatePlans(budget int) {
	over, size := tokensOf(p.String())-budget, 0
	for _, text := range p.plans {
		size += tokensOf(text)
	}
	if over <= 0 || size == 0 {
		return
	}
	p.truncated = min(int(math.Ceil(100*float64(over)/float64(size)))+1, 50)
	for i, text := range p.plans {
		runes := []rune(text)
		p.plans[i] = string(runes[:len(runes)*(100-p.truncated)/100]) + "\n[…]\n"
	}
}

// String is the whole prompt.
func (p *prompt) String() string {
	var b strings.Builder
	b.WriteString(p.note)
	part := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "# %s\n\n%s\n\n", title, strings.TrimRight(text, "\n"))
		}
	}
	if p.instructions != "" {
		b.WriteString(strings.TrimRight(p.instructions, "\n") + "\n\n")
	}
	part("Project", p.project)
	part("Roadmap", p.roadmap)
	part("Requirements", p.requirements)
	part("Context", p.context)
	part("Research", p.research)
	for _, text := range p.plans {
		part("Plan", text)
	}
	return b.String()
}
