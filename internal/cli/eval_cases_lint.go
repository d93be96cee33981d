package cli

import (
	"cairn/internal/command"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/cases"
	"cairn/internal/team/grade"
	"cairn/internal/term"
	"cairn/internal/text"
)

type evalCasesLintOptions struct {
	profiles string
	json     bool
}

func newEvalCasesLint(env *Env) *cobra.Command {
	var opts evalCasesLintOptions
	cmd := &cobra.Command{
		Use:   "lint CASES...",
		Short: "List everything that is wrong with YAML cases, with file, line and column",
		Long: `Reads eval cases (YAML files, directories of them, or - for stdin) and lists
what grading would refuse: types and keys that are not known or are missing,
values of the wrong kind, ranges that are empty, patterns that cannot be used,
names that stand twice, cases without expectations, judge profiles that nobody
defined. The judge profiles are checked too.

A warning is about what the case can be graded without, such as a prompt source
file that is not there. Ends with 3 when there is an error, else with 0.`,
		Example: `  cairn eval cases lint evals/cases
  cairn eval cases lint --json evals/email.yaml`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalCasesLint(env, args, opts) },
	}
	cmd.Flags().StringVar(&opts.profiles, "profiles", "", "judge profiles (default: .cairn/judge-profiles.yaml of the repository)")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the problems as JSON")
	return cmd
}

// lintProblem is a problem as --json prints it.
type lintProblem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Level   string `json:"level"` // error or warning
	Message string `json:"message"`
}

func runEvalCasesLint(env *Env, args []string, opts evalCasesLintOptions) error {
	set, _, problems, err := lintCases(env, args, opts.profiles)
	if err != nil {
		return err
	}
	wrong := len(problems.Errors())
	if opts.json {
		list := make([]lintProblem, len(problems))
		for i, p := range problems {
			list[i] = lintProblem{p.At.File, p.At.Line, p.At.Column, level(p), p.What}
		}
		err = printJSON(env, struct {
			Files    int           `json:"files"`
			Cases    int           `json:"cases"`
			Problems []lintProblem `json:"problems"`
		}{len(set.Files), set.Found, list})
		if err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			fmt.Fprintf(env.Stdout, "%s: %s: %s\n", term.Printable(p.At.String()), level(p), term.Printable(p.What))
		}
	}
	if wrong > 0 {
		return command.Dataf("%s in %s of cases", text.Count(wrong, "error"), text.Count(len(set.Files), "file"))
	}
	if !opts.json {
		found := "nothing wrong"
		if n := len(problems); n > 0 {
			found = "no error, " + text.Count(n, "warning")
		}
		fmt.Fprintf(env.Stderr, "cairn: %s in %s, %s\n", text.Count(len(set.Cases), "case"), text.Count(len(set.Files), "file"), found)
	}
	return nil
}

func level(p cases.Problem) string {
	if p.Warning {
		return "warning"
	}
	return "error"
}

// lintCases reads judge profiles and cases, with all that is wrong with both.
func lintCases(env *Env, args []string, profilesFile string) (*cases.Set, *cases.Profiles, cases.Problems, error) {
	profiles, problems, err := readProfiles(env, profilesFile)
	if err != nil {
		return nil, nil, nil, command.Data(err)
	}
	loader := cases.Loader{Specs: grade.Specs(), Profiles: profiles, Stdin: env.Stdin,
		Root: func(dir string) string { return string(home.FindRepo(dir, env.Getenv)) }}
	set, found, err := loader.Load(env.Paths(args))
	if errors.Is(err, fs.ErrNotExist) {
		err = term.Hint(err, "name YAML files, or a directory that holds some")
	}
	return set, profiles, append(problems, found...), command.Data(err)
}

// readProfiles reads the judge profiles: those of a flag, or of the repository.
func readProfiles(env *Env, file string) (*cases.Profiles, cases.Problems, error) {
	asked := file != ""
	read := func() ([]byte, error) { return atomicfile.ReadFile(env.Path(file), cases.MaxBytes) }
	if !asked {
		dir, err := env.Wd()
		if err != nil {
			return nil, nil, err
		}
		repo := home.FindRepo(dir, env.Getenv)
		if repo == "" {
			return nil, nil, nil
		}
		file = repo.JudgeProfiles()
		name := filepath.Base(file)
		read = func() ([]byte, error) { return project.Open("", repo).Read(name, cases.MaxBytes) }
		if near, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(near) {
			file = near // as a person would name it
		}
	}
	data, err := read()
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	profiles, problems := cases.ReadProfiles(filepath.ToSlash(file), data)
	return profiles, problems, nil
}
