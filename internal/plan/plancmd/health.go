package plancmd

import (
	"fmt"
	"io"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/health"
	"cairn/internal/text"
)

func healthVerb() *command.Command {
	return &command.Command{
		Path: "plan health", Short: "Check the plan for missing, contradictory or broken files",
		Long: "Prints each finding with a code, a file, a line and what to do. --fix repairs what can\n" +
			"be repaired without loss: it writes a missing STATE.md, config.json or entry in\n" +
			"MILESTONES.md, moves a broken config.json aside, undoes an interrupted change, and\n" +
			"renumbers phases that two branches gave the same number. Exits 5 while there are errors.",
		Flags:    []command.Flag{{Name: "fix", Default: false, Help: "repair what can be repaired without loss"}},
		Examples: []string{"cairn plan health", "cairn plan health --fix --dry-run"},
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
	if c.Bool("fix") {
		_, repaired, done, err := health.Repair(c.Context, c.Workspace, opts)
		must.OK(err)
		d.Repaired, c.change = append(d.Repaired, repaired...), done
	}
	c.look(func(tx *plan.Tx) {
		r := health.Look(tx, opts)
		d.Status, d.Repairable = r.Status(), r.Repairable()
		d.Findings = append(d.Findings, r.Findings...)
	})
	return &answer.Answer{Data: d, No: d.Status == health.Broken, View: answer.Text(d.print)}
}

func (d healthData) print(w io.Writer) {
	for _, r := range d.Repaired {
		fmt.Fprintf(w, "repaired  %s  %s\n", r.Code, r.Message)
	}
	count := map[health.Level]int{}
	for _, f := range d.Findings {
		count[f.Level]++
	}
	fmt.Fprintf(w, "%s: %s, %s, %s\n", d.Status, text.Count(count[health.Error], "error"), text.Count(count[health.Warning], "warning"), text.Count(count[health.Info], "note"))
	for _, f := range d.Findings {
		fmt.Fprintf(w, "\n%s %s  %s\n", f.Level, f.Code, f.Message)
		if f.Path != "" {
			fmt.Fprintf(w, "  at   %s%s\n", f.Path, lineOf(f.Line))
		}
		fmt.Fprintf(w, "  fix  %s\n", f.Fix)
	}
	if d.Repairable > 0 {
		fmt.Fprintf(w, "\nnext: cairn plan health --fix repairs %s\n", text.Count(d.Repairable, "finding"))
	}
}

func lineOf(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(":%d", line)
}
