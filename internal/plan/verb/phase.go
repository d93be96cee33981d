package verb

import (
	"fmt"
	"io"

	"cairn/internal/plan"
	"cairn/internal/term"
)

func phaseVerbs() []*Verb {
	return []*Verb{
		{
			Noun: "phase", Name: "list", Short: "List the phases of the milestone and how far each is",
			Flags: []Flag{{Name: "all", Default: false, Help: "also archived phases and the backlog"}},
			Examples: []string{
				"cairn plan phase list",
				"cairn plan phase list --all --json",
			},
			Effect: Reads, Run: phaseList,
		},
	}
}

// phaseRow is a phase as the verbs print it.
type phaseRow struct {
	Number    string `json:"number"`
	Name      string `json:"name"`
	Status    string `json:"status"`
	Plans     int    `json:"plans"`
	Summaries int    `json:"summaries"`
	Directory string `json:"directory,omitempty"`
	Archived  string `json:"archived,omitempty"`
}

func phaseList(c *Call) (*Result, error) {
	var rows []phaseRow
	err := c.View(func(tx *plan.Tx) error {
		phases, err := tx.Phases(plan.Current)
		if c.Bool("all") {
			phases, err = tx.Phases(plan.Everything)
		}
		for _, p := range phases {
			rows = append(rows, phaseRow{
				Number: p.ID.String(), Name: p.Name, Status: string(p.Status()),
				Plans: len(p.Plans), Summaries: p.Executed(), Directory: p.Dir, Archived: p.Archived,
			})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Result{Data: rows, Text: func(w io.Writer) {
		t := term.Table(w)
		fmt.Fprintln(t, "PHASE\tNAME\tPLANS\tSTATUS")
		for _, r := range rows {
			fmt.Fprintf(t, "%s\t%s\t%d/%d\t%s\n", r.Number, r.Name, r.Summaries, r.Plans, r.Status)
		}
	}}, nil
}
