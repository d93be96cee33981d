package plancmd

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/term"
	"cairn/internal/text"
)

func stateNoteVerbs() []*command.Command {
	text := []command.Arg{{Name: "TEXT", Many: true, Help: "becomes one line; - reads it from standard input"}}
	return []*command.Command{
		{
			Path: "plan state decide", Short: "Record a decision",
			Args: text,
			Flags: []command.Flag{
				{Name: "phase", Default: "", Help: "the phase it belongs to, else the current one"},
				{Name: "rationale", Short: "r", Default: "", Help: "why"},
			},
			Examples: []string{
				"cairn plan state decide \"Use SQLite\" -r \"one file, no server\"",
				"cairn plan state decide --phase 2 - < decision.txt",
			},
			Effect: command.Writes, Run: run(stateDecide),
		},
		{
			Path: "plan state block", Short: "Record a blocker",
			Args:     text,
			Examples: []string{"cairn plan state block \"waiting for the API key\"", "cairn plan state block \"CI is slow\" --dry-run"},
			Effect:   command.Writes, Run: run(stateBlock),
		},
		{
			Path: "plan state unblock", Short: "Remove blockers that contain a text",
			Args:     text,
			Examples: []string{"cairn plan state unblock \"API key\"", "cairn plan state unblock CI --dry-run"},
			Effect:   command.Writes, Run: run(stateUnblock),
		},
		{
			Path: "plan state metric", Short: "Record how long a plan took",
			Args: []command.Arg{{Name: "PHASE"}, {Name: "PLAN"}, {Name: "DURATION"}},
			Flags: []command.Flag{
				{Name: "tasks", Default: "", Help: "how many tasks it had"},
				{Name: "files", Default: "", Help: "how many files it changed"},
			},
			Examples: []string{"cairn plan state metric 2 1 12min", "cairn plan state metric 2 01 12min --tasks 3 --files 8"},
			Effect:   command.Writes, Run: run(stateMetric),
		},
		{
			Path: "plan state evolve", Short: "Record a change of the roadmap",
			Args: []command.Arg{{Name: "PHASE"}, {Name: "ACTION", Help: strings.Join(plan.EvolutionActions(), ", ")}},
			Flags: []command.Flag{
				{Name: "note", Default: "", Help: "what it is, or why"},
				{Name: "after", Default: "", Help: "the phase it was put after"},
				{Name: "urgent", Default: false, Help: "mark it as urgent"},
			},
			Examples: []string{
				"cairn plan state evolve 2.1 inserted --after 2 --note \"fix the leak\" --urgent",
				"cairn plan state evolve 5 removed --note \"not needed\"",
			},
			Effect: command.Writes, Run: run(stateEvolve),
		},
	}
}

// given returns the words of TEXT; a single - is standard input.
func given(c *Call) string {
	text := strings.Join(c.Rest("TEXT"), " ")
	if text == "-" {
		text = string(must.Get(io.ReadAll(io.LimitReader(c.Stdin, 1<<20))))
	}
	if strings.TrimSpace(text) == "" {
		fail(command.Usagef("the text is empty"))
	}
	return text
}

func stateDecide(c *Call) *answer.Answer {
	text := given(c)
	d := plan.Decision{Phase: c.String("phase"), Summary: text, Rationale: c.String("rationale")}
	editState(c, func(s *plan.State) {
		if d.Phase == "" {
			d.Phase, _ = s.Phase()
			d.Phase = cmp.Or(d.Phase, "-")
		}
		s.Decide(d)
	})
	return &answer.Answer{Data: d, View: answer.Line("%s", d)}
}

func stateBlock(c *Call) *answer.Answer {
	text := given(c)
	editState(c, func(s *plan.State) { s.Block(text) })
	return &answer.Answer{Data: map[string]string{"blocker": text}, Said: "listed as a blocker; cairn plan state unblock TEXT removes it"}
}

func stateUnblock(c *Call) *answer.Answer {
	said := given(c)
	var removed []string
	editState(c, func(s *plan.State) {
		if removed, _ = s.Unblock(said); len(removed) == 0 {
			hint := "there are no blockers"
			if all := s.ListBlockers(); len(all) > 0 {
				hint = "there are: " + strings.Join(all, "; ")
			}
			fail(term.Hint(&plan.InputError{Path: c.Path("STATE.md"), What: fmt.Sprintf("no blocker contains %q", said)}, "%s", hint))
		}
	})
	return &answer.Answer{Data: map[string][]string{"removed": removed}, View: lines(removed), Said: "removed " + text.Count(len(removed), "blocker")}
}

func stateMetric(c *Call) *answer.Answer {
	id := c.phaseID("PHASE")
	m := plan.Metric{Phase: id.String(), Plan: c.Arg("PLAN"), Duration: c.Arg("DURATION"), Tasks: c.String("tasks"), Files: c.String("files")}
	editState(c, func(s *plan.State) { s.Record(m) })
	return &answer.Answer{Data: m, Said: fmt.Sprintf("recorded: phase %s, plan %s, %s", m.Phase, m.Plan, m.Duration)}
}

func stateEvolve(c *Call) *answer.Answer {
	id := c.phaseID("PHASE")
	e := plan.Evolution{Phase: id.String(), Action: c.Arg("ACTION"), After: c.String("after"), Note: c.String("note"), Urgent: c.Bool("urgent")}
	must.OK(command.Usage(e.Check()))
	added := false
	editState(c, func(s *plan.State) { added = s.Evolve(e) })
	return &answer.Answer{Data: map[string]any{"entry": e.String(), "added": added}, View: answer.Line("%s", e)}
}
