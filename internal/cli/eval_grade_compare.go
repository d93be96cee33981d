package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"

	"cairn/internal/compact/lines"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

// comparison is what grade writes into Result.Comparison, as far as it is shown.
type comparison struct {
	Type   string `json:"type"`
	Deltas []struct {
		Criterion string  `json:"criterion"`
		Control   float64 `json:"control"`
		Treatment float64 `json:"treatment"`
		Delta     float64 `json:"delta"`
		Worse     bool    `json:"worse"`
	} `json:"deltas"`
	Tiers []struct {
		Tier     string        `json:"tier"`
		Model    string        `json:"model"`
		Status   result.Status `json:"status"`
		Held     int           `json:"held"`
		Of       int           `json:"of"`
		Error    string        `json:"error"`
		Failures []string      `json:"failures"`
	} `json:"tiers"`
}

// printComparisons prints A/B tests and chains of tiers below the table.
func printComparisons(env *Env, run *result.Run) error {
	for i := range run.Results {
		r := &run.Results[i]
		var c comparison
		if len(r.Comparison) == 0 || json.Unmarshal(r.Comparison, &c) != nil || len(c.Deltas)+len(c.Tiers) == 0 {
			continue
		}
		fmt.Fprintf(env.Stdout, "\n%s\n", lines.Clean(r.Title()))
		w := tabwriter.NewWriter(term.Table(env.Stdout), 0, 0, 2, ' ', 0)
		if len(c.Deltas) > 0 {
			fmt.Fprintln(w, "  CRITERION\tCONTROL\tTREATMENT\tDELTA\t")
		}
		for _, d := range c.Deltas {
			note := ""
			if d.Worse {
				note = "worse"
			}
			fmt.Fprintf(w, "  %s\t%.3g\t%.3g\t%+.3g\t%s\n", lines.Clean(d.Criterion), d.Control, d.Treatment, d.Delta, note)
		}
		if len(c.Tiers) > 0 {
			fmt.Fprintln(w, "  TIER\tMODEL\tSTATUS\tHOLD\tWHAT FAILED")
		}
		for _, t := range c.Tiers {
			what := append([]string{}, t.Failures...)
			if t.Error != "" {
				what = append(what, t.Error)
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%d/%d\t%s\n", lines.Clean(t.Tier), lines.Clean(t.Model), t.Status, t.Held, t.Of, lines.Clean(oneLine(strings.Join(what, "; "))))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}
