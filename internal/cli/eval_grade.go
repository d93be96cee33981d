package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/team/cases"
	"cairn/internal/team/grade"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/version"
)

type evalGradeOptions struct {
	judgeOptions
	judge    bool
	tier     string
	prices   string
	outputs  string
	suite    string
	label    string
	profiles string
	out      string
	json     bool
	strict   bool
	noFail   bool
	noPush   bool
}

func newEvalGrade(env *Env) *cobra.Command {
	var opts evalGradeOptions
	cmd := &cobra.Command{
		Use:   "grade CASES...",
		Short: "Check outputs against the expectations of YAML cases",
		Long: `Reads eval cases (YAML files, or directories of them) and what a runner got for
them, checks every expectation that needs no judge, prints what failed and
stores the run. -o also writes it in the standard format, --json prints it.

Outputs are a JSON object (case name → output), entries {name, output, …} in a
list or one on each line, a directory with NAME.json, or a result of format 1,
whose outputs are graded again; - is stdin. An output that is not there is an
error, a path that an output does not have a failure; neither ever passes.

Expectations of judged types are held against the judge_scores that the outputs
bring. For those without any --judge asks language models, as cairn eval judge
does: what is judged is sent to their server. Without --judge they are listed as
not judged, and a case that has no other expectation is skipped.

Ends with 5 when a case failed or could not be graded, unless --no-fail.`,
		Example: `  cairn eval grade evals/cases --outputs outputs.ndjson -o result.json
  ./run-evals | cairn eval grade evals/email.yaml --outputs - --judge`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runEvalGrade(cmd.Context(), env, args, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.outputs, "outputs", "", "what the runner got: a file, a directory, or - for stdin")
	f.StringVar(&opts.suite, "suite", "", "the suite of cases that name none (default: the name of the first file or directory)")
	f.StringVar(&opts.label, "label", "", "the label of the run")
	f.StringVar(&opts.profiles, "profiles", "", "judge profiles (default: .cairn/judge-profiles.yaml of the repository)")
	f.StringVarP(&opts.out, "output", "o", "", "also write the run to `FILE`")
	f.BoolVar(&opts.noPush, "no-push", false, "store the run here only, also where the repository has a team")
	f.BoolVar(&opts.judge, "judge", false, "ask language models what cases leave to a judge")
	f.StringVar(&opts.tier, "tier", "", "fast, standard or full: which judges, instead of what profiles and EVAL_JUDGE_TIER say")
	f.IntVar(&opts.concurrency, "concurrency", 4, "how many requests to judges at once")
	f.DurationVar(&opts.timeout, "timeout", time.Hour, "give up on judges after so long")
	f.StringVar(&opts.prices, "prices", "", "a `FILE` of prices that comes before all others")
	f.BoolVar(&opts.json, "json", false, "print the run as JSON")
	f.BoolVar(&opts.strict, "strict", false, "an output that no case has is an error (exit 3)")
	f.BoolVar(&opts.noFail, "no-fail", false, "end with 0 although cases failed: a gate decides later")
	return cmd
}

func runEvalGrade(ctx context.Context, env *Env, args []string, opts evalGradeOptions) error {
	if opts.outputs == "" {
		return command.Usage(term.Hint(errors.New("--outputs is missing"), "name the file or directory with the runner's outputs, or - for stdin"))
	}
	if opts.outputs == "-" && slices.Contains(args, "-") {
		return command.Usage(errors.New("cases and outputs cannot both come from stdin"))
	}
	set, profiles, err := readCases(env, args, opts.profiles)
	if err != nil {
		return err
	}
	outputs, files, err := readOutputs(env, opts.outputs, set)
	if err != nil {
		return command.Data(err)
	}
	if opts.suite == "" {
		opts.suite = suiteOf(env, set, args[0])
	}
	options := grade.Options{Suite: opts.suite, Profiles: profiles, File: files}
	judges, err := newCaseJudges(env, opts)
	if err != nil {
		return err
	}
	if judges != nil {
		options.Judge = judges
	}
	report, err := grade.Grade(ctx, set.Cases, outputs, options)
	var wrong result.Problems
	switch {
	case errors.As(err, &wrong):
		return command.Data(err)
	case err != nil:
		return err
	}
	judges.note(report.Run)
	report.Run.ToolVer = version.Full()
	report.Run.Timestamp = result.Time{Time: time.Now().UTC().Truncate(time.Millisecond)}
	if len(report.Unused) > 0 {
		said := fmt.Sprintf("%s without a case: %s", text.Count(len(report.Unused), "output"), term.Line(text.Shorten(strings.Join(report.Unused, ", "), 300)))
		if opts.strict {
			return command.Data(errors.New(said))
		}
		term.Warn(env.Stderr, "%s", said)
	}
	if report.NotJudged > 0 {
		term.Warn(env.Stderr, "not judged: %s (--judge asks models)", text.Count(report.NotJudged, "expectation"))
	}
	if err := printGrades(env, report, opts.json); err != nil {
		return err
	}
	if err := (keep{label: opts.label, noPush: opts.noPush, json: opts.json}).made(env, report.Run, opts.out); err != nil {
		return err
	}
	if n := report.Run.Failed + report.Run.Errored; n > 0 && !opts.noFail {
		return command.Gate(fmt.Errorf("%d of %d did not pass", n, report.Run.Total))
	}
	return nil
}

// readCases reads cases and the profiles that they name. Warnings are printed;
// the first error is the error.
func readCases(env *Env, args []string, profilesFile string) (*cases.Set, *cases.Profiles, error) {
	set, profiles, problems, err := lintCases(env, args, profilesFile)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range problems.Warnings() {
		term.Warn(env.Stderr, "%s", term.Printable(p.Error()))
	}
	if wrong := problems.Errors(); len(wrong) > 0 {
		return nil, nil, command.Data(term.Hint(errors.New(term.Printable(wrong.Error())), "cairn eval cases lint lists everything that is wrong"))
	}
	return set, profiles, nil
}

// readOutputs reads outputs, and says how files beside them are read.
func readOutputs(env *Env, name string, set *cases.Set) ([]grade.Output, func(string) ([]byte, error), error) {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(env.Stdin, result.MaxBytes+1))
		if err != nil {
			return nil, nil, err
		}
		outputs, err := grade.ReadOutputs("stdin", data)
		return outputs, nil, err
	}
	info, err := os.Stat(env.Path(name))
	if err != nil {
		return nil, nil, err
	}
	dir := env.Path(name)
	if !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	files := func(file string) ([]byte, error) {
		if !filepath.IsLocal(file) {
			return nil, fmt.Errorf("%s leads out of the directory of outputs", file)
		}
		return atomicfile.ReadRegular(filepath.Join(dir, file), result.MaxBytes)
	}
	if info.IsDir() {
		ofTiers := grade.Files(set.Cases)
		outputs, err := grade.ReadOutputDir(name, os.DirFS(dir), func(file string) bool { return ofTiers[path.Clean(file)] })
		return outputs, files, err
	}
	if info.Size() > result.MaxBytes {
		return nil, nil, fmt.Errorf("%s: larger than %d MB", name, result.MaxBytes>>20)
	}
	data, err := atomicfile.ReadFile(env.Path(name), result.MaxBytes)
	if err != nil {
		return nil, nil, err
	}
	outputs, err := grade.ReadOutputs(name, data)
	return outputs, files, err
}

// suiteOf is the one suite of the cases, or the name of what was given.
func suiteOf(env *Env, set *cases.Set, given string) string {
	suite := ""
	for i, c := range set.Cases {
		if i > 0 && c.Suite != suite {
			suite = ""
			break
		}
		suite = c.Suite
	}
	if suite != "" || given == "-" {
		return suite
	}
	if abs, err := env.Abs(given); err == nil {
		given = abs
	}
	return strings.TrimSuffix(filepath.Base(given), filepath.Ext(given))
}
