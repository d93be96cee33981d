package plancmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
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
			Path: "plan requirements complete", Short: "Mark requirements as complete",
			Args:     []command.Arg{{Name: "ID", Many: true}},
			Examples: []string{"cairn plan requirements complete API-01 API-02", "cairn plan requirements complete API-01,API-02 --dry-run"},
			Effect:   command.Writes, Run: run(requirementsComplete),
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
	c.Update(func(tx *plan.Tx) {
		q := tx.Requirements()
		if q == nil {
			fail(&plan.InputError{Path: c.Path("REQUIREMENTS.md"), What: "is not there"})
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
			{"in no phase (cairn plan phase edit PHASE --requirements gives it one)", v.Uncovered},
			{"in a phase, but not listed in REQUIREMENTS.md", v.Unlisted},
			{"not in the traceability table (add a row: | ID | Phase N | Pending |)", v.Untraced},
			{"in several phases", v.Twice},
		} {
			if len(line.ids) > 0 {
				fmt.Fprintf(w, "%s: %s\n", line.what, strings.Join(line.ids, ", "))
			}
		}
	})}
}
