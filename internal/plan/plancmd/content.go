package plancmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan/content"
	"cairn/internal/term"
)

func contentVerbs(prompts Prompts) []*command.Command {
	piece := command.Arg{Name: "PIECE", Help: "a command's or a role's name, or a path such as references/checkpoints"}
	return []*command.Command{
		{
			Path: "plan content list", Short: "List the prompts: commands, their parts, roles, references",
			Args:     []command.Arg{{Name: "KIND", Help: "commands, workflows, agents, references or partials", Optional: true}},
			Examples: []string{"cairn plan content list", "cairn plan content list agents --json"},
			Effect:   command.Reads, Run: anywhere(contentList),
		},
		{
			Path: "plan content show", Short: "Print a prompt as an agent reads it",
			Args:     []command.Arg{piece},
			Flags:    []command.Flag{{Name: "for", Default: "", Help: "print it as this coding agent reads it, such as codex"}},
			Examples: []string{"cairn plan content show plan-phase", "cairn plan content show agents/planner --for codex"},
			Effect:   command.Reads, Run: anywhere(prompts.show),
		},
		{
			Path: "plan content budget", Short: "Print what each command costs in tokens",
			Long: "Prints the tokens of each command: its own text, what it reads in a typical run, and\n" +
				"the prompts of the roles it spawns, each once. Four characters count as one token.",
			Args:     []command.Arg{{Name: "COMMAND", Help: "one command, piece by piece", Optional: true}},
			Examples: []string{"cairn plan content budget", "cairn plan content budget plan-phase"},
			Effect:   command.Reads, Run: anywhere(contentBudget),
		},
		{
			Path: "plan content check", Short: "Check that everything a prompt names exists",
			Long: "Checks that every command, flag, role, setting and document that a prompt names\n" +
				"exists. Exits 5 if one does not.",
			Examples: []string{"cairn plan content check", "cairn plan content check --json"},
			Effect:   command.Reads, Run: anywhere(prompts.check),
		},
	}
}

func contentList(c *Call) *answer.Answer {
	type row struct {
		Piece       string `json:"piece"`
		Arguments   string `json:"arguments,omitempty"`
		Profile     string `json:"profile,omitempty"`
		Description string `json:"description,omitempty"`
	}
	all := must.Get(content.All())
	kind := content.Kind(c.Arg("KIND"))
	if kind != "" && !slices.Contains(content.Kinds(), kind) {
		return fail(command.Usagef("there is no kind %q: commands, workflows, agents, references, partials", kind))
	}
	var rows []row
	for _, p := range all {
		if kind == "" || p.Kind == kind {
			rows = append(rows, row{p.Path(), p.Arguments, p.Profile, p.Description})
		}
	}
	return &answer.Answer{Data: rows, View: table("PIECE\tPROFILE\tWHAT IT IS FOR", rows, func(r row) string { return r.Piece + "\t" + r.Profile + "\t" + r.Description })}
}

// findPiece finds a piece; one that is not there is a mistake of the caller.
func findPiece(name string) *content.Piece {
	p, err := content.Find(name)
	var unknown *content.UnknownError
	if errors.As(err, &unknown) {
		err = term.Hint(command.Usage(err), "cairn plan content list shows them")
	}
	must.OK(err)
	return p
}

func (p Prompts) show(c *Call) *answer.Answer {
	piece := findPiece(c.Arg("PIECE"))
	style := content.Plain()
	if name := c.String("for"); name != "" {
		var err error
		style, err = p.Style(c.Env, name)
		must.OK(command.Usage(err))
	}
	text := must.Get(content.Expand(piece, style))
	data := struct {
		Piece string `json:"piece"`
		Text  string `json:"text"`
	}{piece.Path(), text}
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) { fmt.Fprint(w, text) })}
}

func contentBudget(c *Call) *answer.Answer {
	if name := c.Arg("COMMAND"); name != "" {
		p := findPiece(string(content.Command) + "/" + strings.TrimPrefix(name, string(content.Command)+"/"))
		cost := must.Get(content.CostOf(p))
		return &answer.Answer{Data: cost, View: answer.Text(func(w io.Writer) {
			rows := append(cost.Pieces, content.Size{Piece: "in all", Tokens: cost.Total})
			table("PIECE\tTOKENS", rows, func(s content.Size) string { return fmt.Sprintf("%s\t%6d", s.Piece, s.Tokens) })(w)
		})}
	}
	var costs []content.Cost
	for _, p := range must.Get(content.Of(content.Command)) {
		costs = append(costs, must.Get(content.CostOf(p)))
	}
	return &answer.Answer{Data: costs, View: table("COMMAND\tOWN\tLOADS\tAGENTS\tTOTAL", costs, func(x content.Cost) string {
		return fmt.Sprintf("%s\t%6d\t%6d\t%6d\t%6d", x.Command, x.Own, x.Loads, x.Agents, x.Total)
	})}
}

func (p Prompts) check(c *Call) *answer.Answer {
	found := must.Get(content.Check(p.Calls()))
	if found == nil {
		found = []content.Finding{}
	}
	return &answer.Answer{Data: found, No: len(found) > 0, Said: fmt.Sprintf("%d findings", len(found)), View: answer.Text(func(w io.Writer) {
		for _, f := range found {
			fmt.Fprintf(w, "%s:%d: %s\n", f.Piece, f.Line, f.What)
		}
	})}
}
