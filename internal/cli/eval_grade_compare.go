package cli

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

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
	paint := term.NewPaint(env.Stdout, env.Getenv)
	for i := range run.Results {
		r := &run.Results[i]
		var c comparison
		if len(r.Comparison) == 0 || json.Unmarshal(r.Comparison, &c) != nil || len(c.Deltas)+len(c.Tiers) == 0 {
			continue
		}
		fmt.Fprintf(env.Stdout, "\n%s\n", paint.Bold(resultTitle(run, r)))
		w := term.NewColumns(env.Stdout)
		if len(c.Deltas) > 0 {
			fmt.Fprintln(w, paint.Dim("  CRITERION")+"\t"+paint.Dim("CONTROL")+"\t"+paint.Dim("TREATMENT")+"\t"+paint.Dim("DELTA")+"\t")
		}
		for _, d := range c.Deltas {
			note := ""
			if d.Worse {
				note = paint.Bad("worse")
			}
			fmt.Fprintf(w, "  %s\t%.3g\t%.3g\t%+.3g\t%s\n", term.Line(d.Criterion), d.Control, d.Treatment, d.Delta, note)
		}
		if len(c.Tiers) > 0 {
			fmt.Fprintln(w, paint.Dim("  TIER")+"\t"+paint.Dim("MODEL")+"\t"+paint.Dim("STATUS")+"\t"+paint.Dim("HOLD")+"\t"+paint.Dim("WHAT FAILED"))
			w.Flex(4)
		}
		for _, t := range c.Tiers {
			what := append([]string{}, t.Failures...)
			if t.Error != "" {
				what = append(what, t.Error)
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%d/%d\t%s\n", term.Line(t.Tier), term.Line(t.Model), statusText(paint, t.Status), t.Held, t.Of, term.Line(strings.Join(what, "; ")))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}
