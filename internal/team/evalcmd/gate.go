package evalcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/team/compare/gate"
	"cairn/internal/team/eval"
	"cairn/internal/team/runs"
	"cairn/internal/term"
)

var gating = command.Command{
	Path: "eval gate", Short: "Check a run against the policy and a baseline",
	Long: "Checks a run against the policy. The baseline is the policy's, or what the branch\n" +
		"started from (merge-base).\n\n" +
		"The policy is .cairn/eval-policy.toml at the top of the repository. Without\n" +
		"one: no significant regression, at most 20 % errors. docs/eval-gate.md lists\n" +
		"every key.\n\n" +
		"Without a baseline, of the run or of a suite that had one, the verdict is \"not\n" +
		"checked\" and the exit code 7, unless a rule failed. --allow-missing-baseline, or\n" +
		"on_no_baseline = \"pass\" in the policy, makes it 0. A rule about costs or times\n" +
		"that the results do not have is not checked either.\n\n" +
		"In CI, gate the run that the job pushed, by the id that push prints.\n\n" +
		"In GitHub Actions the report is added to the job's summary, and what failed\n" +
		"becomes an annotation. --comment and --check post the report, with GITHUB_TOKEN\n" +
		"or GITLAB_TOKEN. If posting fails, that is a warning and the exit code stays the\n" +
		"verdict's.",
	Args:     []command.Arg{runArg},
	Examples: []string{"cairn eval gate results.json --baseline merge-base", "cairn eval gate latest --baseline @main --junit gate.xml --markdown > gate.md"},
	Flags: []command.Flag{teamFlag,
		{Name: "baseline", Default: "", Help: "compare with this run: a file, an id, a label, @branch, previous or merge-base", Values: runs.Refs},
		{Name: "allow-missing-baseline", Default: false, Help: "pass without a baseline, if no rule fails"},
		{Name: "policy", Default: "", Help: "a `FILE` with another policy than .cairn/eval-policy.toml"},
		attemptsFlag, mapFlag, seedFlag, markdownFlag,
		{Name: "junit", Default: "", Help: "write JUnit XML, a test for each rule, to `FILE`"},
		{Name: "check-run", Default: "", Help: "write the body of a GitHub check run to `FILE`"},
		{Name: "head-sha", Default: "", Help: "the commit of the check run (default: the run's)"},
		{Name: "comment", Default: false, Help: "comment the report on the pull or merge request of this CI job, or edit its comment"},
		{Name: "check", Default: false, Help: "write a check run at GitHub, as a job of GitHub Actions"},
		{Name: "name", Default: checkName, Help: "the name of the comment and the check run, if a request has several gates"}},
	Exclusive: [][]string{{"json", "markdown"}},
	Exits:     "5 if the gate fails, 7 if something could not be checked",
	Effect:    command.Reads, Run: runGate,
}

func runGate(c *command.Call) (*answer.Answer, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(collected))
	f := finder(c)
	policy, shown := readPolicy(c.Env, c.String("policy"))
	name, baseline := ref(c.Arg("RUN")), cmp.Or(c.String("baseline"), policy.Baseline, eval.MergeBase)
	before, run, err := f.Pair(baseline, name)
	missing, help := "", "push a run of the baseline first"
	switch {
	case err == nil:
	case run.Run != nil && errors.Is(err, command.ErrUsage) && !runs.LooksLikeFile(baseline):
		missing, help = err.Error(), cmp.Or(term.HintOf(err), help) // it is not stored: the policy says what then
	default:
		return nil, err
	}
	if c.Bool("allow-missing-baseline") {
		policy.NoBaseline = gate.PassAnyway
	}
	earlier := func(suite string) string {
		if e, ok := f.Earlier(before, suite); ok {
			return strings.TrimSpace("run " + e.ID + " of " + e.Branch)
		}
		return ""
	}
	r := gate.Check(run.Run, before.Run, missing, policy, c.Uint("seed"), earlier)
	r.Run.Ref = name
	if r.Baseline != nil {
		r.Baseline.Ref = baseline
	}
	writeGate(c, r, shown)
	postGate(c, r, shown)
	a := &answer.Answer{Data: r, View: answer.Painted(func(p *answer.Page) error { return r.Text(p.Writer, p.Paint) })}
	if c.Bool("markdown") {
		a.View = plain(r.Markdown())
	}
	switch {
	case r.Verdict == gate.Failed:
		a.Err = command.Gate(fmt.Errorf("the eval gate failed: %s", r.Summary()))
	case !r.Passed:
		why, data := r.Why()
		help += "; --allow-missing-baseline passes without one"
		if data {
			help = "make the runner write it; a rule about it can be taken out of the policy"
		}
		a.Err = command.Unchecked(term.Hint(fmt.Errorf("the eval gate %s", why), "%s", help))
	}
	return a, nil
}

const maxPolicy = 1 << 20

// readPolicy reads the policy that is asked for, or the repository's, or takes
// the one that is built in. shown is its path from the top of the repository.
func readPolicy(env *command.Env, asked string) (policy *gate.Policy, shown string) {
	_, top := runs.Repo(env)
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
			return gate.Default(), ""
		}
		must.Fail(command.Dataf("%s does not exist", command.Shown(name)))
	}
	must.OK(command.Data(err))
	shown = name
	if abs, err := env.Abs(name); err == nil && top != "" {
		if rel, err := filepath.Rel(top, abs); err == nil && filepath.IsLocal(rel) {
			shown = rel
		}
	}
	shown = filepath.ToSlash(shown)
	policy, err = gate.Decode(data)
	if err != nil {
		must.Fail(command.Data(term.Hint(fmt.Errorf("%s: %w", command.Shown(shown), err), "docs/eval-gate.md lists every key")))
	}
	policy.Name = shown
	return policy, shown
}

// writeGate writes the files that were asked for and what GitHub Actions reads.
func writeGate(c *command.Call, r *gate.Report, policy string) {
	var reports []report
	if c.String("junit") != "" {
		data := must.Get(r.JUnit())
		reports = append(reports, report{c.String("junit"), data})
	}
	if c.String("check-run") != "" {
		data := must.Get(r.CheckRun(c.String("name"), headSHA(c.Env, r, c.String("head-sha")), localOnly(policy)))
		reports = append(reports, report{c.String("check-run"), data})
	}
	writeReports(c.Env, reports)
	if c.Getenv("GITHUB_ACTIONS") == "true" {
		fmt.Fprint(c.Stderr, r.Workflow(localOnly(policy))) // read there too, and stdout stays data
	}
	if name := c.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		if err := appendTo(c.Path(name), r.Markdown()); err != nil {
			term.Warn(c.Stderr, "the job's summary was not written: %v", err)
		}
	}
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
func headSHA(env *command.Env, r *gate.Report, asked string) string {
	sha := cmp.Or(asked, r.Run.GitSHA, env.Getenv("GITHUB_SHA"))
	if sha == "" {
		must.Fail(command.Usagef("--check-run needs --head-sha: the run names no commit"))
	}
	if sha = wholeSHA(env, sha); len(sha) < 40 {
		term.Warn(env.Stderr, "%s is the beginning of a commit; GitHub needs all 40 digits, in --head-sha", term.Line(sha))
	}
	return sha
}

// wholeSHA is a commit with all its digits, if git knows it here.
func wholeSHA(env *command.Env, sha string) string {
	if dir := env.Here(); len(sha) < 40 && git.Repo(dir) && sha[0] != '-' {
		if full, err := git.Run(context.Background(), dir, "rev-parse", "--verify", "--quiet", sha+"^{commit}"); err == nil {
			return full
		}
	}
	return sha
}

// A report is a file that somebody else's tool will read.
type report struct {
	name string
	data []byte
}

// writeReports writes all files or none: each is whole beside its place before
// the first takes it.
func writeReports(env *command.Env, reports []report) {
	var staged []*atomicfile.Staged
	for _, r := range reports {
		s, err := atomicfile.Stage(env.Path(r.name), r.data, 0o644)
		if err != nil {
			for _, s := range staged {
				s.Discard()
			}
			must.Fail(err)
		}
		staged = append(staged, s)
	}
	var failed error
	for _, s := range staged {
		failed = errors.Join(failed, s.Commit())
	}
	must.OK(failed)
}

// appendTo adds text to a file in one write.
func appendTo(name, text string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
