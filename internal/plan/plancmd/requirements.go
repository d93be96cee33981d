package plancmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/term"
)

func requirementsVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan requirements list", Short: "List the requirements and whether each is done",
			Flags:    []command.Flag{{Name: "open", Default: false, Help: "list only those that are not done"}},
			Examples: []string{"cairn plan requirements list", "cairn plan requirements list --open --json"},
			Effect:   command.Reads, Run: run(requirementsList),
		},
		{
			Path: "plan requirements trace", Short: "Trace requirements to phases and plans",
			Args:     []command.Arg{{Name: "ID", Optional: true, Many: true}},
			Examples: []string{"cairn plan requirements trace", "cairn plan requirements trace API-01 --json"},
			Effect:   command.Reads, Run: run(requirementsTrace),
		},
		{
			Path: "plan requirements add", Short: "Add a requirement",
			Long: "Adds a requirement after the last one of its kind, in the form of the others, and to the\n" +
				"traceability table if there is one. The rest of the file stays byte for byte.",
			Args:     []command.Arg{{Name: "ID"}, {Name: "TEXT", Many: true}},
			Flags:    []command.Flag{{Name: "phase", Default: "", Help: "the phase that fulfills it, for the traceability table and the roadmap"}},
			Examples: []string{`cairn plan requirements add API-09 "A user can export a report"`, `cairn plan requirements add UI-09 "Dark mode" --phase 2 --dry-run`},
			Effect:   command.Writes, Run: run(requirementsAdd),
		},
		{
			Path: "plan requirements edit", Short: "Change a requirement's text",
			Args:     []command.Arg{{Name: "ID"}, {Name: "TEXT", Many: true}},
			Examples: []string{`cairn plan requirements edit API-01 "A user can sign in with a passkey"`, `cairn plan requirements edit API-01 "Sign in" --dry-run`},
			Effect:   command.Writes, Run: run(requirementsEdit),
		},
		{
			Path: "plan requirements remove", Short: "Remove a requirement",
			Long: "Removes a requirement from the list and the traceability table. Phases of the roadmap\n" +
				"that name it are listed and stay as they are.",
			Args:     []command.Arg{{Name: "ID"}},
			Examples: []string{"cairn plan requirements remove API-02", "cairn plan requirements remove API-02 --dry-run"},
			Effect:   command.Writes, Run: run(requirementsRemove),
		},
		{
			Path: "plan requirements complete", Short: "Mark requirements as complete",
			Long: "Ticks requirements and writes Complete into the traceability table. Exits 5 and changes\n" +
				"nothing if the phase of one has no executed plan that claims it, or a gap is open there.",
			Args:     []command.Arg{{Name: "ID", Many: true}},
			Flags:    overrides("mark them although their phase did not deliver them"),
			Examples: []string{"cairn plan requirements complete API-01 API-02", "cairn plan requirements complete API-01,API-02 --dry-run"},
			Effect:   command.Writes, Run: run(requirementsComplete),
		},
		{
			Path: "plan requirements retrace", Short: "Write the traceability table from the roadmap",
			Long: "Gives each listed requirement of a phase its row in the traceability table of\n" +
				"REQUIREMENTS.md, corrects the phase of rows, and writes the figures below Coverage. The\n" +
				"status of a row stays. A requirement in no phase, or in several, gets no row.",
			Examples: []string{"cairn plan requirements retrace", "cairn plan requirements retrace --dry-run"},
			Effect:   command.Writes, Run: run(requirementsRetrace),
		},
		{
			Path: "plan requirements coverage", Short: "Check that every requirement belongs to a phase",
			Long: "Checks that every requirement belongs to a phase of the roadmap, that phases name only\n" +
				"listed requirements, and that the traceability table has all of them. Exits 5 if\n" +
				"something is missing.",
			Examples: []string{"cairn plan requirements coverage", "cairn plan requirements coverage --get uncovered"},
			Effect:   command.Reads, Run: run(requirementsCoverage),
		},
	}
}

// traces returns what is known of the requirements; without REQUIREMENTS.md
// it is an error.
func (c *Call) traces(withPlans bool) (all []plan.Trace) {
	c.look(func(tx *plan.Tx) {
		if tx.Requirements() == nil {
			fail(term.Hint(&plan.InputError{Path: c.Path("REQUIREMENTS.md"), What: "is not there"}, "cairn plan init makes one"))
		}
		all = tx.TraceRequirements(withPlans)
	})
	return all
}

func requirementsList(c *Call) *answer.Answer {
	all := c.traces(false)
	type row struct {
		ID     string `json:"id"`
		What   string `json:"requirement"`
		Done   bool   `json:"done"`
		Status string `json:"status"`
	}
	rows := []row{}
	for _, t := range all {
		if t.Listed && (!t.Done || !c.Bool("open")) {
			rows = append(rows, row{t.ID, t.What, t.Done, t.Status})
		}
	}
	if len(rows) == 0 {
		return &answer.Answer{Data: rows, Said: "no requirement is listed as - [ ] **ID**: text in " + c.Path("REQUIREMENTS.md")}
	}
	return &answer.Answer{Data: rows, View: table("ID\tDONE\tSTATUS\tREQUIREMENT", rows, func(r row) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", r.ID, mark(r.Done), dash(r.Status), r.What)
	})}
}

func requirementsTrace(c *Call) *answer.Answer {
	all := c.traces(true)
	if ids := doc.RequirementIDs(strings.Join(c.Rest("ID"), " ")); len(c.Rest("ID")) > 0 {
		for _, id := range ids {
			if !slices.ContainsFunc(all, func(t plan.Trace) bool { return strings.EqualFold(t.ID, id) }) {
				err := &plan.InputError{Path: c.Path("REQUIREMENTS.md"), What: "has no " + id}
				return fail(term.Hint(err, "cairn plan requirements list shows those there are"))
			}
		}
		all = slices.DeleteFunc(all, func(t plan.Trace) bool { return !slices.Contains(ids, t.ID) })
	}
	return &answer.Answer{Data: all, View: table("ID\tDONE\tTABLE\tROADMAP\tPLANS", all, func(r plan.Trace) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", r.ID, mark(r.Done), dash(r.Phase), dash(strings.Join(r.Phases, ", ")), dash(strings.Join(r.Plans, ", ")))
	})}
}

func requirementsComplete(c *Call) *answer.Answer {
	ids := doc.RequirementIDs(strings.Join(c.Rest("ID"), " "))
	if len(ids) == 0 {
		return fail(command.Usagef("%q is not a requirement's id, such as API-01", strings.Join(c.Rest("ID"), " ")))
	}
	var m plan.Marked
	o := c.override()
	c.Update(func(tx *plan.Tx) {
		q := tx.Requirements()
		if q == nil {
			fail(&plan.InputError{Path: c.Path("REQUIREMENTS.md"), What: "is not there"})
		}
		if open := lifecycle.New(c.Context, tx).Undelivered(ids); len(open) > 0 {
			r := &lifecycle.Refusal{Move: lifecycle.Tick, Unmet: open}
			if !o.Force {
				fail(r)
			}
			tx.EditState(func(s *plan.State) {
				s.Decide(plan.Decision{Summary: "Ticked by force: " + r.Open(), Rationale: o.Reason})
			})
		}
		m = plan.MarkComplete(q, ids)
		if len(m.NotFound) > 0 {
			err := &plan.InputError{Path: c.Path("REQUIREMENTS.md"), What: "has no " + strings.Join(m.NotFound, ", ")}
			fail(term.Hint(err, "cairn plan requirements list shows those there are"))
		}
	})
	return &answer.Answer{Data: m, View: answer.Text(func(w io.Writer) {
		for _, id := range m.Complete {
			fmt.Fprintf(w, "%s is complete\n", id)
		}
		for _, id := range m.Already {
			fmt.Fprintf(w, "%s was complete already\n", id)
		}
	})}
}

// requirementID is the argument ID.
func (c *Call) requirementID() string {
	ids := doc.RequirementIDs(c.Arg("ID"))
	if len(ids) != 1 || ids[0] != c.Arg("ID") {
		must.OK(command.Usagef("%q is not a requirement's id, such as API-01", c.Arg("ID")))
	}
	return ids[0]
}

func (c *Call) requirementText() string {
	what := strings.TrimSpace(strings.Join(c.Rest("TEXT"), " "))
	if what == "" {
		must.OK(command.Usagef("TEXT is empty"))
	}
	return what
}

func requirementsAdd(c *Call) *answer.Answer {
	id, what, phase := c.requirementID(), c.requirementText(), c.String("phase")
	done := update(c, func(tx *plan.Tx) *plan.RequirementChange {
		if phase == "" {
			return tx.AddRequirement(id, what, "")
		}
		of, ok := doc.ParsePhaseID(phase)
		p := tx.Phase(of)
		if !ok || p == nil {
			fail(term.Hint(&plan.PhaseError{Phase: phase}, "cairn plan phase list shows those there are"))
		}
		added := tx.AddRequirement(id, what, p.ID.String())
		f, _ := p.Field(tx.Roadmap(), "Requirements")
		list := plan.WithRequirement(f.Value, id)
		tx.EditPhase(of, plan.PhaseEdit{Requirements: &list})
		added.Named = []string{p.ID.String()}
		return added
	})
	return requirementAnswer(done, "added")
}

func requirementsEdit(c *Call) *answer.Answer {
	id, what := c.requirementID(), c.requirementText()
	return requirementAnswer(update(c, func(tx *plan.Tx) *plan.RequirementChange { return tx.EditRequirement(id, what) }), "changed")
}

func requirementsRemove(c *Call) *answer.Answer {
	id := c.requirementID()
	a := requirementAnswer(update(c, func(tx *plan.Tx) *plan.RequirementChange { return tx.RemoveRequirement(id) }), "removed")
	if done := a.Data.(*plan.RequirementChange); len(done.Named) > 0 {
		a.Hint = "phase " + strings.Join(done.Named, ", ") + " of the roadmap still names it: cairn plan phase edit PHASE --requirement ID"
	}
	return a
}

func requirementAnswer(done *plan.RequirementChange, what string) *answer.Answer {
	return &answer.Answer{Data: done, View: answer.Line("%s %s: %s", what, done.ID, done.What)}
}

func requirementsRetrace(c *Call) *answer.Answer {
	r := update(c, func(tx *plan.Tx) *plan.Retraced { return tx.Retrace() })
	return &answer.Answer{Data: r, View: answer.Line("%d of %d requirements are in a phase; %d rows added, %d corrected", r.Mapped, r.Total, len(r.Added), len(r.Moved))}
}

// coverage is what the requirements, the roadmap and the table do not agree on.
type coverage struct {
	Total     int      `json:"total"`
	Covered   int      `json:"covered"`
	Uncovered []string `json:"uncovered"` // in no phase
	Unlisted  []string `json:"unlisted"`  // in a phase, not in REQUIREMENTS.md
	Untraced  []string `json:"untraced"`  // not in the traceability table
	Twice     []string `json:"twice"`     // in several phases
}

func requirementsCoverage(c *Call) *answer.Answer {
	all := c.traces(false)
	v := coverage{Uncovered: []string{}, Unlisted: []string{}, Untraced: []string{}, Twice: []string{}}
	for _, t := range all {
		if !t.Listed {
			if len(t.Phases) > 0 {
				v.Unlisted = append(v.Unlisted, t.ID)
			}
			continue
		}
		v.Total++
		if len(t.Phases) > 0 {
			v.Covered++
		} else if !t.Done {
			v.Uncovered = append(v.Uncovered, t.ID)
		}
		if !t.Traced {
			v.Untraced = append(v.Untraced, t.ID)
		}
		if len(t.Phases) > 1 {
			v.Twice = append(v.Twice, t.ID)
		}
	}
	no := len(v.Uncovered)+len(v.Unlisted)+len(v.Untraced) > 0
	return &answer.Answer{Data: v, No: no, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%d of %d requirements are in a phase\n", v.Covered, v.Total)
		for _, line := range []struct {
			what string
			ids  []string
		}{
			{"in no phase (cairn plan phase edit PHASE --requirement ID gives it one)", v.Uncovered},
			{"in a phase, but not listed in REQUIREMENTS.md", v.Unlisted},
			{"not in the traceability table (cairn plan requirements retrace adds the rows)", v.Untraced},
			{"in several phases", v.Twice},
		} {
			if len(line.ids) > 0 {
				fmt.Fprintf(w, "%s: %s\n", line.what, strings.Join(line.ids, ", "))
			}
		}
	})}
}
