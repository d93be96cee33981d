package plancmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/wave"
	"cairn/internal/plan/worktree"
	"cairn/internal/term"
	"cairn/internal/text"
)

func worktreeVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan worktree add", Short: "Give a plan's executor a git worktree of its own",
			Long: "Adds .planning/.cairn/trees/PLAN on the branch worktree-agent-PLAN, from the commit that\n" +
				"is checked out, and records it. A worktree that is there is kept. Where a dead agent\n" +
				"left only its branch, the worktree is made from it, so that its commits go on.",
			Args:     []command.Arg{{Name: "PLAN", Help: "the plan's id, such as 02-01"}},
			Examples: []string{"cairn plan worktree add 02-01", "cairn plan worktree add 02-01 --get path"},
			Effect:   command.Writes, Run: run(worktreeAdd),
		},
		{
			Path: "plan worktree record", Short: "Record an agent's git worktree",
			Long: "Reads branch and base from the worktree unless they are given. The branch of an agent\n" +
				"must begin with worktree-agent-.",
			Args: []command.Arg{{Name: "DIR", Help: "the worktree"}},
			Flags: []command.Flag{
				{Name: "branch", Default: "", Help: "the branch it works on"},
				{Name: "base", Default: "", Help: "the commit it began at"},
				{Name: "agent", Default: "", Help: "what the host calls the agent"},
				{Name: "phase", Default: "", Help: "the phase"},
				{Name: "wave", Default: 0, Help: "the wave"},
			},
			Examples: []string{
				"cairn plan worktree record ../wt-a --branch worktree-agent-a --phase 2 --wave 1",
				"cairn plan worktree record .worktrees/a --branch worktree-agent-b --agent a1b2 --base 4f2c91e",
			},
			Effect: command.Writes, Run: run(worktreeRecord),
		},
		{
			Path: "plan worktree list", Short: "List recorded worktrees and their state",
			Examples: []string{"cairn plan worktree list", "cairn plan worktree list --json"},
			Effect:   command.Reads, Run: run(worktreeList),
		},
		{
			Path: "plan worktree cleanup", Short: "Merge agents' branches and remove their worktrees",
			Long: "Stops without loss at a worktree that is on another branch, has another base, deletes\n" +
				"files, has uncommitted work, or cannot be merged or removed. Fix it and run the same\n" +
				"command again. With workflow.worktree_skip_hooks the pre-commit hook runs once at the\n" +
				"end.",
			Flags: []command.Flag{
				{Name: "manifest", Default: "", Help: "take the worktrees from this JSON file instead of those recorded"},
				{Name: "allow-deletions", Default: false, Help: "also merge branches that delete files"},
			},
			Examples: []string{"cairn plan worktree cleanup", "cairn plan worktree cleanup --manifest wave.json --json"},
			Effect:   command.Writes, Run: run(worktreeCleanup),
		},
		{
			Path: "plan worktree reap", Short: "Remove worktrees whose agent died after its work was merged",
			Long: "Removes only worktrees that have been locked for more than five minutes by a process\n" +
				"that no longer runs, and whose work is committed and merged.",
			Examples: []string{"cairn plan worktree reap", "cairn plan worktree reap --dry-run"},
			Effect:   command.Writes, Run: run(worktreeReap),
		},
	}
}

// worktreeRow is a worktree as the verbs print it.
type worktreeRow struct {
	Phase   string          `json:"phase,omitempty"`
	Wave    int             `json:"wave,omitempty"`
	Agent   string          `json:"agent,omitempty"`
	Path    string          `json:"path"`
	Branch  string          `json:"branch,omitempty"`
	Base    string          `json:"base,omitempty"`
	Status  worktree.Status `json:"status"`
	Reason  worktree.Reason `json:"reason,omitempty"`
	Detail  string          `json:"detail,omitempty"`
	Files   []string        `json:"files,omitempty"`
	Warning worktree.Reason `json:"warning,omitempty"`
}

func entryRow(e worktree.Entry) worktreeRow {
	row := worktreeRow{Phase: e.Phase, Wave: e.Wave, Agent: e.Agent, Path: e.Path, Branch: e.Branch, Base: e.Base, Status: e.Status, Reason: e.Reason}
	if row.Status == "" {
		row.Status = "open"
	}
	return row
}

func printWorktrees(w io.Writer, rows []worktreeRow) {
	if len(rows) == 0 {
		return
	}
	t := term.NewColumns(w)
	fmt.Fprintln(t, "WORKTREE\tSTATUS\tWHY")
	for _, r := range rows {
		why := string(r.Reason)
		if r.Detail != "" {
			why += " (" + r.Detail + ")"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", r.Path, r.Status, why)
	}
	_ = t.Flush()
}

func worktreeAdd(c *Call) *answer.Answer {
	var id, phase string
	var number int
	c.look(func(tx *plan.Tx) {
		p, name, _ := c.planOf(tx)
		if p == nil {
			fail(command.Usagef("%q is no plan of a phase", c.Arg("PLAN")))
		}
		id, phase = name, p.ID.String()
		if s, err := wave.Arrange(wave.Plans(wave.Read(tx, p))); err == nil {
			number, _ = s.Number(id)
		}
	})
	at := worktree.At(c.Workspace, id)
	if c.DryRun {
		return &answer.Answer{Data: worktreeRow{Phase: phase, Wave: number, Path: at}, View: answer.Line("would add %s", c.Rel(at))}
	}
	a := must.Get(worktree.Add(c.Context, c.Root, at, id))
	a.Phase, a.Wave = phase, number
	c.Update(func(tx *plan.Tx) { worktree.Record(tx, a.Entry) })
	return &answer.Answer{Data: entryRow(a.Entry), View: answer.Text(func(w io.Writer) {
		verb := "added"
		if a.Kept {
			verb = "kept"
		}
		fmt.Fprintf(w, "%s %s on %s, %s ahead\n", verb, c.Rel(a.Path), a.Branch, text.Count(a.Ahead, "commit"))
	})}
}

func worktreeRecord(c *Call) *answer.Answer {
	dir := must.Get(filepath.Abs(c.Arg("DIR")))
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return fail(command.Usagef("%s is not a directory", c.Arg("DIR")))
	}
	e := worktree.Entry{
		Phase: c.String("phase"), Wave: c.Int("wave"), Agent: c.String("agent"), Path: dir, Branch: c.String("branch"), Base: c.String("base"),
	}
	if e.Branch == "" {
		e.Branch = must.Get(git.Branch(c.Context, dir))
	}
	if e.Base == "" {
		head := must.Get(git.Run(c.Context, dir, "rev-parse", "HEAD"))
		e.Base = must.Get(git.Run(c.Context, c.Root, "merge-base", "HEAD", head))
	}
	c.Update(func(tx *plan.Tx) { worktree.Record(tx, e) })
	return &answer.Answer{Data: entryRow(e), View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "recorded %s on %s\n", e.Path, e.Branch)
	})}
}

func (c *Call) recorded() (entries []worktree.Entry) {
	c.look(func(tx *plan.Tx) { entries = worktree.Recorded(tx) })
	return entries
}

func worktreeList(c *Call) *answer.Answer {
	entries := c.recorded()
	rows := []worktreeRow{}
	for _, e := range entries {
		rows = append(rows, entryRow(e))
	}
	talk := ""
	if len(rows) == 0 {
		talk = "no worktree is recorded"
	}
	return &answer.Answer{Data: rows, Said: talk, View: answer.Text(func(w io.Writer) { printWorktrees(w, rows) })}
}

// cleanupReport is what a clean-up did.
type cleanupReport struct {
	OK        bool          `json:"ok"`
	Worktrees []worktreeRow `json:"worktrees"`
	Hook      string        `json:"hook,omitempty"` // passed, or what the pre-commit hook complained about
}

func worktreeCleanup(c *Call) *answer.Answer {
	entries := c.wave()
	report := cleanupReport{OK: true, Worktrees: []worktreeRow{}}
	if c.DryRun {
		for _, e := range entries {
			report.Worktrees = append(report.Worktrees, entryRow(e))
		}
		return report.result()
	}
	settings := c.loadSettings()
	clean := worktree.Cleanup{Dir: c.Root, AllowDeletions: c.Bool("allow-deletions"), SkipHooks: settings.Bool("workflow.worktree_skip_hooks")}
	res := must.Get(clean.Run(c.Context, entries))
	report.OK = res.OK()
	for _, o := range res.Outcomes {
		row := entryRow(o.Entry)
		row.Detail, row.Files, row.Warning = o.Detail, o.Files, o.Warning
		report.Worktrees = append(report.Worktrees, row)
	}
	for _, e := range res.Pending {
		report.Worktrees = append(report.Worktrees, entryRow(e))
	}
	if res.Hook != nil {
		report.Hook = "passed"
		if !res.Hook.OK {
			report.Hook = res.Hook.Detail
		}
	}
	if c.String("manifest") == "" && len(entries) > 0 {
		c.Update(func(tx *plan.Tx) { worktree.Note(tx, res.Outcomes) })
	}
	return report.result()
}

// wave returns the worktrees to bring home: those of --manifest, or those
// recorded.
func (c *Call) wave() []worktree.Entry {
	file := c.String("manifest")
	if file == "" {
		return c.recorded()
	}
	b, err := plan.ReadFile(file)
	must.OK(command.Usage(err))
	entries, err := worktree.ParseManifest(b)
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("names no worktree: each takes a worktree_path, a branch worktree-agent-NAME and an expected_base")
	}
	if err != nil {
		fail(&plan.InputError{Path: file, What: err.Error()})
	}
	return entries
}

func (r cleanupReport) result() *answer.Answer {
	return &answer.Answer{Data: r, No: !r.OK, View: answer.Text(func(w io.Writer) {
		if len(r.Worktrees) == 0 {
			fmt.Fprintln(w, "no worktree is recorded")
			return
		}
		printWorktrees(w, r.Worktrees)
		if r.Hook != "" {
			fmt.Fprintf(w, "pre-commit hook: %s\n", r.Hook)
		}
	})}
}

func worktreeReap(c *Call) *answer.Answer {
	orphans := must.Get(worktree.Reaper{Dir: c.Root, DryRun: c.DryRun}.Run(c.Context))
	rows := []worktreeRow{}
	for _, o := range orphans {
		rows = append(rows, worktreeRow{Path: o.Path, Status: o.Status, Reason: o.Reason, Detail: o.Detail})
	}
	return &answer.Answer{Data: rows, View: answer.Text(func(w io.Writer) { printWorktrees(w, rows) })}
}
