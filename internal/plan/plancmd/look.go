package plancmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/term"
	"cairn/internal/text"
)

// lookVerbs are those of plan itself that say how things stand.
func lookVerbs() []*command.Command {
	return []*command.Command{
		{
			Tool: &command.Tool{Name: "plan_progress", Does: "How far the project's milestone is, by phase, and what comes next."},
			Path: "plan progress", Short: "Show the milestone's progress and the next step", Aliases: []string{"status"},
			Flags:    []command.Flag{{Name: "bar", Default: false, Help: "print the bar alone, on one line"}},
			Examples: []string{"cairn plan progress", "cairn plan progress --bar", "cairn plan progress --get percent"},
			Effect:   command.Reads, Run: reads(showProgress),
		},
		{
			Path: "plan stats", Short: "Show figures of the milestone",
			Examples: []string{"cairn plan stats", "cairn plan stats --json"},
			Effect:   command.Reads, Run: reads(showStats),
		},
		{
			Path: "plan digest", Short: "Show what each phase provides, decided and added",
			Long: "Reads the frontmatter of every SUMMARY.md, archived milestones included, and prints\n" +
				"what a planner should know about earlier work. With --for a phase it also reads its\n" +
				"dependencies' decisions and learnings, and the pitfalls that research names for it. That\n" +
				"text is the repository's: it stands between marks, and what looks like instructions to\n" +
				"an agent is left out.",
			Flags:    []command.Flag{{Name: "for", Default: "", Help: "what matters to this phase: those it depends on first, in about 1,000 tokens"}},
			Examples: []string{"cairn plan digest --for 3", "cairn plan digest --get tech_stack"},
			Effect:   command.Reads, Run: reads(showDigest),
		},
		graphVerb(),
		healthVerb(),
	}
}

// progressData is the milestone's progress as the verbs print it. Percent is
// the share of plans that were executed.
type progressData struct {
	Milestone    brief.Milestone `json:"milestone"`
	Phases       []stageRow      `json:"phases"`
	PhasesTotal  int             `json:"phases_total"`
	PhasesDone   int             `json:"phases_complete"`
	PlansTotal   int             `json:"plans_total"`
	PlansDone    int             `json:"plans_complete"`
	Percent      int             `json:"percent"`
	PhasePercent int             `json:"phase_percent"`
	Done         int             `json:"milestone_percent"` // every phase counts alike; 100 only when all are complete
	Project      struct {
		Total    int `json:"phases_total"`
		Complete int `json:"phases_complete"`
	} `json:"project"` // all milestones, the shipped ones included
}

type stageRow struct {
	Number string `json:"number"`
	Name   string `json:"name"`
	Plans  int    `json:"plans"`
	Done   int    `json:"plans_complete"`
	Status string `json:"status"`
}

func progressOf(c *Call, tx *plan.Tx) progressData {
	phases, look := tx.LatestPhases(), lifecycle.New(c.Context, tx)
	d := progressData{Milestone: brief.CurrentMilestone(tx), Phases: []stageRow{}, PhasesTotal: len(phases)}
	share := 0
	states := look.All(phases)
	for i, ph := range phases {
		state := states[i]
		row := stageRow{Number: ph.ID.String(), Name: ph.Name, Plans: len(ph.Plans), Done: ph.Executed(), Status: string(state)}
		d.PlansDone, d.PlansTotal = d.PlansDone+row.Done, d.PlansTotal+row.Plans
		if state == lifecycle.Complete {
			d.PhasesDone++
		}
		d.Phases = append(d.Phases, row)
		share += state.Share(ph)
	}
	if n := len(phases); n > 0 {
		d.Done = share / n
	}
	for _, ph := range tx.Phases(plan.Everything) {
		if ph.ID.Backlog() {
			continue
		}
		if d.Project.Total++; look.Closed(ph) {
			d.Project.Complete++
		}
	}
	d.Percent, d.PhasePercent = plan.Percent(d.PlansDone, d.PlansTotal), plan.Percent(d.PhasesDone, d.PhasesTotal)
	return d
}

func (d progressData) title() string {
	return strings.TrimSpace(d.Milestone.Version + " " + d.Milestone.Name)
}

// bar draws how far the milestone is.
func (d progressData) bar() string {
	bar := fmt.Sprintf("%s %d%%: %d of %d phases complete, %d of %d plans executed", doc.Meter(d.Done, 20), d.Done, d.PhasesDone, d.PhasesTotal, d.PlansDone, d.PlansTotal)
	if d.Project.Total > d.PhasesTotal {
		bar += fmt.Sprintf(" (all milestones: %d of %d phases)", d.Project.Complete, d.Project.Total)
	}
	return bar
}

func showProgress(c *Call, tx *plan.Tx) *answer.Answer {
	d := progressOf(c, tx)
	if c.Has("bar") && c.Bool("bar") {
		return &answer.Answer{Data: d, View: answer.Line("%s", d.bar())}
	}
	next := brief.FindNext(tx)
	return &answer.Answer{Data: d, View: answer.Text(func(w io.Writer) {
		if d.title() != "" {
			fmt.Fprintf(w, "%s\n\n", d.title())
		}
		fmt.Fprintf(w, "%s\n", d.bar())
		d.table(w)
		if next != nil {
			fmt.Fprintln(w)
			printNext(w, next)
		}
	})}
}

func (d progressData) table(w io.Writer) {
	if len(d.Phases) == 0 {
		return
	}
	fmt.Fprintln(w)
	table("PHASE\tNAME\tPLANS\tSTATUS", d.Phases, func(p stageRow) string {
		return fmt.Sprintf("%s\t%s\t%d/%d\t%s", p.Number, p.Name, p.Done, p.Plans, p.Status)
	})(w)
}

// statsData is progress, and what else can be counted.
type statsData struct {
	progressData
	Requirements     int    `json:"requirements_total"`
	RequirementsDone int    `json:"requirements_complete"`
	Commits          int    `json:"commits"`
	FirstCommit      string `json:"first_commit,omitempty"` // a date
	LastActivity     string `json:"last_activity,omitempty"`
}

func showStats(c *Call, tx *plan.Tx) *answer.Answer {
	log := make(chan string, 1)
	go func() {
		if !git.Repo(c.Root) {
			log <- ""
			return
		}
		out, _ := git.Run(c.Context, c.Root, "log", "--format=%as") // without a commit git fails
		log <- out
	}()
	progress := progressOf(c, tx)
	d := statsData{progressData: progress}
	d.RequirementsDone, d.Requirements = tx.RequirementCounts()
	d.LastActivity = tx.LastActivity()
	if dates := strings.Fields(<-log); len(dates) > 0 {
		d.Commits, d.FirstCommit = len(dates), dates[len(dates)-1]
	}
	return &answer.Answer{Data: d, View: answer.Text(func(w io.Writer) {
		t := term.NewColumns(w)
		fmt.Fprintf(t, "milestone\t%s\n", dash(d.title()))
		fmt.Fprintf(t, "phases\t%d of %d complete (%d%%)\n", d.PhasesDone, d.PhasesTotal, d.PhasePercent)
		fmt.Fprintf(t, "plans\t%d of %d executed (%d%%)\n", d.PlansDone, d.PlansTotal, d.Percent)
		fmt.Fprintf(t, "requirements\t%d of %d complete (%d%%)\n", d.RequirementsDone, d.Requirements, plan.Percent(d.RequirementsDone, d.Requirements))
		if d.Commits > 0 {
			fmt.Fprintf(t, "commits\t%d since %s%s\n", d.Commits, d.FirstCommit, age(d.FirstCommit))
		}
		if d.LastActivity != "" {
			fmt.Fprintf(t, "last activity\t%s\n", d.LastActivity)
		}
		_ = t.Flush()
		d.table(w)
	})}
}

// age returns how many days ago a date was, for people.
func age(date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (%s)", text.Count(int(time.Since(at).Hours()/24), "day"))
}

func showDigest(c *Call, tx *plan.Tx) *answer.Answer {
	if c.String("for") != "" {
		return digestFor(c, tx)
	}
	d := tx.Digest()
	return &answer.Answer{Data: d, View: answer.Text(func(w io.Writer) { printDigest(w, d) })}
}

// digestFor says what earlier phases leave to one.
func digestFor(c *Call, tx *plan.Tx) *answer.Answer {
	id, ok := doc.ParsePhaseID(c.String("for"))
	if !ok {
		return fail(command.Usagef("%q is not a phase: give its number, such as 3 or 2.1", c.String("for")))
	}
	p := tx.Phase(id)
	if p == nil {
		return fail(&plan.InputError{Path: tx.Path("ROADMAP.md"), What: "has no phase " + id.String()})
	}
	said := brief.FindEarlier(tx, p)
	a := &answer.Answer{Data: map[string]string{"phase": id.String(), "earlier": said}, View: answer.Line("%s", said)}
	if said == "" {
		a.View, a.Said = nil, "nothing was done before phase "+id.String()
	}
	return a
}

func printDigest(w io.Writer, d *plan.Digest) {
	for _, p := range d.Phases {
		fmt.Fprintf(w, "%s %s\n", p.ID, p.Name)
		for _, part := range []struct {
			label string
			list  []string
		}{{"provides", p.Provides}, {"affects", p.Affects}, {"patterns", p.Patterns}} {
			if len(part.list) > 0 {
				fmt.Fprintf(w, "  %s: %s\n", part.label, strings.Join(part.list, "; "))
			}
		}
		for _, it := range d.Decisions {
			if it.Phase == p.ID {
				fmt.Fprintf(w, "  decided: %s\n", it.Text)
			}
		}
	}
	if len(d.Tech) > 0 {
		fmt.Fprintf(w, "\nstack: %s\n", strings.Join(d.Tech, ", "))
	}
}
