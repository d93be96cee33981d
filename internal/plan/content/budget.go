package content

import (
	"slices"

	"cairn/internal/tokens"
)

// A Cost is what one command costs in tokens, counted as package tokens does:
// what a model reads of ours in an ordinary run, each piece once. A role that
// is spawned four times reads its prompt four times, in four windows.
type Cost struct {
	Command string `json:"command"`
	Own     int    `json:"own"`    // the command's text
	Loads   int    `json:"loads"`  // pieces it reads in an ordinary run
	Agents  int    `json:"agents"` // prompts of the roles it spawns
	Total   int    `json:"total"`
	Pieces  []Size `json:"pieces"`
}

// A Size is what one piece costs.
type Size struct {
	Piece  string `json:"piece"`
	Tokens int    `json:"tokens"`
}

// CostOf counts a command.
func CostOf(command *Piece) (Cost, error) {
	c := Cost{Command: command.Name}
	add := func(p *Piece, err error) (int, error) {
		if err != nil {
			return 0, err
		}
		text, err := Expand(p, Plain())
		n := tokens.Estimate(text)
		c.Pieces = append(c.Pieces, Size{p.Path(), n})
		return n, err
	}
	var err error
	if c.Own, err = add(command, nil); err != nil {
		return c, err
	}
	queue := slices.Clone(command.Loads)
	for i := 0; i < len(queue); i++ {
		p, err := Find(queue[i])
		n, err := add(p, err)
		if err != nil {
			return c, err
		}
		c.Loads += n
		for _, name := range p.Loads {
			if !slices.Contains(queue, name) {
				queue = append(queue, name)
			}
		}
	}
	for _, role := range command.Agents {
		n, err := add(Find(string(Agent) + "/" + role))
		if err != nil {
			return c, err
		}
		c.Agents += n
	}
	c.Total = c.Own + c.Loads + c.Agents
	return c, nil
}
