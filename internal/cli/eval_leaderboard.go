package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/team/eval"
	"cairn/internal/term"
	"cairn/internal/text"
)

type evalLeaderboardOptions struct {
	team   bool
	filter eval.Filter
	by     string
	since  string
	runs   int
	json   bool
}

func newEvalLeaderboard(env *Env) *cobra.Command {
	var opts evalLeaderboardOptions
	cmd := &cobra.Command{
		Use:   "leaderboard",
		Short: "Rank models, prompts or people by what is more than luck",
		Long: `--by model, variant or label sets what was tried on the same suite against each
other: pass rates with intervals, mean scores, cost per pass, and letters. Two
that share a letter cannot be told apart: McNemar's test on their shared cases,
corrected by Holm for all the pairs.

--by person ranks the authors of the commits that were run: by the runs that
made a suite really better or worse than the run before on the same branch,
then by suites kept green and runs.`,
		Example: `  cairn eval leaderboard --by model --suite summaries
  cairn eval leaderboard --since 7d`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runEvalLeaderboard(env, opts) },
	}
	f := cmd.Flags()
	teamFlag(f, &opts.team)
	f.StringVar(&opts.by, "by", "person", "what is ranked: person, model, variant or label")
	f.StringVar(&opts.since, "since", "30d", "how far to look back: 30d, 12h, 2w, a date, or all")
	f.StringVar(&opts.filter.Suite, "suite", "", "only this suite")
	f.StringVar(&opts.filter.Branch, "branch", "", "only runs of this branch")
	f.StringVar(&opts.filter.Repo, "repo", "", "another repository, as owner/name")
	f.IntVarP(&opts.runs, "runs", "n", 50, "of each suite the newest so many runs, for models and the like; 0 is all")
	f.BoolVar(&opts.json, "json", false, "print everything as JSON")
	return cmd
}

func runEvalLeaderboard(env *Env, opts evalLeaderboardOptions) error {
	runs, err := withTeam(env, opts.team)
	if err != nil {
		return err
	}
	since, err := command.Since(opts.since, time.Now())
	if err != nil {
		return err
	}
	if opts.runs < 0 {
		return command.Usagef("-n is 0 or more")
	}
	switch opts.by {
	case "person", string(eval.ByModel), string(eval.ByVariant), string(eval.ByLabel):
	default:
		return command.Usage(term.Hint(fmt.Errorf("--by %q is not known", term.Line(opts.by)), "person, model, variant or label"))
	}
	all, err := runs.list()
	if err != nil {
		return err
	}
	found := opts.filter.Of(ofThisRepo(env, all, &opts.filter))
	if opts.by == "person" {
		return leadPeople(runs, found, len(all), since, opts)
	}
	found = eval.Since(found, since)
	contests := runs.Contests(found, opts.filter.Suite, eval.By(opts.by), opts.runs)
	if opts.json {
		return printJSON(env, struct {
			Contests []eval.Contest `json:"contests"`
		}{append([]eval.Contest{}, contests...)})
	}
	if len(found) == 0 {
		sayNoRuns(env, len(all))
		return nil
	}
	if len(contests) == 0 {
		fmt.Fprintf(env.Stderr, "cairn: no suite of %s was tried with two or more %ss\n", text.Count(len(found), "run"), opts.by)
		term.PrintHint(env.Stderr, "results name their model and variant; --by label sets runs with other labels against each other")
		return nil
	}
	return printContests(env, contests, opts.by)
}

func leadPeople(runs runStore, found []eval.Entry, stored int, since time.Time, opts evalLeaderboardOptions) error {
	env, recent := runs.env, eval.Since(found, since)
	authors := commitAuthors(env, recent)
	standings := runs.Leaders(found, opts.filter.Suite, since, authors.of, time.Local)
	if opts.json {
		standings.People = append([]eval.Person{}, standings.People...)
		return printJSON(env, standings)
	}
	switch {
	case len(recent) == 0:
		sayNoRuns(env, stored)
		return nil
	case len(standings.People) == 0:
		fmt.Fprintf(env.Stderr, "cairn: of no commit among %s is the author known here\n", text.Count(len(recent), "run"))
		term.PrintHint(env.Stderr, "run it in the repository of these commits; runs with uncommitted changes are nobody's")
		return nil
	}
	paint, now := term.NewPaint(env.Stdout, env.Getenv), time.Now()
	g := grid{head: []string{"<WHO", ">BETTER", ">WORSE", ">GREEN SUITES", ">RUNS", ">DAYS IN A ROW"}}
	for _, p := range standings.People {
		g.row(term.Line(p.Name), someText(len(p.Better)), someText(len(p.Worse)), someText(len(p.Green)), fmt.Sprint(p.Runs), fmt.Sprint(p.Streak))
	}
	if err := g.print(env.Stdout, paint); err != nil {
		return err
	}
	said := false
	for _, p := range standings.People {
		for _, steps := range [...][]eval.Step{p.Better, p.Worse} {
			for _, s := range steps {
				if !said {
					fmt.Fprintln(env.Stdout)
				}
				said = true
				fmt.Fprintln(env.Stdout, stepText(paint, p.Name, s, now))
			}
		}
	}
	if !said {
		fmt.Fprintf(env.Stdout, "\nno run was better or worse than the one before it by more than noise (%s looked at)\n", text.Count(standings.Steps, "step"))
	}
	if standings.Nobody > 0 {
		fmt.Fprintf(env.Stderr, "cairn: %s nobody's: uncommitted changes, or no commit that is known here\n", agree(standings.Nobody))
	}
	return nil
}

func agree(runs int) string {
	if runs == 1 {
		return "1 run is"
	}
	return fmt.Sprintf("%d runs are", runs)
}

// stepText is ↑ Ada: summaries +9 −0 of 40 cases with abc1234 on 03-15 (p < 0.001).
func stepText(paint term.Paint, name string, s eval.Step, now time.Time) string {
	sign := paint.Good("↑")
	if s.Worse > s.Better {
		sign = paint.Bad("↓")
	}
	return fmt.Sprintf("%s %s: %s +%d −%d of %s with %s, %s (p %s)", sign, term.Line(name), cmp.Or(term.Line(s.Suite), "(none)"),
		s.Better, s.Worse, text.Count(s.Cases, "case"), term.Line(shortRev(s.SHA)), text.When(s.Time, now), pText(s.Adjusted))
}

// authors are those of commits, by the commit's first seven digits.
type authors map[string]string

func (a authors) of(sha string) string { return a[shortRev(sha)] }

// commitAuthors asks git for the authors of the entries' commits. What is not
// in the repository here has none.
func commitAuthors(env *Env, entries []eval.Entry) authors {
	found := authors{}
	dir := env.Here()
	if !git.Repo(dir) {
		return found
	}
	asked := map[string]bool{}
	var shas []string
	for _, e := range entries {
		if isHex(e.SHA) && len(e.SHA) >= 7 && !asked[e.SHA] {
			asked[e.SHA] = true
			shas = append(shas, e.SHA)
		}
	}
	const most = 1000 // arguments
	for len(shas) > 0 {
		n := min(len(shas), most)
		args := append([]string{"log", "--no-walk", "--ignore-missing", "--use-mailmap", "--format=%H %aN"}, shas[:n]...)
		shas = shas[n:]
		out, _ := git.Output(context.Background(), dir, args...)
		for line := range strings.Lines(string(out)) {
			if sha, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && len(sha) >= 7 {
				found[sha[:7]] = name
			}
		}
	}
	return found
}

func isHex(s string) bool {
	for _, r := range s {
		if !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return false
		}
	}
	return s != ""
}
