package plancmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/audit"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/term"
	"cairn/internal/text"
)

func milestoneVerbs() []*command.Command {
	version := command.Arg{Name: "VERSION", Help: "such as v1.0; the current milestone when it is left out", Optional: true}
	return []*command.Command{
		{
			Path: "plan milestone new", Short: "Start a milestone",
			Long: "Adds a heading for the milestone to the roadmap and resets STATE.md. Exits 5 if the\n" +
				"previous milestone has unfinished phases.",
			Args:     []command.Arg{{Name: "VERSION", Help: "such as v1.1"}, {Name: "NAME", Help: "what it is called", Optional: true, Many: true}},
			Examples: []string{"cairn plan milestone new v1.1 Payments", "cairn plan milestone new v2.0 --dry-run"},
			Effect:   command.Writes, Run: run(milestoneNew),
		},
		{
			Path: "plan milestone complete", Short: "Complete a milestone and archive what belongs to it",
			Long: "Archives roadmap, requirements and audit under milestones/, adds an entry to\n" +
				"MILESTONES.md with the accomplishments from its summaries, folds its part of the\n" +
				"roadmap, and updates STATE.md: all of it, or nothing.\n\n" +
				"If phases are unfinished, work is untested or questions are open, it lists them and\n" +
				"exits 5. cairn plan undo undoes a completion.",
			Args: []command.Arg{version},
			Flags: []command.Flag{
				{Name: "name", Default: "", Help: "what it is called (the roadmap's name for it)"},
				{Name: "archive-phases", Default: false, Help: "move the phases' directories to the archive as well"},
				{Name: "force", Default: false, Help: "complete it although something is open"},
				{Name: "reason", Default: "", Help: "why, with --force; MILESTONES.md keeps it"},
			},
			Examples: []string{"cairn plan milestone complete", `cairn plan milestone complete v1.0 --force --reason "2.1 moves to v1.1"`},
			Effect:   command.Writes, Run: run(milestoneComplete),
		},
		{
			Path: "plan milestone audit", Short: "Check whether a milestone can be completed",
			Long: "Lists what blocks completion: unfinished phases, open requirements, tests that were\n" +
				"not run, verification with gaps, open questions and debug sessions. Exits 5 if there\n" +
				"is anything.",
			Args:     []command.Arg{version},
			Examples: []string{"cairn plan milestone audit", "cairn plan milestone audit v1.0 --json"},
			Effect:   command.Reads, Run: reads(milestoneAudit),
		},
		{
			Path: "plan milestone archive", Short: "Archive the phases of a completed milestone",
			Args:     []command.Arg{{Name: "VERSION", Help: "such as v1.0"}},
			Examples: []string{"cairn plan milestone archive v1.0", "cairn plan milestone archive v1.0 --dry-run"},
			Effect:   command.Writes, Run: run(milestoneArchive),
		},
		{
			Path: "plan milestone summary", Short: "Summarize what a milestone delivered",
			Args:     []command.Arg{version},
			Examples: []string{"cairn plan milestone summary", "cairn plan milestone summary v1.0 --get accomplishments[0]"},
			Effect:   command.Reads, Run: reads(milestoneSummary),
		},
	}
}

// errOpen ends a change that a check refused.
var errOpen = errors.New("something is open")

// version returns the milestone that was asked for, or the current one.
func version(c *Call, tx *plan.Tx) string {
	if v := c.Arg("VERSION"); v != "" {
		if v[0] != 'v' {
			v = "v" + v
		}
		return v
	}
	m := brief.CurrentMilestone(tx)
	if m.Version == "" {
		fail(command.Usagef("neither the roadmap nor STATE.md names a milestone: give its version, such as v1.0"))
	}
	return m.Version
}

func forced(c *Call) bool {
	if c.Bool("force") != (c.String("reason") != "") {
		fail(command.Usagef("--force and --reason belong together: the reason is kept"))
	}
	return c.Bool("force")
}

func milestoneNew(c *Call) *answer.Answer {
	name := strings.Join(c.Rest("NAME"), " ")
	open := []plan.Unfinished{}
	var before, begun string
	finished := false
	begin := func(tx *plan.Tx) {
		begun = version(c, tx)
		m := brief.CurrentMilestone(tx)
		if before = m.Version; !tx.MilestoneEntered(before) {
			err := must.Catch(func() { open = lifecycle.New(c.Context, tx).Unfinished(before) })
			if !errors.Is(err, plan.ErrNoMilestone) {
				must.OK(err)
			}
		}
		if finished = len(open) == 0 && undivided(tx, before); finished || len(open) > 0 {
			fail(errOpen)
		}
		tx.NewMilestone(begun, name)
	}
	err := must.Catch(func() { c.Update(begin) })
	if errors.Is(err, errOpen) {
		data := struct {
			Before     string            `json:"before"`
			Unfinished []plan.Unfinished `json:"unfinished"`
		}{before, open}
		return &answer.Answer{No: true, Data: data, View: answer.Text(func(w io.Writer) {
			if finished {
				fmt.Fprintf(w, "%s is finished, and not complete yet\nnext: cairn plan milestone complete %s\n", before, before)
				return
			}
			fmt.Fprintln(w, "the milestone before has unfinished phases")
			printUnfinished(w, open)
			fmt.Fprintf(w, "\ncairn plan milestone complete %s --force --reason TEXT completes it all the same\n", before)
		})}
	}
	must.OK(err)
	data := struct {
		Version string `json:"version"`
		Name    string `json:"name"`
	}{begun, name}
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "begun: %s\nnext: cairn plan phase add NAME gives it phases\n", strings.TrimSpace(begun+" "+name))
	})}
}

// undivided reports whether the roadmap does not tell milestones apart and
// phases of the one before, which is not complete, were worked on: they would
// become phases of the next one.
func undivided(tx *plan.Tx, before string) bool {
	r := tx.Roadmap()
	if r == nil || len(r.Milestones) > 0 || before == "" || tx.MilestoneEntered(before) {
		return false
	}
	return slices.ContainsFunc(tx.Phases(plan.Current), func(p *plan.Phase) bool { return len(p.Plans) > 0 })
}

func milestoneComplete(c *Call) *answer.Answer {
	force := forced(c)
	var m *audit.Milestone
	var done *plan.MilestoneCompleted
	date := time.Now().Format(time.DateOnly)
	complete := func(tx *plan.Tx) {
		v := version(c, tx)
		name := c.String("name")
		if m := brief.CurrentMilestone(tx); name == "" && m.Version == v {
			name = m.Name
		}
		if tx.MilestoneEntered(v) {
			fail(&plan.InputError{Path: tx.Path("MILESTONES.md"), What: "has " + v + ": it is complete already"})
		}
		m = audit.FindMilestone(c.Context, tx, v)
		if !m.Ready() && !force {
			fail(errOpen)
		}
		done = tx.CompleteMilestone(plan.MilestoneCompletion{
			Version: v, Name: name, Date: date, ArchivePhases: c.Bool("archive-phases"), Fold: true,
			Open: m.Lines(), Reason: c.String("reason"), NextStep: "Begin the next milestone: cairn plan milestone new",
		})
	}
	err := must.Catch(func() { c.Update(complete) })
	if errors.Is(err, errOpen) {
		return auditResult(m)
	}
	must.OK(err)
	data := reportOf(done.MilestoneReport)
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "complete: %s, %s, %s\n", strings.TrimSpace(done.Version+" "+done.Name), text.Count(done.Directories(), "phase"), text.Count(done.Plans, "plan"))
		fmt.Fprintf(w, "archived: %s\n", strings.Join(done.Archived.Names(), ", "))
		fmt.Fprintln(w, "next: cairn plan milestone new VERSION NAME; cairn plan undo takes this back")
	})}
}

func milestoneArchive(c *Call) *answer.Answer {
	var moved []string
	var v string
	c.Update(func(tx *plan.Tx) {
		v = version(c, tx)
		if !tx.MilestoneEntered(v) {
			fail(term.Hint(&plan.InputError{Path: tx.Path("MILESTONES.md"), What: "has no " + v + ": it is not complete"}, "cairn plan milestone complete %s", v))
		}
		report := tx.Report(v)
		for _, p := range report.Phases {
			if p.Dir != "" && p.Archived == "" {
				moved = append(moved, p.Dir)
			}
		}
		tx.ArchivePhases(v, report.Phases)
	})
	data := struct {
		Version string   `json:"version"`
		Moved   []string `json:"moved"`
	}{v, answer.List(moved)}
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "archived: %s of %s\n", text.Count(len(moved), "phase"), v)
	})}
}

// milestoneReport is a milestone as the verbs print it.
type milestoneReport struct {
	Version         string   `json:"version"`
	Name            string   `json:"name"`
	Phases          []string `json:"phases"`
	Plans           int      `json:"plans"`
	Tasks           int      `json:"tasks"`
	Accomplishments []string `json:"accomplishments"`
}

func reportOf(r *plan.MilestoneReport) milestoneReport {
	out := milestoneReport{Version: r.Version, Name: r.Name, Plans: r.Plans, Tasks: r.Tasks, Phases: []string{},
		Accomplishments: answer.List(r.Accomplishments)}
	for _, p := range r.Phases {
		out.Phases = append(out.Phases, p.ID.String()+" "+p.Name)
	}
	return out
}

func milestoneSummary(c *Call, tx *plan.Tx) *answer.Answer {
	r := tx.Report(version(c, tx))
	data := reportOf(r)
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s, %s, %s\n", strings.TrimSpace(r.Version+" "+r.Name), text.Count(len(r.Phases), "phase"), text.Count(r.Plans, "plan"), text.Count(r.Tasks, "task"))
		if len(data.Accomplishments) > 0 {
			fmt.Fprintf(w, "\n  - %s\n", strings.Join(data.Accomplishments, "\n  - "))
		}
	})}
}
