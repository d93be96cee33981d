package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan/agent"
	"cairn/internal/term"
)

func modelVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan model resolve", Args: []command.Arg{{Name: "AGENT", Help: "a role, such as planner"}},
			Short: "Print which model an agent gets, and why",
			Flags: []command.Flag{{Name: "failed", Default: 0, Help: "how many tries failed already, for dynamic_routing"}},
			Examples: []string{
				"cairn plan model resolve planner",
				"cairn plan model resolve executor --failed 1 --get model",
			},
			Effect: command.Reads, Run: anywhere(modelResolve),
		},
	}
}

func modelResolve(c *Call) *answer.Answer {
	if _, ok := agent.Find(c.Arg("AGENT")); !ok {
		var names []string
		for _, r := range agent.Roles() {
			names = append(names, r.Name)
		}
		return fail(term.Hint(command.Usagef("there is no agent %q", c.Arg("AGENT")), "there are %s", strings.Join(names, ", ")))
	}
	if c.Int("failed") < 0 {
		return fail(command.Usagef("--failed counts from 0"))
	}
	r := agent.Resolve(c.loadSettings(), c.Arg("AGENT"), c.Int("failed"))
	return &answer.Answer{Data: r, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%s\n", strings.TrimSpace(r.Model+" "+r.Effort))
		for _, step := range r.Steps {
			fmt.Fprintf(w, "  %s\n", step)
		}
	})}
}
