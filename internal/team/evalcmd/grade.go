package evalcmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/cases"
	"cairn/internal/team/grade"
	"cairn/internal/team/result"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/version"
)

var grading = command.Command{
	Path: "eval grade", Short: "Check outputs against the expectations of YAML cases",
	Long: "Reads eval cases (YAML files, or directories of them) and the outputs of a runner\n" +
		"for them, checks every expectation that needs no judge, prints what failed and\n" +
		"stores the run. -o also writes it in the standard format, --json prints it.\n\n" +
		"Outputs are a JSON object (case name → output), entries {name, output, …} in a\n" +
		"list or one on each line, a directory with NAME.json, or a result of format 1,\n" +
		"whose outputs are graded again; - is stdin. A missing output is an error, a path\n" +
		"that an output does not have a failure; neither ever passes.\n\n" +
		"Expectations of judged types are checked against the judge_scores of the outputs.\n" +
		"For those without any --judge asks language models, as cairn eval judge does: what\n" +
		"is judged is sent to their server. Without --judge they are listed as not judged,\n" +
		"and a case that has no other expectation is skipped.\n\n" +
		"Programs of cases (expectations of the type command) run only with\n" +
		"--allow-commands; without it such a case is an error. They run as you, with your\n" +
		"environment: allow them only for cases that you have read.",
	Args: []command.Arg{{Name: "CASES", Many: true, Files: true}},
	Flags: []command.Flag{
		{Name: "outputs", Default: "", Required: true, Help: "the outputs of the runner: a file, a directory, or - for stdin"},
		{Name: "suite", Default: "", Help: "the suite of cases that name none (default: the name of the first file or directory)", Values: runs.Suites},
		{Name: "label", Default: "", Help: "the label of the run", Values: runs.Labels},
		profilesFlag, outputFlag, noPushFlag,
		{Name: "judge", Default: false, Help: "ask language models what cases leave to a judge"},
		tierFlag, concurrencyFlag, timeoutFlag, maxCostFlag, pricesFlag,
		{Name: "allow-commands", Default: false, Help: "run the programs of cases (type command); use it only with cases that you trust"},
		{Name: "strict", Default: false, Help: "fail (exit 3) if an output has no case"},
		{Name: "no-fail", Default: false, Help: "exit 0 although cases failed: a gate decides later"}},
	Exits: "5 if a case failed or could not be graded, unless --no-fail",
	Examples: []string{"cairn eval grade evals/cases --outputs outputs.ndjson -o result.json", "./run-evals | cairn eval grade evals/email.yaml --outputs - --judge",
		"cairn eval grade evals/code --outputs outputs.ndjson --allow-commands"},
	Effect: command.Writes, Run: runGrade,
}

func runGrade(c *command.Call) (*answer.Answer, error) {
	args, from := c.Rest("CASES"), c.String("outputs")
	if from == "-" && slices.Contains(args, "-") {
		return nil, command.Usagef("cases and outputs cannot both come from stdin")
	}
	set, profiles := readCases(c)
	outputs, files, err := readOutputs(c.Env, from, set)
	must.OK(command.Data(err))
	options := grade.Options{Suite: c.String("suite"), Profiles: profiles, File: files, Run: programs(c)}
	if options.Suite == "" {
		options.Suite = suiteOf(c.Env, set, args[0])
	}
	judges := newCaseJudges(c)
	if judges != nil {
		options.Judge = judges
	}
	graded, err := grade.Grade(c, set.Cases, outputs, options)
	var wrong result.Problems
	switch {
	case errors.As(err, &wrong):
		return nil, command.Data(err)
	case err != nil:
		return nil, err
	}
	run := graded.Run
	judges.note(run)
	run.ToolVer = version.Full()
	run.Timestamp = result.Time{Time: time.Now().UTC().Truncate(time.Millisecond)}
	if len(graded.Unused) > 0 {
		said := fmt.Sprintf("%s without a case: %s", text.Count(len(graded.Unused), "output"), term.Line(text.Shorten(strings.Join(graded.Unused, ", "), 300)))
		if c.Bool("strict") {
			return nil, command.Data(errors.New(said))
		}
		term.Warn(c.Stderr, "%s", said)
	}
	if graded.NotJudged > 0 {
		term.Warn(c.Stderr, "not judged: %s (--judge asks models)", text.Count(graded.NotJudged, "expectation"))
	}
	a, err := keepMade(c, run, runs.Keeper{Env: c.Env, Label: c.String("label"), NoPush: c.Bool("no-push")}, gradesView(run))
	if n := run.Failed + run.Errored; err == nil && a.Err == nil && n > 0 && !c.Bool("no-fail") {
		a.Err = command.Gate(fmt.Errorf("%d of %d did not pass", n, run.Total))
	}
	return a, err
}

// keepMade keeps a run that a command made and answers with it. Where programs get
// the run, what was stored is said on stderr.
func keepMade(c *command.Call, run *result.Run, k runs.Keeper, view answer.View) (*answer.Answer, error) {
	a := must.Get(answerRun(run, view))
	var kept runs.Kept
	a.Done = true
	kept, a.Err = k.Made(run, c.String("output"))
	switch {
	case kept.ID == "":
	case c.Given("json") || c.Given("get"):
		fmt.Fprintln(c.Stderr, kept)
	default:
		a.View = answer.Views{view, answer.Line("\n%s", kept)}
	}
	return a, nil
}

// gradesView has a line for every failure, and below it A/B tests and chains of
// tiers.
func gradesView(run *result.Run) answer.View {
	t := answer.NewTable("status:name", "case:name", "what_failed")
	parts := []answer.View{t}
	for i := range run.Results {
		r := &run.Results[i]
		for _, what := range whatFailed(r) {
			t.Add(status(r.Status), title(run, r), what)
		}
		parts = append(parts, comparisonView(run, r))
	}
	return apart(parts...)
}

// whatFailed is a line for every failure, at least one.
func whatFailed(r *result.Result) (said []string) {
	if r.Error != "" {
		said = append(said, r.Error)
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
		said = append(said, text)
	}
	if len(said) == 0 {
		said = append(said, blank)
		if r.Status == result.Skip {
			said[0] = "not judged"
		}
	}
	return said
}

// comparisonView is what grade knows of a case's A/B test or chain of tiers.
func comparisonView(run *result.Run, r *result.Result) answer.View {
	c := grade.ReadComparison(r)
	var tables []answer.View
	if len(c.Deltas) > 0 {
		t := answer.NewTable("criterion:name", "control:number", "treatment:number", "delta:number", ":name")
		for _, d := range c.Deltas {
			note := answer.Of(blank)
			if d.Worse {
				note = answer.Marked("worse", "bad")
			}
			t.Add(d.Criterion, fmt.Sprintf("%.3g", d.Control), fmt.Sprintf("%.3g", d.Treatment), fmt.Sprintf("%+.3g", d.Delta), note)
		}
		tables = append(tables, t)
	}
	if len(c.Tiers) > 0 {
		t := answer.NewTable("tier:name", "model:name", "status:name", "hold:count", "what_failed")
		for _, one := range c.Tiers {
			what := slices.Clone(one.Failures)
			if one.Error != "" {
				what = append(what, one.Error)
			}
			t.Add(one.Tier, one.Model, status(one.Status), fmt.Sprintf("%d/%d", one.Held, one.Of), strings.Join(what, "; "))
		}
		tables = append(tables, t)
	}
	if tables == nil {
		return nil
	}
	return append(answer.Views{painted(func(p *answer.Page) { fmt.Fprintln(p, p.Bold(term.Line(title(run, r)))) })}, tables...)
}

// readOutputs reads outputs, and says how files beside them are read.
func readOutputs(env *command.Env, name string, set *cases.Set) ([]grade.Output, func(string) ([]byte, error), error) {
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
func suiteOf(env *command.Env, set *cases.Set, given string) string {
	suites := map[string]bool{}
	for _, c := range set.Cases {
		suites[c.Suite] = true
	}
	if names := sorted(suites); len(names) == 1 && names[0] != "" {
		return names[0]
	}
	if given == "-" {
		return ""
	}
	if abs, err := env.Abs(given); err == nil {
		given = abs
	}
	return strings.TrimSuffix(filepath.Base(given), filepath.Ext(given))
}
