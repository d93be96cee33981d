package verb

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
	"cairn/internal/text"
)

func stateWorkVerbs() []*Verb {
	name := Flag{Name: "name", Default: "", Help: "the phase's name, else what the roadmap calls it"}
	plans := Flag{Name: "plans", Default: 0, Help: "how many plans it has, else they are counted"}
	return []*Verb{
		{
			Noun: "state", Name: "begin", Short: "Make a phase the current one and begin to execute it",
			Long: "Makes a phase the current one, on its first plan that is not executed. Of a phase\n" +
				"that is being executed already the rest stays as a session left it.",
			Args: []Arg{{Name: "PHASE"}}, Flags: []Flag{name, plans},
			Examples: []string{"cairn plan state begin 3", "cairn plan state begin 2.1 --name Hotfix --plans 1"},
			Effect:   Writes, Run: stateBegin,
		},
		{
			Noun: "state", Name: "advance", Short: "Go to the phase's next plan",
			Long:     "Goes to the phase's next plan. After the last one the phase waits for its verification.",
			Examples: []string{"cairn plan state advance", "cairn plan state advance --get current_plan"},
			Effect:   Writes, Run: stateAdvance,
		},
		{
			Noun: "state", Name: "planned", Short: "Say that a phase's plans are ready to execute",
			Args: []Arg{{Name: "PHASE"}}, Flags: []Flag{plans},
			Examples: []string{"cairn plan state planned 3", "cairn plan state planned 3 --plans 4"},
			Effect:   Writes, Run: statePlanned,
		},
		{
			Noun: "state", Name: "complete", Short: "Say that the current phase is complete",
			Long:     "Says in STATE.md that the current phase is complete. It is refused while a plan of\nthe phase has no summary. cairn plan phase complete does this and the roadmap.",
			Args:     []Arg{{Name: "PHASE", Optional: true, Help: "the current one, when it is given"}},
			Flags:    []Flag{{Name: "force", Default: false, Help: "also with plans that were not executed"}},
			Examples: []string{"cairn plan state complete", "cairn plan state complete 2 --force"},
			Effect:   Writes, Run: stateComplete,
		},
		{
			Noun: "state", Name: "session", Short: "Write where this session stops",
			Flags: []Flag{
				{Name: "stopped-at", Default: "", Help: "what was being done"},
				{Name: "resume-file", Default: "", Help: "the file to go on from; none by default"},
			},
			Examples: []string{
				"cairn plan state session --stopped-at \"02-01 task 3\"",
				"cairn plan state session --stopped-at \"review\" --resume-file .planning/phases/02-api/.continue-here.md",
			},
			Effect: Writes, Run: stateSession,
		},
		{
			Noun: "state", Name: "wait", Short: "Say that the work waits for an answer, in " + plan.WaitingFile,
			Args: []Arg{{Name: "QUESTION", Many: true}},
			Flags: []Flag{
				{Name: "type", Default: "decision", Help: "what kind of answer it is"},
				{Name: "option", Default: []string(nil), Help: "an answer to choose from; several times"},
				{Name: "phase", Default: "", Help: "the phase it is about, else the current one"},
			},
			Examples: []string{
				"cairn plan state wait \"Which database?\" --option SQLite --option Postgres",
				"cairn plan state wait \"Is the key there?\" --type human-action --phase 3",
			},
			Effect: Writes, Run: stateWait,
		},
		{
			Noun: "state", Name: "resume", Short: "Say that the work waits no longer",
			Examples: []string{"cairn plan state resume", "cairn plan state resume --json"},
			Effect:   Writes, Run: stateResume,
		},
	}
}

// phaseWork is the phase that the call names. One that the project does not
// have is an error, unless it has none at all.
func phaseWork(c *Call, s *plan.State, tx *plan.Tx, name string) (plan.PhaseWork, error) {
	id, err := c.Phase("PHASE")
	if err != nil {
		return plan.PhaseWork{}, err
	}
	w := plan.PhaseWork{Number: id.String(), Name: name, Plans: -1}
	if c.Given("plans") {
		w.Plans = c.Int("plans")
	}
	if p, err := tx.Phase(id); p != nil || err != nil {
		if err != nil {
			return w, err
		}
		w.Done = p.Executed()
		return s.Known(w)
	}
	if all, err := tx.Phases(plan.WithIdeas); len(all) == 0 {
		return w, err
	}
	err = &plan.InputError{Path: tx.Path("ROADMAP.md"), What: "there is no phase " + id.String()}
	return w, term.Hint(err, "cairn plan phase list shows those there are")
}

// named is a phase for people: 2: API.
func named(number, name string) string { return strings.TrimSuffix(number+": "+name, ": ") }

// written is the result of a verb that writes several fields; done says what
// was done, names which fields that took.
func written(c *Call, edit func(s *plan.State, tx *plan.Tx) (done string, names []string, err error)) (*Result, error) {
	var done string
	var names []string
	change, err := c.Update(func(tx *plan.Tx) error {
		return tx.EditState(func(s *plan.State) (err error) {
			done, names, err = edit(s, tx)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return &Result{Data: map[string][]string{"updated": list(names)}, Text: line("%s", done), Change: change}, nil
}

func stateBegin(c *Call) (*Result, error) {
	return written(c, func(s *plan.State, tx *plan.Tx) (string, []string, error) {
		w, err := phaseWork(c, s, tx, c.String("name"))
		if err != nil {
			return "", nil, err
		}
		if w.Plans <= 0 {
			err := &plan.InputError{Path: c.Path("STATE.md"), What: "phase " + w.Number + " has no plans to execute"}
			return "", nil, term.Hint(err, "cairn plan template fill plan --phase %s --plan 1 begins one; --plans N says how many there will be", w.Number)
		}
		return fmt.Sprintf("executing phase %s, %s", named(w.Number, w.Name), text.Count(w.Plans, "plan")), s.Begin(w), nil
	})
}

func statePlanned(c *Call) (*Result, error) {
	return written(c, func(s *plan.State, tx *plan.Tx) (string, []string, error) {
		w, err := phaseWork(c, s, tx, "")
		if err != nil {
			return "", nil, err
		}
		names := s.Planned(w)
		names = append(names, s.Stop("Phase "+w.Number+" planned", "")...)
		return "phase " + named(w.Number, w.Name) + " is ready to execute", names, nil
	})
}

func stateComplete(c *Call) (*Result, error) {
	return written(c, func(s *plan.State, tx *plan.Tx) (string, []string, error) {
		id, ok := s.PhaseID()
		if c.Arg("PHASE") != "" {
			given, err := c.Phase("PHASE")
			if err != nil {
				return "", nil, err
			}
			if ok && !given.Same(id) {
				return "", nil, &plan.InputError{Path: c.Path("STATE.md"), What: fmt.Sprintf("the current phase is %s, not %s", id, given)}
			}
			id, ok = given, true
		}
		if !ok {
			return "", nil, &plan.InputError{Path: c.Path("STATE.md"), What: "does not say which phase is the current one"}
		}
		p, err := tx.Phase(id)
		if err != nil {
			return "", nil, err
		}
		if p != nil && !p.Complete() && !c.Bool("force") {
			what := fmt.Sprintf("phase %s is not complete: %d of %d plans are executed", id, p.Executed(), len(p.Plans))
			return "", nil, term.Hint(&plan.InputError{Path: c.Path("STATE.md"), What: what}, "execute the rest, or --force")
		}
		names, _ := s.Finish(id.String())
		return "phase " + id.String() + " is complete", names, nil
	})
}

// advanced is what `state advance` prints.
type advanced struct {
	Previous int  `json:"previous_plan"`
	Current  int  `json:"current_plan"`
	Total    int  `json:"total_plans"`
	Last     bool `json:"last"`
}

func stateAdvance(c *Call) (*Result, error) {
	a, change, err := updateState(c, (*plan.State).Advance)
	if err != nil {
		return nil, err
	}
	text := line("plan %d of %d", a.Current, a.Total)
	if a.Last {
		text = line("plan %d was the last: the phase is ready for verification", a.Total)
	}
	return &Result{Data: advanced(a), Text: text, Change: change}, nil
}

func stateSession(c *Call) (*Result, error) {
	return written(c, func(s *plan.State, _ *plan.Tx) (string, []string, error) {
		s.AddSession()
		done := "the session stops"
		if at := c.String("stopped-at"); at != "" {
			done += " at " + doc.OneLine(at)
		}
		return done, s.Stop(c.String("stopped-at"), c.String("resume-file")), nil
	})
}

func stateWait(c *Call) (*Result, error) {
	q := plan.Waiting{Type: c.String("type"), Question: strings.Join(c.Rest("QUESTION"), " "), Options: c.List("option")}
	change, err := c.Update(func(tx *plan.Tx) error {
		phase := c.String("phase")
		if s, err := tx.State(); err == nil && phase == "" {
			phase, _ = s.Phase()
		}
		if phase != "" {
			q.Phase = &phase
		}
		return tx.Wait(q)
	})
	if err != nil {
		return nil, err
	}
	return &Result{Data: map[string]string{"path": c.Path(plan.WaitingFile)}, Text: line("%s", c.Path(plan.WaitingFile)), Talk: "the work waits for an answer; cairn plan state resume goes on", Change: change}, nil
}

func stateResume(c *Call) (*Result, error) {
	var q *plan.Waiting
	change, err := c.Update(func(tx *plan.Tx) (err error) {
		if q, err = tx.Waiting(); err != nil {
			return err
		}
		_, err = tx.Resume()
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Result{Data: map[string]any{"waited_for": q}, Change: change, Text: func(w io.Writer) {
		if q == nil {
			fmt.Fprintln(w, "nothing was waiting")
		} else {
			fmt.Fprintln(w, q.Question)
		}
	}}, nil
}
