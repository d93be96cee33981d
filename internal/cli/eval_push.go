package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

func newEvalPush(env *Env) *cobra.Command {
	var k keep
	cmd := &cobra.Command{
		Use:   "push [FILE...]",
		Short: "Store the results that a runner wrote",
		Long: `Reads results, fills in what the file does not say (repository, commit, branch,
label, time), and stores them in ~/.cairn/evals. The same content is stored
once. - reads stdin.

Parallel workers write ~/.cairn/eval-partials/SUITE/worker_PID.json. Without
a FILE these are joined, stored as one run of each suite, and removed; a
directory as FILE is one with such files. Of a case that several workers did,
the one that took longest counts.

The label is EVAL_LABEL or the branch; EVAL_TIER says how much was run (quick,
standard, full) and EVAL_JUDGE_TIER who judged (fast, standard, full).`,
		Example: `  cairn eval push results.json
  go test -json ./... | cairn eval push - --suite go`,
		RunE: func(_ *cobra.Command, args []string) error { return runEvalPush(env, args, k) },
	}
	f := cmd.Flags()
	f.StringVar(&k.label, "label", "", "what to call the runs, instead of the branch")
	f.StringVar(&k.suite, "suite", "", "the suite of results that name none")
	f.BoolVar(&k.json, "json", false, "print what was stored as JSON")
	return cmd
}

// runEvalPush stores all runs or, when one cannot be read, none.
func runEvalPush(env *Env, files []string, k keep) error {
	if len(files) == 0 {
		return pushPartials(env, k)
	}
	var runs []*result.Run
	var done []*eval.Partials
	for _, file := range files {
		var read []*result.Run
		if fi, err := os.Stat(env.Path(file)); err == nil && fi.IsDir() {
			p, err := readPartials(env, file)
			if err != nil {
				return err
			}
			done, read = append(done, p), []*result.Run{p.Run}
		} else if read, err = readRuns(env, file); err != nil {
			return err
		}
		if err := k.complete(env, file, read); err != nil {
			return err
		}
		runs = append(runs, read...)
	}
	if err := k.store(env, runs); err != nil {
		return err
	}
	return removePartials(done)
}

// pushPartials stores what the workers of every suite wrote.
func pushPartials(env *Env, k keep) error {
	root := home.Find(env.Getenv).EvalPartials()
	suites, err := os.ReadDir(root)
	if err != nil && !isNotThere(err) {
		return err
	}
	var dirs []string
	for _, s := range suites {
		dir := filepath.Join(root, s.Name())
		if found, _ := eval.HasPartials(dir); found {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return command.Usage(term.Hint(fmt.Errorf("no file is named, and no worker wrote to %s", root), "cairn eval push FILE"))
	}
	return runEvalPush(env, dirs, k)
}

// readPartials joins the workers' files of a directory; the suite is called as
// the directory where the files do not say.
func readPartials(env *Env, dir string) (*eval.Partials, error) {
	p, err := eval.ReadPartials(env.Path(dir))
	if err == nil && p == nil {
		err = fmt.Errorf("%s is a directory without worker_*.json", shownName(dir))
	}
	if err != nil {
		return nil, command.Data(term.Hint(err, "name the files, or cairn eval import %s", shownName(dir)))
	}
	for _, w := range p.Warnings {
		term.Warn(env.Stderr, "%s", w)
	}
	if p.Run.Suite == "" {
		p.Run.Suite = filepath.Base(dir)
	}
	return p, nil
}

func removePartials(done []*eval.Partials) error {
	for _, p := range done {
		if err := p.Remove(); err != nil {
			return fmt.Errorf("the run is stored, but what the workers wrote is still there: %w", err)
		}
	}
	return nil
}

func isNotThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
