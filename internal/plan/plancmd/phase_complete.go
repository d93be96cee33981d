package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/settings"
)

// phaseDone is what completing a phase did, as it is printed.
type phaseDone struct {
	Phase        string   `json:"phase"`
	Name         string   `json:"name"`
	Plans        int      `json:"plans"`
	Summaries    int      `json:"summaries"`
	Date         string   `json:"date"`
	Next         string   `json:"next"` // "" after the last one
	NextName     string   `json:"next_name"`
	Requirements []string `json:"requirements"`
	Warnings     []string `json:"warnings"`
	next         *brief.Next
}

func phaseComplete(c *Call) *answer.Answer {
	id := c.phaseID("PHASE")
	c.override()
	var d phaseDone
	c.Update(func(tx *plan.Tx) {
		left := []string{}
		completion := plan.Completion{Reason: c.String("reason"), Prune: settings.Load(tx).Bool("workflow.auto_prune_state")}
		if p := tx.Phase(id); p != nil && p.Archived == "" {
			if open := c.ask(tx, p, lifecycle.Finish); open != nil {
				completion.Open = open.Open()
				for _, m := range open.Unmet {
					left = append(left, m.ID+": "+m.Text)
				}
			}
		}
		done := drive.Complete(tx, id, completion)
		p := done.Phase
		d = phaseDone{
			Phase: p.ID.String(), Name: p.Name, Plans: len(p.Plans), Summaries: p.Executed(), Date: done.Date,
			Requirements: answer.List(done.Requirements.Complete), Warnings: append(left, done.Warnings...),
		}
		if done.Next != nil {
			d.Next, d.NextName = done.Next.ID.String(), done.Next.Name
		}
		d.next = done.Then
	})
	return &answer.Answer{Data: d, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "completed phase %s: %s (%d of %d plans)\n", d.Phase, d.Name, d.Summaries, d.Plans)
		if len(d.Requirements) > 0 {
			fmt.Fprintf(w, "requirements: %s\n", strings.Join(d.Requirements, ", "))
		}
		for _, warning := range d.Warnings {
			fmt.Fprintf(w, "warning: %s\n", warning)
		}
		printNext(w, d.next)
	})}
}
