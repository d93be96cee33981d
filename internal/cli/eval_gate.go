package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/compare/gate"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

type evalGateOptions struct {
	team             bool
	baseline, policy string
	allAttempts      bool
	seed             uint64
	json, markdown   bool
	junit, checkRun  string
	headSHA          string
}

func newEvalGate(env *Env) *cobra.Command {
	var opts evalGateOptions
	cmd := &cobra.Command{
		Use:   "gate [RUN]",
		Short: "Hold a run against the policy and a baseline; exit 5 when it falls short",
		Long: `RUN is a file of results, an id, a label, @branch, a commit or latest, which is
also what is taken without one. The baseline is the policy's, or what the
branch started from (merge-base).

The policy is .cairn/eval-policy.toml at the top of the repository. Without
one: no significant regression, at most 20 % errors, and a loud note where
there is no baseline. docs/eval-gate.md lists every key.

In GitHub Actions the report goes into the job's summary, and what failed
becomes an annotation.`,
		Example: `  cairn eval gate results.json --baseline merge-base
  cairn eval gate latest --baseline @main --junit gate.xml --markdown > gate.md`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			ref := eval.Latest
			if len(args) == 1 {
				ref = args[0]
			}
			return runEvalGate(env, ref, opts)
		},
	}
	f := cmd.Flags()
	teamFlag(f, &opts.team)
	f.StringVar(&opts.baseline, "baseline", "", "what the run is compared with: a file, an id, a label, @branch, previous or merge-base")
	f.StringVar(&opts.policy, "policy", "", "a `FILE` with another policy than .cairn/eval-policy.toml")
	f.BoolVar(&opts.allAttempts, "all-attempts", false, "take all runs of a run's commit together, as its repeats")
	f.Uint64Var(&opts.seed, "seed", 0, "of the resampling: the same seed gives the same figures")
	f.BoolVar(&opts.json, "json", false, "print the report as JSON")
	f.BoolVar(&opts.markdown, "markdown", false, "print the report as Markdown")
	f.StringVar(&opts.junit, "junit", "", "write JUnit XML, a test for each rule, to `FILE`")
	f.StringVar(&opts.checkRun, "check-run", "", "write the body of a GitHub check run to `FILE`")
	f.StringVar(&opts.headSHA, "head-sha", "", "the commit of the check run; the run's, if not said")
	return cmd
}

func runEvalGate(env *Env, ref string, opts evalGateOptions) error {
	runs, err := withTeam(env, opts.team)
	if err != nil {
		return err
	}
	if opts.json && opts.markdown {
		return command.Usagef("--json or --markdown, not both")
	}
	policy, shown, err := readPolicy(env, opts.policy)
	if err != nil {
		return err
	}
	baseline := cmp.Or(opts.baseline, policy.Baseline, eval.MergeBase)
	run, before, why, err := findGated(runs, ref, baseline, opts.allAttempts)
	if err != nil {
		return err
	}
	r := gate.Check(run, before, why, policy, opts.seed)
	r.Run.Ref = ref
	if r.Baseline != nil {
		r.Baseline.Ref = baseline
	}
	if err := writeGate(env, r, shown, opts); err != nil {
		return err
	}
	switch {
	case opts.json:
		err = printJSON(env, r)
	case opts.markdown:
		_, err = fmt.Fprint(env.Stdout, r.Markdown())
	default:
		err = r.Text(env.Stdout, term.NewPaint(env.Stdout, env.Getenv))
	}
	if err == nil && !r.Passed {
		err = command.Gate(fmt.Errorf("the eval gate says no: %s", r.Summary()))
	}
	return err
}

const maxPolicy = 1 << 20

// readPolicy reads the policy that is asked for, or the repository's, or takes
// the one that is built in. shown is its path from the top of the repository.
func readPolicy(env *Env, asked string) (policy *gate.Policy, shown string, err error) {
	_, top := repoHere(env)
	name := asked
	if name == "" {
		name = home.Repo(top).EvalPolicy()
	}
	read := func() ([]byte, error) { return atomicfile.ReadFile(env.Path(name), maxPolicy) }
	if asked == "" {
		read = func() ([]byte, error) {
			return project.Open("", home.Repo(cmp.Or(top, env.Path(".")))).Read(filepath.Base(name), maxPolicy)
		}
	}
	data, err := read()
	if errors.Is(err, fs.ErrNotExist) {
		if asked == "" {
			return gate.Default(), "", nil
		}
		return nil, "", command.Dataf("%s is not there", shownName(name))
	}
	if err != nil {
		return nil, "", command.Data(err)
	}
	shown = name
	if abs, err := env.Abs(name); err == nil && top != "" {
		if rel, err := filepath.Rel(top, abs); err == nil && filepath.IsLocal(rel) {
			shown = rel
		}
	}
	shown = filepath.ToSlash(shown)
	policy, err = gate.Decode(data)
	if err != nil {
		return nil, "", command.Data(term.Hint(fmt.Errorf("%s: %w", shownName(shown), err), "docs/eval-gate.md lists every key"))
	}
	policy.Name = shown
	return policy, shown, nil
}

// findGated finds the run and its baseline. A baseline that is not stored is
// nil, and why says so; a file that is not there is an error.
func findGated(runs runStore, ref, baseline string, allAttempts bool) (run, before *result.Run, why string, err error) {
	if isFile(runs.env.Path(ref)) && isFile(runs.env.Path(baseline)) {
		a, b, err := findTwo(runs, baseline, ref, allAttempts)
		return b.Run, a.Run, "", err
	}
	f := runFinder{runs: runs, allAttempts: allAttempts}
	b, err := f.find(ref, nil)
	if err != nil {
		return nil, nil, "", err
	}
	other := b.Entry()
	a, err := f.find(baseline, &other)
	switch {
	case err == nil:
		printNote(runs.env, a)
		printNote(runs.env, b)
		return b.Run, a.Run, "", nil
	case errors.Is(err, command.ErrUsage) && !looksLikeFile(baseline):
		return b.Run, nil, err.Error(), nil
	}
	return nil, nil, "", err
}

// writeGate writes the files that were asked for and what GitHub Actions reads.
func writeGate(env *Env, r *gate.Report, policy string, opts evalGateOptions) error {
	var reports []reportFile
	if opts.junit != "" {
		data, err := r.JUnit()
		if err != nil {
			return err
		}
		reports = append(reports, reportFile{opts.junit, data})
	}
	if opts.checkRun != "" {
		sha, err := headSHA(env, r, opts.headSHA)
		if err != nil {
			return err
		}
		data, err := r.CheckRun("cairn eval gate", sha, localOnly(policy))
		if err != nil {
			return err
		}
		reports = append(reports, reportFile{opts.checkRun, data})
	}
	if err := writeReports(env, reports); err != nil {
		return err
	}
	if env.Getenv("GITHUB_ACTIONS") == "true" {
		fmt.Fprint(env.Stderr, r.Workflow(localOnly(policy))) // read there too, and stdout stays data
	}
	if name := env.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		if err := appendTo(env.Path(name), r.Markdown()); err != nil {
			term.Warn(env.Stderr, "the job's summary was not written: %v", err)
		}
	}
	return nil
}

// localOnly is a path inside of the repository, or "".
func localOnly(name string) string {
	if filepath.IsLocal(filepath.FromSlash(name)) {
		return name
	}
	return ""
}

// headSHA is the commit that a check run is shown at: the whole of it, as
// GitHub wants.
func headSHA(env *Env, r *gate.Report, asked string) (string, error) {
	sha := cmp.Or(asked, r.Run.GitSHA, env.Getenv("GITHUB_SHA"))
	if sha == "" {
		return "", command.Usagef("--check-run needs a commit: the run names none; --head-sha says one")
	}
	if dir := env.Here(); len(sha) < 40 && git.Repo(dir) && sha[0] != '-' {
		if full, err := git.Run(context.Background(), dir, "rev-parse", "--verify", "--quiet", sha+"^{commit}"); err == nil {
			sha = full
		}
	}
	if len(sha) < 40 {
		term.Warn(env.Stderr, "%s is the beginning of a commit; GitHub wants all 40 digits, --head-sha says them", term.Line(sha))
	}
	return sha, nil
}
