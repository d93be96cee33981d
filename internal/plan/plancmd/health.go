package plancmd

import (
	"fmt"
	"io"
	"slices"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/health"
	"cairn/internal/plan/workstream"
	"cairn/internal/text"
)

func healthVerb() *command.Command {
	return &command.Command{
		Path: "plan health", Short: "Check the plan for missing, contradictory or broken files",
		Long: "Prints each finding with a code, a file, a line and what to do. --fix repairs what can\n" +
			"be repaired without loss: it writes a missing STATE.md, config.json or entry in\n" +
			"MILESTONES.md, moves a broken config.json aside, undoes an interrupted change, and\n" +
			"renumbers phases that two branches gave the same number. Without --ws it looks at\n" +
			"every workstream. Exits 5 while there are errors.",
		Flags: []command.Flag{
			{Name: "fix", Default: false, Help: "repair what can be repaired without loss"},
			{Name: "all", Default: false, Help: "print every finding, not three of a kind"},
		},
		Examples: []string{"cairn plan health", "cairn plan health --all", "cairn plan health --fix --dry-run"},
		Effect:   command.Writes, Run: anywhere(showHealth),
	}
}

// healthData is a report as the verb prints it.
type healthData struct {
	Status     health.Status     `json:"status"`
	Findings   []health.Finding  `json:"findings"`
	Repairable int               `json:"repairable"`
	Repaired   []health.Repaired `json:"repaired"`
}

func showHealth(c *Call) *answer.Answer {
	opts := health.Options{Getenv: c.Getenv, Now: time.Now()}
	d := healthData{Findings: []health.Finding{}, Repaired: []health.Repaired{}}
	whole := &health.Report{}
	for _, w := range c.looksAt() {
		if c.Bool("fix") {
			_, repaired, done, err := health.Repair(c.Context, w, opts)
			must.OK(err)
			d.Repaired = append(d.Repaired, repaired...)
			c.changed(done)
		}
		must.OK(w.View(func(tx *plan.Tx) error {
			for _, f := range health.Look(tx, opts).Findings {
				if !slices.Contains(whole.Findings, f) { // of a document that all share
					whole.Findings = append(whole.Findings, f)
				}
			}
			return nil
		}))
	}
	d.Status, d.Repairable, d.Findings = whole.Status(), whole.Repairable(), append(d.Findings, whole.Findings...)
	return &answer.Answer{Data: d, No: d.Status == health.Broken, View: answer.Text(func(w io.Writer) { d.print(w, c.Bool("all")) })}
}

// looksAt returns the plan that a flag names, else the one worked on and those of
// every other workstream: what a merge did to them is nobody's who works elsewhere.
// Beside workstreams a project without a roadmap of its own has no plan to look at.
func (c *Call) looksAt() []*plan.Workspace {
	if c.String("ws") != "" {
		return []*plan.Workspace{c.Workspace}
	}
	var all []*plan.Workspace
	c.look(func(tx *plan.Tx) {
		names := workstream.Names(tx)
		if c.Stream != "" || len(names) == 0 || tx.Has(tx.Path("ROADMAP.md")) || tx.Has(tx.Path("STATE.md")) {
			all = append(all, c.Workspace)
		}
		for _, name := range names {
			if name != c.Stream {
				w := must.Get(workstream.Open(c.Workspace, name))
				w.By, w.DryRun = c.By, c.DryRun
				all = append(all, w)
			}
		}
	})
	return all
}

// changed adds to what the command changed.
func (c *Call) changed(more *plan.Change) {
	switch {
	case more == nil:
	case c.change == nil:
		c.change = more
	default:
		c.change.Files = append(c.change.Files, more.Files...)
	}
}

// examples is how many findings of a code are printed one by one.
const examples = 3

func (d healthData) print(w io.Writer, all bool) {
	for _, r := range d.Repaired {
		fmt.Fprintf(w, "repaired  %s  %s\n", r.Code, r.Message)
	}
	count := map[health.Level]int{}
	of := map[string][]health.Finding{}
	for _, f := range d.Findings {
		count[f.Level]++
		of[f.Code] = append(of[f.Code], f)
	}
	fmt.Fprintf(w, "%s: %s, %s, %s\n", d.Status, text.Count(count[health.Error], "error"), text.Count(count[health.Warning], "warning"), text.Count(count[health.Info], "note"))
	for _, f := range d.Findings {
		kind := of[f.Code]
		switch {
		case all || len(kind) <= examples:
			fmt.Fprintf(w, "\n%s %s  %s\n", f.Level, f.Code, f.Message)
			if f.Path != "" {
				fmt.Fprintf(w, "  at   %s%s\n", f.Path, lineOf(f.Line))
			}
			fmt.Fprintf(w, "  fix  %s\n", f.Fix)
		case f == kind[0]:
			printKind(w, kind)
		}
	}
	if d.Repairable > 0 {
		fmt.Fprintf(w, "\nnext: cairn plan health --fix repairs %s\n", text.Count(d.Repairable, "finding"))
	}
}

// printKind prints how many findings of a code there are, and the first of them.
func printKind(w io.Writer, kind []health.Finding) {
	first := kind[0]
	fmt.Fprintf(w, "\n%s %s  %d findings; expected: %s\n", first.Level, first.Code, len(kind), health.What(first.Code))
	for _, f := range kind[:examples] {
		fmt.Fprintf(w, "  %s%s  %s\n", f.Path, lineOf(f.Line), f.Message)
	}
	fmt.Fprintf(w, "  … %d more: cairn plan health --all\n  fix  %s\n", len(kind)-examples, first.Fix)
}

func lineOf(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(":%d", line)
}
