package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"cairn/internal/compact/lines"
	"cairn/internal/team/grade"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

func printGrades(env *Env, report *grade.Report, asJSON bool) error {
	run := report.Run
	if asJSON {
		data, err := result.Encode(run)
		if err != nil {
			return err
		}
		_, err = env.Stdout.Write(data)
		return err
	}
	w := tabwriter.NewWriter(term.Table(env.Stdout), 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STATUS\tCASE\tWHAT FAILED")
	for i := range run.Results {
		r := &run.Results[i]
		name := r.Title()
		if r.Attempt > 1 {
			name += fmt.Sprintf(" #%d", r.Attempt)
		}
		for j, what := range whatFailed(r) {
			if j > 0 {
				fmt.Fprintf(w, "\t\t%s\n", lines.Clean(what))
				continue
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", r.Status, lines.Clean(term.Shorten(name, 60)), lines.Clean(what))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := printComparisons(env, run); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.Stdout)
	return err
}

// whatFailed is a line for every failure, at least one.
func whatFailed(r *result.Result) (said []string) {
	if r.Error != "" {
		said = append(said, oneLine(r.Error))
	}
	for _, f := range r.Failures {
		text := f.ExpectationType + ": " + f.Message
		if len(f.Details) > 0 {
			var parts []string
			for _, d := range f.Details {
				parts = append(parts, fmt.Sprintf("%s %.3g < %.3g", d.Criterion, d.Score, d.Threshold))
			}
			text += " (" + strings.Join(parts, ", ") + ")"
		}
		said = append(said, oneLine(text))
	}
	if len(said) == 0 {
		said = append(said, "")
		if r.Status == result.Skip {
			said[0] = "not judged"
		}
	}
	return said
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
