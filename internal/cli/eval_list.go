package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/eval"
	"cairn/internal/term"
	"cairn/internal/text"
)

type evalListOptions struct {
	team   bool
	filter eval.Filter
	since  string
	limit  int
	json   bool
}

func newEvalList(env *Env) *cobra.Command {
	var opts evalListOptions
	cmd := &cobra.Command{
		Use:   "list [LABEL]",
		Short: "List the runs that are stored here, the newest first",
		Example: `  cairn eval list
  cairn eval list --suite summaries --since 30d`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				opts.filter.Label = args[0]
			}
			return runEvalList(env, opts)
		},
	}
	f := cmd.Flags()
	teamFlag(f, &opts.team)
	f.StringVar(&opts.filter.Suite, "suite", "", "only this suite")
	f.StringVar(&opts.filter.Branch, "branch", "", "only this branch")
	f.StringVar(&opts.filter.Repo, "repo", "", "only this repository, as owner/name")
	f.StringVar(&opts.filter.Kind, "kind", "", "only this kind: eval, e2e, llm-judge, unit")
	f.StringVar(&opts.since, "since", "all", "how far to look back: 30d, 12h, 2w, a date, or all")
	f.IntVarP(&opts.limit, "limit", "n", 20, "at most so many; 0 is all")
	f.BoolVar(&opts.json, "json", false, "print one JSON object a line")
	return cmd
}

func runEvalList(env *Env, opts evalListOptions) error {
	found, err := findRuns(env, opts)
	if err != nil {
		return err
	}
	if !opts.json {
		return found.print(env)
	}
	for _, e := range found.Runs {
		if err := printJSON(env, e); err != nil {
			return err
		}
	}
	return nil
}

// foundRuns are the runs that are shown, and how many are not.
type foundRuns struct {
	Runs   []eval.Entry `json:"runs"`
	More   int          `json:"more"` // that are wanted, too
	stored int
}

func findRuns(env *Env, opts evalListOptions) (f foundRuns, err error) {
	runs, err := withTeam(env, opts.team)
	if err != nil {
		return f, err
	}
	if opts.limit < 0 {
		return f, command.Usagef("--limit is from 0")
	}
	since, err := command.Since(opts.since, time.Now())
	if err != nil {
		return f, err
	}
	all, err := runs.list()
	if err != nil {
		return f, err
	}
	f.Runs, f.stored = append([]eval.Entry{}, eval.Since(opts.filter.Of(all), since)...), len(all)
	if n := len(f.Runs); opts.limit > 0 && n > opts.limit {
		f.Runs, f.More = f.Runs[:opts.limit], n-opts.limit
	}
	return f, nil
}

func (f foundRuns) print(env *Env) error {
	if len(f.Runs) == 0 {
		sayNoRuns(env, f.stored)
		return nil
	}
	if err := printEntries(env, f.Runs); err != nil {
		return err
	}
	if f.More > 0 {
		fmt.Fprintf(env.Stderr, "… and %d more; -n 0 lists all\n", f.More)
	}
	return nil
}

// sayNoRuns says why there is nothing to print.
func sayNoRuns(env *Env, stored int) {
	if stored > 0 {
		fmt.Fprintf(env.Stderr, "cairn: none of the %s is like that\n", text.Count(stored, "stored run"))
		term.PrintHint(env.Stderr, "cairn eval list shows them all")
		return
	}
	fmt.Fprintln(env.Stderr, "cairn: no run is stored yet")
	term.PrintHint(env.Stderr, "cairn eval push FILE stores what a runner wrote")
}

func printEntries(env *Env, entries []eval.Entry) error {
	paint, now := term.NewPaint(env.Stdout, env.Getenv), time.Now()
	repos := map[string]bool{}
	for _, e := range entries {
		repos[e.Repo] = true
	}
	delete(repos, "")
	several := len(repos) > 1
	g := grid{head: []string{"ID", "WHEN", "<LABEL", "<SUITE", ">PASSED", ">ERRORS", ">COST", "<COMMIT", "<REPOSITORY", "WHERE"}}
	for _, e := range entries {
		errored, repo := "", ""
		if e.Errored > 0 {
			errored = paint.Warn(fmt.Sprint(e.Errored))
		}
		if several {
			repo = term.Line(e.Repo)
		}
		g.row(e.ID, text.When(e.Time.Time, now), term.Line(e.Label), term.Line(e.SuiteText()), passedText(paint, e), errored, text.Some(e.CostUSD, text.Dollars), shortCommit(e), repo, e.Where)
	}
	return g.print(env.Stdout, paint)
}

// passedText is 16/17, of what was judged.
func passedText(paint term.Paint, e eval.Entry) string {
	text := fmt.Sprintf("%d/%d", e.Passed, e.Judged())
	switch rate, ok := e.Rate(); {
	case !ok:
		return ""
	case rate == 1:
		return paint.Good(text)
	}
	return paint.Bad(text)
}

// shortCommit leaves the branch out where the label tells it.
func shortCommit(e eval.Entry) string {
	if label := eval.Sanitize(e.Branch); label != "" && (e.Label == label || strings.HasPrefix(e.Label, label+"_")) {
		e.Branch = ""
	}
	return strings.TrimPrefix(commitText(e), "@")
}

// commitText is branch@sha, with a + for changes that were not committed.
func commitText(e eval.Entry) string {
	text := term.Line(e.Branch)
	if e.SHA != "" {
		text += "@" + term.Line(shortRev(e.SHA))
	}
	if e.Dirty && text != "" {
		text += "+"
	}
	return text
}
