package plancmd

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/decision"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/term"
	"cairn/internal/text"
)

func decisionsVerbs() []*command.Command {
	phase := []command.Arg{{Name: "PHASE", Help: "its number; the current phase when it is left out", Optional: true}}
	return []*command.Command{
		{
			Path: "plan decisions list", Short: "List decisions, and where each stands",
			Long: "Decisions are the items of blocks of that name or, where there is none, of a section\n" +
				"called Decisions. One without an id cannot be cited by a plan. With --all those of every\n" +
				"phase, archived ones included. A decision is open, planned (plans cite it), built (those\n" +
				"are executed), verified (and the verification of its phase passed), superseded or\n" +
				"untracked (no plan has to honor it). --all shows where the last proof of its phase\n" +
				"(cairn plan prove) found it. Items below it say more: By, Why, Evidence,\n" +
				"Superseded by. An id that several phases have is named with its phase: 02/D-01.",
			Args:     phase,
			Flags:    []command.Flag{{Name: "all", Default: false, Help: "those of the whole project"}},
			Examples: []string{"cairn plan decisions list 2", "cairn plan decisions list --all --json"},
			Effect:   command.Reads, Run: reads(decisionsList),
		},
		{
			Path: "plan decisions number", Short: "Give ids to the decisions of a phase that have none",
			Long: "- Use chi becomes - **D-01:** Use chi, in the order of CONTEXT.md; ids go on after the\n" +
				"last of the project. What is the agent's to decide or deferred gets none.",
			Args:     phase,
			Examples: []string{"cairn plan decisions number 2", "cairn plan decisions number 2 --dry-run"},
			Effect:   command.Writes, Run: run(decisionsNumber),
		},
		{
			Path: "plan decisions supersede", Short: "Record that another decision takes the place of one",
			Long: "Notes it below OLD in its CONTEXT.md. No plan has to honor OLD from then on; plans that\n" +
				"cite it are listed. NEW has to be a decision of the project.",
			Args:     []command.Arg{{Name: "OLD", Help: "its id: D-07, or 02/D-07 where several phases have that"}, {Name: "NEW", Help: "the id of the one that holds"}},
			Flags:    []command.Flag{{Name: "reason", Default: "", Help: "why; it is written down"}},
			Examples: []string{`cairn plan decisions supersede D-01 D-02 --reason "too slow"`, `cairn plan decisions supersede 02/D-02 02/D-06 --reason "one store" --dry-run`},
			Effect:   command.Writes, Run: run(decisionsSupersede),
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

	Phase    string         `json:"phase"`
	Ref      string         `json:"ref"` // what names it in the whole project, "" without an id
	State    decision.State `json:"state"`
	By       string         `json:"by,omitempty"`
	Why      string         `json:"why,omitempty"`
	Evidence []string       `json:"evidence,omitempty"`
	Plans    []string       `json:"plans,omitempty"` // that cite it

	SupersededBy  string `json:"superseded_by,omitempty"`
	SupersededWhy string `json:"superseded_why,omitempty"`

	Proven *decision.Proof `json:"proven,omitempty"`
}

func decidedRow(d decision.Decision) decisionRow {
	return decisionRow{d.ID, d.Category, d.Tags, d.Trackable(), d.Text, d.File.Path, d.Line + 1,
		d.Phase.ID.String(), d.Ref, d.State, d.By, d.Why, d.Evidence, d.Plans, d.SupersededBy, d.SupersededWhy, d.Proof}
}

// decisionPhase is the phase that is asked for, which must have a CONTEXT.md.
func decisionPhase(c *Call, tx *plan.Tx) *plan.Phase {
	p := gatePhase(c, tx, "decisions")
	if p.File("CONTEXT") == "" {
		fail(term.Hint(&plan.InputError{Path: p.Dir, What: "has no CONTEXT.md"}, "cairn plan template fill context --phase %s makes one", p.ID))
	}
	return p
}

func decisionsList(c *Call, tx *plan.Tx) *answer.Answer {
	of, where := decision.Read(tx), "any CONTEXT.md"
	list := func() []decision.Decision { return of.All }
	if !c.Bool("all") {
		p := decisionPhase(c, tx)
		where = path.Join(p.Dir, p.File("CONTEXT"))
		list = func() []decision.Decision { return of.Of(p) }
		of.Malformed = slices.DeleteFunc(of.Malformed, func(e plan.InputError) bool { return e.Path != where })
	} else if c.Arg("PHASE") != "" {
		return fail(command.Usagef("--all lists every phase: give no PHASE"))
	}
	of.Trace()
	rows := []decisionRow{}
	for _, d := range list() {
		rows = append(rows, decidedRow(d))
	}
	a := &answer.Answer{Data: rows, View: table("ID\tSTATE\tLINE\tCATEGORY\tDECISION", rows, func(r decisionRow) string {
		return fmt.Sprintf("%s\t%s\t%d\t%s\t%s", dash(r.ID), r.State, r.Line, dash(r.Category), r.Text+superseded(r))
	})}
	if c.Bool("all") {
		head, where := "", func(decisionRow) string { return "" }
		if slices.ContainsFunc(rows, func(r decisionRow) bool { return r.Proven != nil }) {
			head, where = "PROVEN IN\t", func(r decisionRow) string { return proven(r.Proven) + "\t" }
		}
		a.View = table("DECISION\tSTATE\tPHASE\tPLANS\t"+head+"TEXT", rows, func(r decisionRow) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s%s", dash(r.Ref), r.State, r.Phase, dash(strings.Join(r.Plans, ", ")), where(r), r.Text+superseded(r))
		})
	}
	if !c.Bool("all") {
		if f := gate.Document(tx, decisionPhase(c, tx), "CONTEXT"); f != nil {
			a.Said = gate.Beside(*f)
		}
	}
	if len(rows) == 0 {
		a.View, a.Said = nil, "no decision in "+where
	}
	if len(of.Malformed) > 0 {
		a.Err = command.Data(&of.Malformed[0])
	}
	return a
}

// proven is where a decision is proven, or what else its proof says.
func proven(p *decision.Proof) string {
	switch {
	case p == nil:
		return "-"
	case len(p.Where) == 0:
		return string(p.Verdict)
	case len(p.Where) > 3:
		return fmt.Sprintf("%s, %d more", strings.Join(p.Where[:3], ", "), len(p.Where)-3)
	}
	return strings.Join(p.Where, ", ")
}

func superseded(r decisionRow) string {
	switch r.SupersededBy {
	case "":
		return ""
	case "?":
		return " (superseded: " + r.SupersededWhy + ")"
	}
	return " (superseded by " + r.SupersededBy + ")"
}

func decisionsNumber(c *Call) *answer.Answer {
	rows, file := []decisionRow{}, ""
	c.Update(func(tx *plan.Tx) {
		p := decisionPhase(c, tx)
		first := decision.Read(tx).Next()
		f := gate.Document(tx, p, "CONTEXT")
		file = f.Path
		if len(f.Number(first)) == 0 {
			return
		}
		of := decision.Read(tx)
		of.Trace()
		for _, d := range of.Of(p) {
			if doc.DecisionNumber(d.ID) >= first {
				rows = append(rows, decidedRow(d))
			}
		}
	})
	if len(rows) == 0 {
		return &answer.Answer{Data: rows, Said: "every decision of " + file + " has an id"}
	}
	return &answer.Answer{Data: rows, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "numbered %s of %s, %s to %s\n", text.Count(len(rows), "decision"), file, rows[0].ID, rows[len(rows)-1].ID)
	})}
}

func decisionsSupersede(c *Call) *answer.Answer {
	reason := strings.TrimSpace(c.String("reason"))
	if reason == "" {
		return fail(term.Hint(command.Usagef("--reason is missing"), "say why in a few words: it is written below %s", c.Arg("OLD")))
	}
	row := update(c, func(tx *plan.Tx) decisionRow {
		of := decision.Read(tx)
		of.Trace()
		old, by := must.Get(of.Find(c.Arg("OLD"))), must.Get(of.Find(c.Arg("NEW")))
		must.OK(of.Supersede(old, by, time.Now().Format(time.DateOnly), reason))
		row := decidedRow(*old)
		row.State, row.Trackable, row.SupersededBy, row.SupersededWhy = decision.Superseded, false, by.Ref, reason
		return row
	})
	return &answer.Answer{Data: row, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%s is superseded by %s\n", row.Ref, row.SupersededBy)
		if len(row.Plans) > 0 {
			fmt.Fprintf(w, "cited by: %s\n", strings.Join(row.Plans, ", "))
		}
	})}
}
