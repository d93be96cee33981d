package reader

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// finish gives each case its variant and identity, in the order of the tests:
// promptfoo writes rows as they end.
func (p *promptfoo) finish() *result.Run {
	slices.SortStableFunc(p.cases, func(a, b promptfooCase) int {
		return cmp.Or(cmp.Compare(a.test, b.test), cmp.Compare(a.column, b.column))
	})
	names := p.prompts()
	for i := range p.cases {
		k := &p.cases[i]
		prompt := names[p.promptOf(k)]
		k.Variant = strings.TrimSuffix(oneLine(k.provider, mostName)+" · "+prompt, " · ")
		sum := sha256.New()
		for _, part := range [...]string{k.description, k.vars, prompt, k.provider} {
			fmt.Fprintf(sum, "%d:%s", len(part), part)
		}
		k.CaseID = hex.EncodeToString(sum.Sum(nil)[:8])
		content := result.Identity{Prompt: prompt}
		if k.input != "" {
			content.Input = result.ContentID(k.input)
		}
		k.SetContent(content)
		p.run.Results = append(p.run.Results, k.Result)
	}
	p.run.NumberAttempts()
	byModel(p.run.Costs)
	return &p.run
}

// promptOf is what tells the prompt of a case from others: its label and, where
// the file holds that, its text. Two may have one label.
func (p *promptfoo) promptOf(k *promptfooCase) promptfooPrompt {
	if i := int(k.column); i >= 0 && i < len(p.texts) && p.texts[i].Label == k.prompt {
		return p.texts[i]
	}
	return promptfooPrompt{Label: k.prompt}
}

// mostPrompt is how much of a template is kept, in characters.
const mostPrompt = 64 << 10

// prompts lists the prompts in the order of their columns and says how each is
// called. promptfoo labels a prompt without a label of its own with its text; such
// a one is called by its number, which says where it stood, and is known again by
// its text.
func (p *promptfoo) prompts() map[promptfooPrompt]string {
	first := map[promptfooPrompt]float64{}
	var order []promptfooPrompt
	for i := range p.cases {
		prompt, column := p.promptOf(&p.cases[i]), p.cases[i].column
		if at, ok := first[prompt]; !ok || column < at {
			first[prompt] = column
			if !ok {
				order = append(order, prompt)
			}
		}
	}
	slices.SortFunc(order, func(a, b promptfooPrompt) int {
		return cmp.Or(cmp.Compare(first[a], first[b]), strings.Compare(a.Label, b.Label), strings.Compare(a.Raw, b.Raw))
	})
	names := make(map[promptfooPrompt]string, len(order))
	taken := map[string]bool{}
	for i, prompt := range order {
		known := result.Prompt{Name: prompt.Label, Text: prompt.Raw}
		file, rest, isFile := strings.Cut(prompt.Label, ": ")
		switch {
		case prompt.Label == "":
			names[prompt] = ""
			continue
		case isFile && !strings.ContainsAny(file, " \n{") && strings.Contains(file, "."):
			known.Name, known.Label = file, file // prompts/short.txt: and its text
			known.Text = cmp.Or(known.Text, rest)
		case strings.Contains(prompt.Label, "{{") || strings.Contains(prompt.Label, "\n") || len(prompt.Label) > 60:
			known.Name = fmt.Sprintf("prompt %d", i+1)
			known.Text = cmp.Or(known.Text, prompt.Label)
		case prompt.Raw != prompt.Label: // or, where the file does not say, it may be
			known.Label = prompt.Label
		}
		if taken[known.Name] {
			known.Name = fmt.Sprintf("%s (%d)", known.Name, i+1)
		}
		taken[known.Name] = true
		names[prompt] = known.Name
		if known.Text != "" {
			known.ID, known.Text = result.ContentID(known.Text), text.First(strings.ToValidUTF8(known.Text, "\ufffd"), mostPrompt)
		}
		p.run.Prompts = append(p.run.Prompts, known)
	}
	return names
}
