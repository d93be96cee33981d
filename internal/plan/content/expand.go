package content

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"cairn/internal/plan/agent"
)

// Expand returns a piece's text in a style. A name that does not exist is an
// error that says in which piece.
func Expand(p *Piece, s Style) (string, error) {
	e := expander{style: s}
	text, err := e.expand(p)
	if err != nil {
		return "", fmt.Errorf("%s.md: %w", p.Path(), err)
	}
	return text, nil
}

// expander fills one piece; depth guards against partials that include
// themselves, and named is what the text named on the way.
type expander struct {
	style Style
	depth int
	named []string
}

const maxDepth = 5

func (e *expander) expand(p *Piece) (string, error) {
	t, err := template.New(p.Name).Funcs(template.FuncMap{
		"cairn": func() string { return e.style.Cairn }, "args": func() string { return e.style.Args },
		"spawn": func() string { return e.style.Spawn }, "ask": func() string { return e.style.Ask },
		"memory": func() string { return e.style.Memory }, "can": e.can,
		"command": e.name(Command, e.style.Mention), "agent": e.name(Agent, e.style.AgentName),
		"load": e.load, "include": e.include,
	}).Parse(p.Body)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, nil)
	return b.String(), err
}

func (e *expander) can(tool string) (bool, error) {
	if !slices.Contains(Tools(), tool) {
		return false, fmt.Errorf("there is no tool %q", tool)
	}
	return !slices.Contains(e.style.Without, tool), nil
}

// name returns the function that writes the name of a piece of a kind as the
// runtime knows it.
func (e *expander) name(kind Kind, pattern string) func(string) (string, error) {
	return func(name string) (string, error) {
		p, err := Find(string(kind) + "/" + name)
		if err != nil {
			return "", err
		}
		e.named = append(e.named, p.Path())
		if e.style.Profile != "" && slices.Index(Profiles(), p.Profile) > slices.Index(Profiles(), e.style.Profile) {
			return "the steps of `" + e.style.Cairn + " plan content show " + name + "`", nil
		}
		if kind == Agent && e.style.AnyRole && !agent.Standing(name) {
			return strings.ReplaceAll(pattern, "*", agent.Any) + " as " + name, nil
		}
		return strings.ReplaceAll(pattern, "*", name), nil
	}
}

func (e *expander) load(name string) (string, error) {
	if name != string(Agent)+"/ROLE" { // which stands for one
		p, err := Find(name)
		if err != nil {
			return "", err
		}
		e.named = append(e.named, p.Path())
	}
	line := e.style.Cairn + " plan content show " + name
	if e.style.Runtime != "" {
		line += " --for " + e.style.Runtime
	}
	return line, nil
}

func (e *expander) include(name string) (string, error) {
	p, err := Find(string(Partial) + "/" + name)
	if err != nil {
		return "", err
	}
	if e.depth++; e.depth > maxDepth {
		return "", fmt.Errorf("partials/%s includes itself", name)
	}
	defer func() { e.depth-- }()
	text, err := e.expand(p)
	return strings.TrimSuffix(text, "\n"), err
}
