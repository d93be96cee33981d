package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/compact/lines"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

type evalShowOptions struct {
	all, json bool
}

func newEvalShow(env *Env) *cobra.Command {
	var opts evalShowOptions
	cmd := &cobra.Command{
		Use:   "show [RUN]",
		Short: "Show one run: counts, what failed and why, cost",
		Long: `RUN is a file of results, an id or its beginning, a label, @branch, a commit,
or latest, which is also what is shown without one; label~1 is the one before.`,
		Example: `  cairn eval show
  cairn eval show @main --all`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			ref := "latest"
			if len(args) == 1 {
				ref = args[0]
			}
			return runEvalShow(env, ref, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.all, "all", false, "list what passed too")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the run in the standard format")
	return cmd
}

func runEvalShow(env *Env, ref string, opts evalShowOptions) error {
	run, e, err := findRun(env, ref)
	if err != nil {
		return err
	}
	if opts.json {
		data, err := result.Encode(run)
		if err == nil {
			_, err = env.Stdout.Write(data)
		}
		return err
	}
	paint := term.NewPaint(env.Stdout, env.Getenv)
	fmt.Fprintf(env.Stdout, "%s\n", paint.Bold(strings.TrimSpace(e.ID+"  "+lines.Clean(run.Label)+"  "+lines.Clean(run.Suite))))
	about := []string{run.Timestamp.Local().Format("2006-01-02 15:04"), commitText(e), lines.Clean(strings.TrimSpace(run.Tool + " " + run.ToolVer)), lines.Clean(run.Repo)}
	about = append(about, countsText(run.Counts, run.TotalCostUSD))
	if run.DurationSeconds > 0 {
		about = append(about, time.Duration(run.DurationSeconds*float64(time.Second)).Round(100*time.Millisecond).String())
	}
	fmt.Fprintln(env.Stdout, strings.Join(nonEmpty(about), " · "))
	fmt.Fprintln(env.Stdout)
	w := term.NewColumns(env.Stdout)
	shown := 0
	for i := range run.Results {
		r := &run.Results[i]
		if r.Status == result.Pass && !opts.all {
			continue
		}
		shown++
		fmt.Fprintf(w, "%s\t%s\t%s\n", statusText(paint, r.Status), resultTitle(run, r), lines.Clean(term.Shorten(reasonOf(r), 200)))
	}
	if shown == 0 && len(run.Results) > 0 {
		fmt.Fprintln(env.Stdout, "every result passed; --all lists them")
	}
	return w.Flush()
}

func nonEmpty(words []string) (kept []string) {
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

func statusText(paint term.Paint, s result.Status) string {
	switch s {
	case result.Pass:
		return paint.Good("✓ pass")
	case result.Fail:
		return paint.Bad("✗ fail")
	case result.Error:
		return paint.Warn("! error")
	}
	return paint.Dim("– skip")
}

func resultTitle(run *result.Run, r *result.Result) string {
	title := r.Title()
	if r.Suite != "" && r.Suite != run.Suite {
		title = r.Suite + " › " + title
	}
	if r.Try() > 1 {
		title += fmt.Sprintf(" #%d", r.Try())
	}
	return lines.Clean(title)
}

// reasonOf is the first thing that a result says of its failure.
func reasonOf(r *result.Result) string {
	text := r.Error
	if len(r.Failures) > 0 {
		text = r.Failures[0].Message
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if n := len(r.Failures); n > 1 {
		text += fmt.Sprintf(" (and %d more)", n-1)
	}
	return text
}
