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
	var err error
	if c.Own, err = c.add(command); err != nil {
		return c, err
	}
	if c.Loads, err = c.addLoads(command); err != nil {
		return c, err
	}
	for _, role := range command.Agents {
		p, err := Find(string(Agent) + "/" + role)
		if err != nil {
			return c, err
		}
		own, err := c.add(p)
		if err != nil {
			return c, err
		}
		loads, err := c.addLoads(p)
		if err != nil {
			return c, err
		}
		c.Agents += own + loads
	}
	c.Total = c.Own + c.Loads + c.Agents
	return c, nil
}

// add counts one piece; one that was counted before costs nothing.
func (c *Cost) add(p *Piece) (int, error) {
	if slices.ContainsFunc(c.Pieces, func(s Size) bool { return s.Piece == p.Path() }) {
		return 0, nil
	}
	text, err := Expand(p, Plain())
	n := tokens.Estimate(text)
	c.Pieces = append(c.Pieces, Size{p.Path(), n})
	return n, err
}

// addLoads counts what a piece has its reader read in an ordinary run, and
// what that has them read.
func (c *Cost) addLoads(p *Piece) (sum int, err error) {
	for _, name := range p.Loads {
		loaded, err := Find(name)
		if err != nil {
			return 0, err
		}
		n, err := c.add(loaded)
		if err != nil {
			return 0, err
		}
		more, err := c.addLoads(loaded)
		if err != nil {
			return 0, err
		}
		sum += n + more
	}
	return sum, nil
}
