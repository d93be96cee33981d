package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/term"
)

func phaseVerbs() []*command.Command {
	phase := command.Arg{Name: "PHASE", Help: "its number, such as 3, 2.1 or CK-03"}
	return append([]*command.Command{
		{
			Path: "plan phase list", Short: "List the milestone's phases and their progress",
			Flags: []command.Flag{{Name: "all", Default: false, Help: "also list archived phases and the backlog"}},
			Examples: []string{
				"cairn plan phase list",
				"cairn plan phase list --all --json",
			},
			Effect: command.Reads, Run: reads(phaseList),
		},
		{
			Path: "plan phase show", Short: "Show a phase: its section, files and gaps",
			Args:     []command.Arg{phase},
			Examples: []string{"cairn plan phase show 2", "cairn plan phase show 2.1 --get unfinished.plans"},
			Effect:   command.Reads, Run: reads(phaseShow),
		},
		{
			Path: "plan phase find", Short: "Print the directory of a phase",
			Args:     []command.Arg{phase},
			Examples: []string{"cairn plan phase find 2", "cairn plan phase find 2.1 --json"},
			Effect:   command.Reads, Run: reads(phaseFind),
		},
		{
			Path: "plan phase next-decimal", Short: "Print the number that phase insert would give",
			Args:     []command.Arg{phase},
			Examples: []string{"cairn plan phase next-decimal 2", "cairn plan phase next-decimal 2 --json"},
			Effect:   command.Reads, Run: reads(phaseNextDecimal),
		},
		phaseChangesVerb(phase),
	}, phaseChangeVerbs(phase)...)
}

// phaseRow is a phase as the verbs print it.
type phaseRow struct {
	Number    string `json:"number"`
	Name      string `json:"name"`
	Status    string `json:"status"`          // by its files, or complete
	State     string `json:"state,omitempty"` // of package lifecycle
	Plans     int    `json:"plans"`
	Summaries int    `json:"summaries"`
	Directory string `json:"directory,omitempty"`
	Archived  string `json:"archived,omitempty"`
	Milestone string `json:"milestone,omitempty"`
	Note      string `json:"note,omitempty"` // what of the documents contradicts
}

// phaseRowAs is a phase in a state.
func phaseRowAs(p *plan.Phase, state lifecycle.State) phaseRow {
	return phaseRow{
		Number: p.ID.String(), Name: p.Name, Status: string(state.Status(p)), State: string(state),
		Plans: len(p.Plans), Summaries: p.Executed(), Directory: p.Dir, Archived: p.Archived,
		Milestone: p.Milestone, Note: disputeNote(p),
	}
}

// disputeNote says which documents contradict each other about whether a phase
// is complete.
func disputeNote(p *plan.Phase) string {
	var out []string
	for _, c := range p.Disputed() {
		out = append(out, fmt.Sprintf("%s%s says %s", c.Path, lineOf(c.Line), map[bool]string{true: "complete", false: "not complete"}[c.Done]))
	}
	return strings.Join(out, ", ")
}

func phaseList(c *Call, tx *plan.Tx) *answer.Answer {
	scope := plan.Current
	if c.Bool("all") {
		scope = plan.Everything
	}
	phases, look := tx.Phases(scope), lifecycle.New(c.Context, tx)
	rows := []phaseRow{}
	states := look.All(phases)
	for i, p := range phases {
		rows = append(rows, phaseRowAs(p, states[i]))
	}
	if len(rows) == 0 {
		return &answer.Answer{Data: rows, Said: "the milestone has no phase; cairn plan phase add NAME gives it one"}
	}
	return &answer.Answer{Data: rows, View: table("PHASE\tNAME\tPLANS\tSTATUS", rows, func(r phaseRow) string {
		status := r.State
		if r.Archived != "" {
			status += " (" + r.Archived + ")"
		}
		return fmt.Sprintf("%s\t%s\t%d/%d\t%s", r.Number, r.Name, r.Summaries, r.Plans, status)
	})}
}

// phaseView is everything about one phase.
type phaseView struct {
	phaseRow
	Goal         string          `json:"goal"`
	DependsOn    string          `json:"depends_on"`
	Requirements []string        `json:"requirements"`
	Criteria     []string        `json:"success_criteria"`
	Files        []string        `json:"files"`
	Unfinished   plan.Unfinished `json:"unfinished"`
	Open         []string        `json:"open"`
	Claims       []plan.Claim    `json:"claims,omitempty"` // what the documents say of its completion
	Unmet        []gate.Missing  `json:"unmet,omitempty"`  // what keeps it from being complete
	section      string
}

// phase returns the phase that PHASE names; none is an error.
func (c *Call) phase(tx *plan.Tx) *plan.Phase {
	id := c.phaseID("PHASE")
	p := tx.Phase(id)
	if p == nil {
		fail(term.Hint(&plan.PhaseError{Phase: id.String(), What: "not found"}, "cairn plan phase list --all shows those there are"))
	}
	return p
}

func phaseShow(c *Call, tx *plan.Tx) *answer.Answer {
	p := c.phase(tx)
	look := lifecycle.New(c.Context, tx)
	v := phaseView{phaseRow: phaseRowAs(p, look.Of(p)), Requirements: []string{}, Criteria: []string{}, Files: answer.List(p.Files)}
	v.Claims = p.Claims()
	v.Unfinished = look.Denied(p)
	v.Open = look.Unsettled(p)
	if v.State != string(lifecycle.Complete) {
		v.Unmet = look.Unmet(p, lifecycle.Finish)
	}
	r := tx.Roadmap()
	if p.Section != nil {
		v.read(r, p)
	}
	return &answer.Answer{Data: v, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "phase %s: %s\nstatus: %s, %d of %d plans executed\n", v.Number, v.Name, v.State, v.Summaries, v.Plans)
		if v.Directory != "" {
			fmt.Fprintf(w, "directory: %s\n", v.Directory)
		}
		if v.Unfinished.Any() {
			fmt.Fprintf(w, "open: %s\n", v.Unfinished)
		}
		if len(v.Unmet) == 0 { // it is complete, all the same
			for _, line := range v.Open {
				fmt.Fprintf(w, "open: %s\n", line)
			}
		}
		for _, m := range v.Unmet {
			if m.Condition != "summaries" && m.Condition != "plans" {
				fmt.Fprintf(w, "to complete it: %s: %s\n", m.ID, m.Text)
			}
		}
		if v.section != "" {
			fmt.Fprintf(w, "\n%s\n", v.section)
		}
	})}
}

// read takes what the roadmap says of the phase.
func (v *phaseView) read(r *doc.Roadmap, p *plan.Phase) {
	field := func(name string) string {
		f, _ := p.Field(r, name)
		return f.Value
	}
	v.Goal, v.DependsOn = field("Goal"), field("Depends on")
	v.Requirements = append(v.Requirements, p.Requirements(r)...)
	v.Criteria = append(v.Criteria, r.Criteria(*p.Section)...)
	v.section = strings.TrimSpace(r.Span(p.Section.Line, p.Section.End))
}

func phaseFind(c *Call, tx *plan.Tx) *answer.Answer {
	p := c.phase(tx)
	if p.Dir == "" {
		return fail(term.Hint(&plan.PhaseError{Phase: p.ID.String(), What: "has no directory yet"}, "cairn plan phase scaffold %s directory makes it", p.ID))
	}
	return &answer.Answer{Data: phaseRowAs(p, lifecycle.New(c.Context, tx).Of(p)), View: answer.Line("%s", p.Dir)}
}

func phaseNextDecimal(c *Call, tx *plan.Tx) *answer.Answer {
	p := c.phase(tx)
	next, existing := tx.NextDecimal(p.ID)
	data := struct {
		Next     string   `json:"next"`
		Existing []string `json:"existing"`
	}{next.String(), []string{}}
	for _, id := range existing {
		data.Existing = append(data.Existing, id.String())
	}
	return &answer.Answer{Data: data, View: answer.Line("%s", next)}
}
