package reader

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// finish gives each case its variant and identity, in the order of the tests:
// promptfoo writes rows as they end.
func (p *promptfoo) finish() (*result.Run, error) {
	sort.SliceStable(p.cases, func(i, j int) bool {
		a, b := &p.cases[i], &p.cases[j]
		if a.test != b.test {
			return a.test < b.test
		}
		return a.column < b.column
	})
	names := p.promptNames()
	for i := range p.cases {
		k := &p.cases[i]
		prompt := names[k.prompt]
		k.Variant = strings.TrimSuffix(oneLine(k.provider, mostName)+" · "+prompt, " · ")
		sum := sha256.New()
		for _, part := range [...]string{k.description, k.vars, prompt, k.provider} {
			fmt.Fprintf(sum, "%d:%s", len(part), part)
		}
		k.CaseID = hex.EncodeToString(sum.Sum(nil)[:8])
		p.run.Results = append(p.run.Results, k.Result)
	}
	p.run.NumberAttempts()
	for _, cost := range p.costs {
		p.run.Costs = append(p.run.Costs, *cost)
	}
	sort.Slice(p.run.Costs, func(i, j int) bool { return p.run.Costs[i].Model < p.run.Costs[j].Model })
	return &p.run, nil
}

// promptNames says how each prompt is called. A prompt without a label of its
// own is labeled with its text; there its number is taken, so that a case stays
// the same case when the prompt was edited, which is what evals are for.
func (p *promptfoo) promptNames() map[string]string {
	labels := make([]string, 0, len(p.columns))
	for label := range p.columns {
		labels = append(labels, label)
	}
	sort.Slice(labels, func(i, j int) bool {
		if a, b := p.columns[labels[i]], p.columns[labels[j]]; a != b {
			return a < b
		}
		return labels[i] < labels[j]
	})
	names := make(map[string]string, len(labels))
	for i, label := range labels {
		switch file, _, isFile := strings.Cut(label, ": "); {
		case label == "":
			names[label] = ""
		case isFile && !strings.ContainsAny(file, " \n{") && strings.Contains(file, "."):
			names[label] = file // prompts/short.txt: and its text
		case strings.Contains(label, "{{") || strings.Contains(label, "\n") || len(label) > 60:
			names[label] = fmt.Sprintf("prompt %d", i+1)
		default:
			names[label] = label
		}
	}
	return names
}

// promptfooVars writes variables as lines "name=value" in the order of their
// names: the same from JSON, which has types, and from CSV and XML, which have
// none. Variables that promptfoo adds itself begin with an underscore.
func promptfooVars(v jsontext.Value) string {
	if v.Kind() != '{' {
		return ""
	}
	var vars map[string]jsontext.Value
	if json.Unmarshal(v, &vars, foreign()) != nil {
		return ""
	}
	lines := make([]string, 0, len(vars))
	for name, value := range vars {
		if strings.HasPrefix(name, "_") || name == "sessionId" {
			continue
		}
		if value.Kind() == '{' || value.Kind() == '[' {
			if value = valid(value); value != nil && value.Canonicalize() != nil {
				continue
			}
		}
		lines = append(lines, name+"="+asText(value))
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}
