package plancmd

import (
	"fmt"
	"io"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/term"
	"cairn/internal/text"
)

func decisionsVerbs() []*command.Command {
	phase := []command.Arg{{Name: "PHASE", Help: "its number; the current phase when it is left out", Optional: true}}
	return []*command.Command{
		{
			Path: "plan decisions list", Short: "List the decisions of a phase's CONTEXT.md",
			Long: "Decisions are the items of blocks of that name or, where there is none, of a section\n" +
				"called Decisions. One without an id cannot be cited by a plan.",
			Args:     phase,
			Examples: []string{"cairn plan decisions list 2", "cairn plan decisions list --json"},
			Effect:   command.Reads, Run: reads(decisionsList),
		},
		{
			Path: "plan decisions number", Short: "Give ids to the decisions of a phase that have none",
			Long: "- Use chi becomes - **D-01:** Use chi, in the order of CONTEXT.md. What is the agent's\n" +
				"to decide or deferred gets none.",
			Args:     phase,
			Examples: []string{"cairn plan decisions number 2", "cairn plan decisions number 2 --dry-run"},
			Effect:   command.Writes, Run: run(decisionsNumber),
		},
	}
}

// decisionRow is a decision as the verbs print it.
type decisionRow struct {
	ID        string   `json:"id"` // "" for none
	Category  string   `json:"category,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	Trackable bool     `json:"trackable"` // a plan has to honor it
	Text      string   `json:"text"`
	File      string   `json:"file"`
	Line      int      `json:"line"` // counted from 1
}

func decidedRow(file string, d doc.Decision) decisionRow {
	return decisionRow{d.ID, d.Category, d.Tags, d.Trackable(), d.Text, file, d.Line + 1}
}

// contextOf is the CONTEXT.md of the phase that is asked for.
func contextOf(c *Call, tx *plan.Tx) *gate.File {
	p := gatePhase(c, tx, "decisions")
	f := gate.Document(tx, p, "CONTEXT")
	if f == nil {
		fail(term.Hint(&plan.InputError{Path: p.Dir, What: "has no CONTEXT.md"}, "cairn plan template fill context --phase %s makes one", p.ID))
	}
	return f
}

func decisionsList(c *Call, tx *plan.Tx) *answer.Answer {
	f := contextOf(c, tx)
	rows := []decisionRow{}
	numbered, malformed := f.Decisions()
	for _, d := range append(numbered, f.Unnumbered()...) {
		rows = append(rows, decidedRow(f.Path, d))
	}
	a := &answer.Answer{Data: rows, View: table("ID\tLINE\tCATEGORY\tDECISION", rows, func(r decisionRow) string {
		return fmt.Sprintf("%s\t%d\t%s\t%s", dash(r.ID), r.Line, dash(r.Category), r.Text)
	})}
	if len(rows) == 0 {
		a.View, a.Said = nil, "no decision in "+f.Path
	}
	if len(malformed) > 0 {
		a.Err = command.Data(&plan.InputError{Path: f.Path, Line: malformed[0] + 1, What: "begins as a decision and is none"})
	}
	return a
}

func decisionsNumber(c *Call) *answer.Answer {
	rows, file := []decisionRow{}, ""
	c.Update(func(tx *plan.Tx) {
		f := contextOf(c, tx)
		file = f.Path
		for _, d := range f.Number() {
			rows = append(rows, decidedRow(f.Path, d))
		}
	})
	if len(rows) == 0 {
		return &answer.Answer{Data: rows, Said: "every decision of " + file + " has an id"}
	}
	return &answer.Answer{Data: rows, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "numbered %s of %s, %s to %s\n", text.Count(len(rows), "decision"), file, rows[0].ID, rows[len(rows)-1].ID)
	})}
}
