package content

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan/agent"
)

// InProfile returns the commands that a profile has, by name, and the agents
// that these may come to spawn.
func InProfile(profile string) (commands, agents []*Piece, err error) {
	most := slices.Index(Profiles(), profile)
	if most < 0 {
		return nil, nil, fmt.Errorf("there is no profile %q; known are %v", profile, Profiles())
	}
	if commands, err = Of(Command); err != nil {
		return nil, nil, err
	}
	commands = slices.DeleteFunc(commands, func(p *Piece) bool { return slices.Index(Profiles(), p.Profile) > most })
	queue := slices.Clone(commands)
	for i := 0; i < len(queue); i++ {
		named, err := namedBy(queue[i])
		if err != nil {
			return nil, nil, err
		}
		for _, p := range named {
			if p.Kind != Command && !slices.ContainsFunc(queue, func(q *Piece) bool { return q.Path() == p.Path() }) {
				queue = append(queue, p)
			}
		}
	}
	for _, p := range queue {
		if p.Kind == Agent {
			agents = append(agents, p)
		}
	}
	slices.SortFunc(agents, func(a, b *Piece) int { return strings.Compare(a.Name, b.Name) })
	return commands, agents, nil
}

// Agents returns the pieces that are installed as agents for roles: the standing ones, and
// the one that plays the others.
func Agents(roles []*Piece) ([]*Piece, error) {
	standing := slices.DeleteFunc(slices.Clone(roles), func(p *Piece) bool { return !agent.Standing(p.Name) })
	if len(standing) == len(roles) {
		return standing, nil
	}
	role, err := Find(string(Agent) + "/" + agent.Any)
	return append(standing, role), err
}

// namedBy returns the pieces that a piece's head and its text name, the text
// for a runtime that has every tool.
func namedBy(p *Piece) ([]*Piece, error) {
	e := expander{style: Plain()}
	if _, err := e.expand(p); err != nil {
		return nil, fmt.Errorf("%s.md: %w", p.Path(), err)
	}
	named := e.named
	for _, role := range p.Agents {
		named = append(named, string(Agent)+"/"+role)
	}
	var all []*Piece
	for _, name := range append(named, p.Loads...) {
		piece, err := Find(name)
		if err != nil {
			return nil, fmt.Errorf("%s.md: %w", p.Path(), err)
		}
		all = append(all, piece)
	}
	return all, nil
}
