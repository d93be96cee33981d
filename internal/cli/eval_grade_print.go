package cli

import (
	"fmt"
	"strings"

	"cairn/internal/team/grade"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

// printGrades prints a line for every failure, and below it A/B tests and
// chains of tiers.
func printGrades(env *Env, report *grade.Report, asJSON bool) error {
	run := report.Run
	if asJSON {
		data, err := result.Encode(run)
		if err == nil {
			_, err = env.Stdout.Write(term.PrintableJSON(data))
		}
		return err
	}
	paint := term.NewPaint(env.Stdout, env.Getenv)
	w := term.NewColumns(env.Stdout)
	fmt.Fprintln(w, strings.Join([]string{paint.Dim("STATUS"), paint.Dim("CASE"), paint.Dim("WHAT FAILED")}, "\t"))
	for i := range run.Results {
		r := &run.Results[i]
		status, title := statusText(paint, r.Status), resultTitle(run, r)
		for _, what := range whatFailed(r) {
			fmt.Fprintf(w, "%s\t%s\t%s\n", status, title, what)
			status, title = "", ""
		}
	}
	w.Flex(2)
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
		said = append(said, term.Line(r.Error))
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
		said = append(said, term.Line(text))
	}
	if len(said) == 0 {
		said = append(said, "")
		if r.Status == result.Skip {
			said[0] = "not judged"
		}
	}
	return said
}
