package query

import (
	"strconv"

	"cairn/internal/atomicfile"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
)

var promptCommands = []command{
	{name: "prompt-budget", run: promptBudget, bare: true},
}

// exitTooBig is prompt-budget's exit code for a prompt that cannot be made
// small enough.
const exitTooBig = 2

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
	var p brief.Prompt
	for _, f := range []struct {
		flag string
		into *string
	}{
		{"instructions-file", &p.Instructions}, {"roadmap-file", &p.Roadmap}, {"project-file", &p.Project},
		{"context-file", &p.Context}, {"research-file", &p.Research}, {"requirements-file", &p.Requirements},
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
		p.Plans = append(p.Plans, text)
	}
	effective := budget * (100 - margin) / 100
	p.Fit(effective, head)
	text := p.String()
	tokens := brief.PromptTokens(text)
	meta := object{
		{"budget", budget}, {"effectiveBudget", effective}, {"estimatedTokens", tokens}, {"omitted", list(p.Omitted)},
		{"projectMdShrunk", p.Shrunk}, {"planTruncationPct", p.Truncated}, {"hardFailed", tokens > effective}, {"noteInjected", p.Cut()},
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
