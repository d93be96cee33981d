package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/term"
)

func roadmapVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan roadmap show", Short: "Print the roadmap, or one phase's section of it",
			Args:     []command.Arg{{Name: "PHASE", Optional: true}},
			Examples: []string{"cairn plan roadmap show", "cairn plan roadmap show 2"},
			Effect:   command.Reads, Run: reads(roadmapShow),
		},
		{
			Path: "plan roadmap analyze", Short: "Show the milestone's progress and gaps in the roadmap",
			Examples: []string{"cairn plan roadmap analyze", "cairn plan roadmap analyze --get next"},
			Effect:   command.Reads, Run: reads(roadmapAnalyze),
		},
		{
			Path: "plan roadmap sync", Short: "Update the roadmap's counts from the phase directories",
			Long: "Updates plan counts, the progress table and the boxes of executed plans from the files\n" +
				"on disk. Boxes that were ticked by hand are kept; cairn plan phase complete ticks a\n" +
				"phase.",
			Args:     []command.Arg{{Name: "PHASE", Optional: true, Help: "only this one"}},
			Examples: []string{"cairn plan roadmap sync", "cairn plan roadmap sync 2 --dry-run"},
			Effect:   command.Writes, Run: run(roadmapSync),
		},
	}
}

func roadmapShow(c *Call, tx *plan.Tx) *answer.Answer {
	r := c.roadmap(tx)
	data := struct {
		Phase string `json:"phase,omitempty"`
		Text  string `json:"text"`
	}{c.Arg("PHASE"), r.String()}
	if data.Phase != "" {
		p := c.phase(tx)
		if p.Section == nil {
			return fail(&plan.PhaseError{Phase: p.ID.String(), What: "has no section in ROADMAP.md"})
		}
		data.Text = strings.TrimRight(r.Span(p.Section.Line, p.Section.End), " \n") + "\n"
	}
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) { _, _ = io.WriteString(w, data.Text) })}
}

// roadmap reads the roadmap; without one it is an error.
func (c *Call) roadmap(tx *plan.Tx) *doc.Roadmap {
	r := tx.Roadmap()
	if r == nil {
		fail(term.Hint(&plan.InputError{Path: c.Path("ROADMAP.md"), What: "is not there"}, "cairn plan init makes one"))
	}
	return r
}

// analysis is how far the milestone is.
type analysis struct {
	Milestone     string     `json:"milestone"`
	MilestoneName string     `json:"milestone_name"`
	Phases        []phaseRow `json:"phases"`
	Done          int        `json:"phases_done"`
	Plans         int        `json:"plans"`
	PlansDone     int        `json:"plans_done"`
	Percent       int        `json:"percent"`
	Current       string     `json:"current"` // planned and not executed to the end, or ""
	Next          string     `json:"next"`    // not planned yet, or ""
	NoSection     []string   `json:"no_section"`
	NoBox         []string   `json:"no_box"`
}

func roadmapAnalyze(c *Call, tx *plan.Tx) *answer.Answer {
	r := c.roadmap(tx)
	m := brief.CurrentMilestone(tx)
	phases, look := tx.Phases(plan.Current), lifecycle.New(c.Context, tx)
	a := analysis{Milestone: m.Version, MilestoneName: m.Name, Phases: []phaseRow{}, NoSection: []string{}, NoBox: []string{}}
	for _, p := range phases {
		a.add(p, phaseRowAs(p, look.Of(p)), len(r.Boxes) > 0)
	}
	a.Percent = min(plan.Percent(a.Done, len(a.Phases)), 100)
	if a.Plans > 0 {
		a.Percent = min(a.Percent, plan.Percent(a.PlansDone, a.Plans))
	}
	return &answer.Answer{Data: a, View: answer.Text(a.print)}
}

func (a *analysis) add(p *plan.Phase, row phaseRow, boxes bool) {
	a.Phases = append(a.Phases, row)
	a.Plans, a.PlansDone = a.Plans+row.Plans, a.PlansDone+row.Summaries
	if p.Section == nil {
		a.NoSection = append(a.NoSection, row.Number)
	}
	if p.Box == nil && boxes {
		a.NoBox = append(a.NoBox, row.Number)
	}
	switch plan.Status(row.Status) {
	case plan.StatusComplete:
		a.Done++
	case plan.StatusPlanned, plan.StatusPartial, plan.StatusExecuted:
		if a.Current == "" {
			a.Current = row.Number
		}
	default:
		if a.Next == "" {
			a.Next = row.Number
		}
	}
}

func (a *analysis) print(w io.Writer) {
	title := strings.TrimSpace(a.Milestone + " " + a.MilestoneName)
	if title == "" {
		title = "the roadmap"
	}
	fmt.Fprintf(w, "%s: %d of %d phases, %d of %d plans, %d%%\n", title, a.Done, len(a.Phases), a.PlansDone, a.Plans, a.Percent)
	for _, line := range []struct {
		what, phases string
	}{
		{"in progress", a.Current}, {"to plan next", a.Next},
		{"without a section", strings.Join(a.NoSection, ", ")}, {"without a checklist line", strings.Join(a.NoBox, ", ")},
	} {
		if line.phases != "" {
			fmt.Fprintf(w, "%s: %s\n", line.what, line.phases)
		}
	}
}

func roadmapSync(c *Call) *answer.Answer {
	synced := []plan.Synced{}
	c.Update(func(tx *plan.Tx) {
		c.roadmap(tx)
		phases := tx.Phases(plan.Current)
		if c.Arg("PHASE") != "" {
			phases = []*plan.Phase{c.phase(tx)}
		}
		for _, p := range phases {
			if len(p.Plans) > 0 {
				synced = append(synced, tx.SyncProgress(p, false))
			}
		}
	})
	return &answer.Answer{Data: synced, View: table("PHASE\tPLANS\tSTATUS", synced, func(s plan.Synced) string {
		return fmt.Sprintf("%s\t%d/%d\t%s", s.Phase, s.Summaries, s.Plans, s.Status)
	})}
}
