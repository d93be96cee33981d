package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
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
func given(c *Call) (string, error) {
	text := strings.Join(c.Rest("TEXT"), " ")
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(c.Stdin, 1<<20))
		if err != nil {
			return "", err
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return "", command.Usagef("the text is empty")
	}
	return text, nil
}

func stateDecide(c *Call) (*answer.Answer, error) {
	text, err := given(c)
	if err != nil {
		return nil, err
	}
	d := plan.Decision{Phase: c.String("phase"), Summary: text, Rationale: c.String("rationale")}
	err = editState(c, func(s *plan.State) error {
		if d.Phase == "" {
			if d.Phase, _ = s.Phase(); d.Phase == "" {
				d.Phase = "-"
			}
		}
		s.Decide(d)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &answer.Answer{Data: d, View: answer.Line("%s", d)}, nil
}

func stateBlock(c *Call) (*answer.Answer, error) {
	text, err := given(c)
	if err != nil {
		return nil, err
	}
	err = editState(c, func(s *plan.State) error {
		s.Block(text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &answer.Answer{Data: map[string]string{"blocker": text}, Said: "listed as a blocker; cairn plan state unblock TEXT removes it"}, nil
}

func stateUnblock(c *Call) (*answer.Answer, error) {
	said, err := given(c)
	if err != nil {
		return nil, err
	}
	var removed []string
	err = editState(c, func(s *plan.State) error {
		removed, _ = s.Unblock(said)
		if len(removed) == 0 {
			err := &plan.InputError{Path: c.Path("STATE.md"), What: fmt.Sprintf("no blocker contains %q", said)}
			if all := s.ListBlockers(); len(all) > 0 {
				return term.Hint(err, "there are: %s", strings.Join(all, "; "))
			}
			return term.Hint(err, "there are no blockers")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &answer.Answer{Data: map[string][]string{"removed": removed}, View: lines(removed), Said: "removed " + text.Count(len(removed), "blocker")}, nil
}

func stateMetric(c *Call) (*answer.Answer, error) {
	id, err := c.phaseID("PHASE")
	if err != nil {
		return nil, err
	}
	m := plan.Metric{Phase: id.String(), Plan: c.Arg("PLAN"), Duration: c.Arg("DURATION"), Tasks: c.String("tasks"), Files: c.String("files")}
	err = editState(c, func(s *plan.State) error {
		s.Record(m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &answer.Answer{Data: m, Said: fmt.Sprintf("recorded: phase %s, plan %s, %s", m.Phase, m.Plan, m.Duration)}, nil
}

func stateEvolve(c *Call) (*answer.Answer, error) {
	id, err := c.phaseID("PHASE")
	if err != nil {
		return nil, err
	}
	e := plan.Evolution{Phase: id.String(), Action: c.Arg("ACTION"), After: c.String("after"), Note: c.String("note"), Urgent: c.Bool("urgent")}
	if err := e.Check(); err != nil {
		return nil, command.Usage(err)
	}
	added := false
	err = editState(c, func(s *plan.State) error {
		added = s.Evolve(e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &answer.Answer{Data: map[string]any{"entry": e.String(), "added": added}, View: answer.Line("%s", e)}, nil
}
