package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/term"
	"cairn/internal/text"
)

func stateWorkVerbs() []*command.Command {
	name := command.Flag{Name: "name", Default: "", Help: "the phase's name, else what the roadmap calls it"}
	plans := command.Flag{Name: "plans", Default: 0, Help: "how many plans it has, else they are counted"}
	return []*command.Command{
		{
			Path: "plan state begin", Short: "Start executing a phase",
			Long: "Makes a phase the current one, at its first unexecuted plan. If the phase is being\n" +
				"executed already, the rest of STATE.md is kept as the last session left it.",
			Args: []command.Arg{{Name: "PHASE"}}, Flags: append([]command.Flag{name, plans}, overrides("begin it although it is not ready")...),
			Examples: []string{"cairn plan state begin 3", "cairn plan state begin 2.1 --name Hotfix --plans 1"},
			Effect:   command.Writes, Run: run(stateBegin),
		},
		{
			Path: "plan state advance", Short: "Move on to the phase's next plan",
			Long:     "Moves to the phase's next plan. After the last one the phase waits for verification.",
			Examples: []string{"cairn plan state advance", "cairn plan state advance --get current_plan"},
			Effect:   command.Writes, Run: run(stateAdvance),
		},
		{
			Path: "plan state planned", Short: "Mark a phase's plans as ready to execute",
			Long: "Exits 5 and lists everything that keeps the phase from being executed: gaps of the\n" +
				"template, plans that wait for each other, open questions, decisions and requirements\n" +
				"that no plan honors.",
			Args: []command.Arg{{Name: "PHASE"}}, Flags: append([]command.Flag{plans}, overrides("mark it although it is not ready")...),
			Examples: []string{"cairn plan state planned 3", "cairn plan state planned 3 --plans 4"},
			Effect:   command.Writes, Run: run(statePlanned),
		},
		{
			Path: "plan state complete", Short: "Mark the current phase as complete",
			Long: "Marks the current phase as complete in STATE.md, under the conditions of cairn plan\n" +
				"phase complete, which updates the roadmap, too.",
			Args:     []command.Arg{{Name: "PHASE", Optional: true, Help: "the current one, when it is given"}},
			Flags:    overrides("mark it although it is not complete"),
			Examples: []string{"cairn plan state complete", `cairn plan state complete 2 --force --reason "accepted in a call"`},
			Effect:   command.Writes, Run: run(stateComplete),
		},
		{
			Path: "plan state session", Short: "Record where this session stops",
			Flags: []command.Flag{
				{Name: "stopped-at", Default: "", Help: "what was being done"},
				{Name: "resume-file", Default: "", Help: "the file to go on from; none by default"},
			},
			Examples: []string{
				"cairn plan state session --stopped-at \"02-01 task 3\"",
				"cairn plan state session --stopped-at \"review\" --resume-file .planning/phases/02-api/.continue-here.md",
			},
			Effect: command.Writes, Run: run(stateSession),
		},
		{
			Path: "plan state wait", Short: "Record that the work waits for an answer",
			Args: []command.Arg{{Name: "QUESTION", Many: true}},
			Flags: []command.Flag{
				{Name: "type", Default: "decision", Help: "what kind of answer it is"},
				{Name: "option", Default: []string(nil), Help: "an answer to choose from; several times"},
				{Name: "phase", Default: "", Help: "the phase it is about, else the current one"},
			},
			Examples: []string{
				"cairn plan state wait \"Which database?\" --option SQLite --option Postgres",
				"cairn plan state wait \"Is the key there?\" --type human-action --phase 3",
			},
			Effect: command.Writes, Run: run(stateWait),
		},
		{
			Path: "plan state resume", Short: "Resume work that waited for an answer",
			Examples: []string{"cairn plan state resume", "cairn plan state resume --json"},
			Effect:   command.Writes, Run: run(stateResume),
		},
	}
}

// phaseWork is the phase that the call names. One that the project does not
// have is an error, unless it has none at all.
func phaseWork(c *Call, s *plan.State, tx *plan.Tx, name string) plan.PhaseWork {
	id := c.phaseID("PHASE")
	w := plan.PhaseWork{Number: id.String(), Name: name, Plans: -1}
	if c.Set("plans") {
		w.Plans = c.Int("plans")
	}
	if p := tx.Phase(id); p != nil {
		w.Done = p.Executed()
		return s.Known(w)
	}
	if len(tx.Phases(plan.WithIdeas)) > 0 {
		fail(term.Hint(&plan.InputError{Path: tx.Path("ROADMAP.md"), What: "there is no phase " + id.String()}, "cairn plan phase list shows those there are"))
	}
	return w
}

// named is a phase for people: 2: API.
func named(number, name string) string { return strings.TrimSuffix(number+": "+name, ": ") }

// written is the result of a verb that writes several fields; done says what
// was done, names which fields that took.
func written(c *Call, edit func(s *plan.State, tx *plan.Tx) (done string, names []string)) *answer.Answer {
	var done string
	var names []string
	c.Update(func(tx *plan.Tx) {
		tx.EditState(func(s *plan.State) { done, names = edit(s, tx) })
	})
	return &answer.Answer{Data: map[string][]string{"updated": answer.List(names)}, View: answer.Line("%s", done)}
}

// moves asks for a phase that the plan has; of another nothing is known but
// what the call says.
func (c *Call) moves(tx *plan.Tx, w plan.PhaseWork, m lifecycle.Move) *lifecycle.Refusal {
	id, _ := doc.ParsePhaseID(w.Number)
	p := tx.Phase(id)
	if p == nil || len(p.Plans) == 0 && w.Plans > 0 { // plans that are said to come
		c.override()
		return nil
	}
	return c.ask(tx, p, m)
}

func stateBegin(c *Call) *answer.Answer {
	return written(c, func(s *plan.State, tx *plan.Tx) (string, []string) {
		w := phaseWork(c, s, tx, c.String("name"))
		if w.Plans <= 0 && !c.override().Force {
			err := &plan.InputError{Path: c.Path("STATE.md"), What: "phase " + w.Number + " has no plans to execute"}
			fail(term.Hint(err, "cairn plan template fill plan --phase %s --plan 1 begins one; --plans N says how many there will be", w.Number))
		}
		open := c.moves(tx, w, lifecycle.Begin)
		names := s.Begin(w)
		record(s, "Begun", open, c.String("reason"))
		return fmt.Sprintf("executing phase %s, %s", named(w.Number, w.Name), text.Count(max(w.Plans, 0), "plan")), names
	})
}

func statePlanned(c *Call) *answer.Answer {
	return written(c, func(s *plan.State, tx *plan.Tx) (string, []string) {
		w := phaseWork(c, s, tx, "")
		open := c.moves(tx, w, lifecycle.Ready)
		names := s.Planned(w)
		record(s, "Planned", open, c.String("reason"))
		names = append(names, s.Stop("Phase "+w.Number+" planned", "")...)
		return "phase " + named(w.Number, w.Name) + " is ready to execute", names
	})
}

func stateComplete(c *Call) *answer.Answer {
	return written(c, func(s *plan.State, tx *plan.Tx) (string, []string) {
		id, ok := s.PhaseID()
		if c.Arg("PHASE") != "" {
			given := c.phaseID("PHASE")
			if ok && !given.Same(id) {
				fail(&plan.InputError{Path: c.Path("STATE.md"), What: fmt.Sprintf("the current phase is %s, not %s", id, given)})
			}
			id, ok = given, true
		}
		if !ok {
			fail(&plan.InputError{Path: c.Path("STATE.md"), What: "does not say which phase is the current one"})
		}
		var open *lifecycle.Refusal
		if p := tx.Phase(id); p == nil || !tx.Closed(p) {
			open = c.moves(tx, plan.PhaseWork{Number: id.String()}, lifecycle.Finish)
		}
		names, _ := s.Finish(id.String())
		record(s, "Completed", open, c.String("reason"))
		return "phase " + id.String() + " is complete", names
	})
}

func stateAdvance(c *Call) *answer.Answer {
	a := updateState(c, (*plan.State).Advance)
	text := answer.Line("plan %d of %d", a.Current, a.Total)
	if a.Last {
		text = answer.Line("plan %d was the last: the phase is ready for verification", a.Total)
	}
	return &answer.Answer{Data: a, View: text}
}

func stateSession(c *Call) *answer.Answer {
	return written(c, func(s *plan.State, _ *plan.Tx) (string, []string) {
		s.AddSession()
		done := "the session stops"
		if at := c.String("stopped-at"); at != "" {
			done += " at " + doc.OneLine(at)
		}
		return done, s.Stop(c.String("stopped-at"), c.String("resume-file"))
	})
}

func stateWait(c *Call) *answer.Answer {
	q := plan.Waiting{Type: c.String("type"), Question: strings.Join(c.Rest("QUESTION"), " "), Options: c.List("option")}
	c.Update(func(tx *plan.Tx) {
		phase := c.String("phase")
		if phase == "" && tx.Has(tx.Path("STATE.md")) {
			phase, _ = tx.State().Phase()
		}
		if phase != "" {
			q.Phase = &phase
		}
		tx.Wait(q)
	})
	return &answer.Answer{Data: map[string]string{"path": c.Path(plan.WaitingFile)}, View: answer.Line("%s", c.Path(plan.WaitingFile)), Said: "the work waits for an answer; cairn plan state resume goes on"}
}

func stateResume(c *Call) *answer.Answer {
	var q *plan.Waiting
	c.Update(func(tx *plan.Tx) {
		q = tx.Waiting()
		tx.Resume()
	})
	return &answer.Answer{Data: map[string]any{"waited_for": q}, View: answer.Text(func(w io.Writer) {
		if q == nil {
			fmt.Fprintln(w, "nothing was waiting")
		} else {
			fmt.Fprintln(w, q.Question)
		}
	})}
}
