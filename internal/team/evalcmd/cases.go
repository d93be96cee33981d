package evalcmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/team/cases"
	"cairn/internal/team/grade"
	"cairn/internal/term"
	"cairn/internal/text"
)

var casesWord = command.Command{
	Path: "eval cases", Short: "Check YAML cases, and list what they can expect",
	Examples: []string{"cairn eval cases lint evals/cases", "cairn eval cases types body_contains"},
}

var casesLint = command.Command{
	Path: "eval cases lint", Short: "List errors in YAML cases, with file, line and column",
	Long: "Reads eval cases (YAML files, directories of them, or - for stdin) and lists\n" +
		"what grading would refuse: unknown and missing types and keys, values of the wrong\n" +
		"kind, empty ranges, invalid patterns, duplicate names, cases without expectations,\n" +
		"judge profiles that are not defined. The judge profiles are checked too.\n\n" +
		"A warning is about what the case can be graded without, such as a prompt source\n" +
		"file that does not exist.",
	Args:     []command.Arg{{Name: "CASES", Many: true, Files: true}},
	Flags:    []command.Flag{profilesFlag},
	Exits:    "3 if there is an error",
	Examples: []string{"cairn eval cases lint evals/cases", "cairn eval cases lint --json evals/email.yaml"},
	Effect:   command.Reads, Run: runCasesLint,
}

// problem is a problem as --json prints it.
type problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Level   string `json:"level"` // error or warning
	Message string `json:"message"`
}

func runCasesLint(c *command.Call) (*answer.Answer, error) {
	set, _, problems := lintCases(c)
	wrong, list := len(problems.Errors()), make([]problem, len(problems))
	for i, p := range problems {
		list[i] = problem{p.At.File, p.At.Line, p.At.Column, "error", p.What}
		if p.Warning {
			list[i].Level = "warning"
		}
	}
	a := &answer.Answer{Data: struct {
		Files    int       `json:"files"`
		Cases    int       `json:"cases"`
		Problems []problem `json:"problems"`
	}{len(set.Files), set.Found, list}, View: answer.Painted(func(p *answer.Page) error {
		for i, one := range problems {
			if _, err := fmt.Fprintf(p, "%s: %s: %s\n", term.Printable(one.At.String()), list[i].Level, term.Printable(one.What)); err != nil {
				return err
			}
		}
		return nil
	})}
	if wrong > 0 {
		a.Err = command.Dataf("%s in %s of cases", text.Count(wrong, "error"), text.Count(len(set.Files), "file"))
		return a, nil
	}
	found := "nothing wrong"
	if n := len(problems); n > 0 {
		found = "no error, " + text.Count(n, "warning")
	}
	a.Said = fmt.Sprintf("cairn: %s in %s, %s", text.Count(len(set.Cases), "case"), text.Count(len(set.Files), "file"), found)
	return a, nil
}

// lintCases reads judge profiles and cases, with all that is wrong with both.
func lintCases(c *command.Call) (*cases.Set, *cases.Profiles, cases.Problems) {
	profiles, problems := readProfiles(c.Env, c.String("profiles"))
	loader := cases.Loader{Specs: grade.Specs(), Profiles: profiles, Stdin: c.Stdin,
		Root: func(dir string) string { return string(home.FindRepo(dir, c.Getenv)) }}
	set, found, err := loader.Load(c.Paths(c.Rest("CASES")))
	if errors.Is(err, fs.ErrNotExist) {
		err = term.Hint(err, "name YAML files, or a directory with some")
	}
	must.OK(command.Data(err))
	return set, profiles, append(problems, found...)
}

// readCases is lintCases for who needs them: warnings are printed; the first error
// is the error.
func readCases(c *command.Call) (*cases.Set, *cases.Profiles) {
	set, profiles, problems := lintCases(c)
	for _, p := range problems.Warnings() {
		term.Warn(c.Stderr, "%s", term.Printable(p.Error()))
	}
	if wrong := problems.Errors(); len(wrong) > 0 {
		must.Fail(command.Data(term.Hint(errors.New(term.Printable(wrong.Error())), "cairn eval cases lint lists everything that is wrong")))
	}
	return set, profiles
}

// readProfiles reads the judge profiles: those of a flag, or of the repository.
func readProfiles(env *command.Env, file string) (*cases.Profiles, cases.Problems) {
	asked := file != ""
	read := func() ([]byte, error) { return atomicfile.ReadFile(env.Path(file), cases.MaxBytes) }
	if !asked {
		dir, err := env.Wd()
		must.OK(command.Data(err))
		repo := home.FindRepo(dir, env.Getenv)
		if repo == "" {
			return nil, nil
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
		return nil, nil
	}
	must.OK(command.Data(err))
	profiles, problems := cases.ReadProfiles(filepath.ToSlash(file), data)
	return profiles, problems
}

var casesTypes = command.Command{
	Path: "eval cases types", Short: "List the expectation types, or describe one",
	Long: "Lists every type of expectation with its keys and the paths of the output that\n" +
		"it reads. With a TYPE, says what it means, its keys and their defaults.",
	Args:     []command.Arg{{Name: "TYPE", Optional: true, Values: expectations}},
	Examples: []string{"cairn eval cases types", "cairn eval cases types body_integrity"},
	Effect:   command.Reads, CSV: true, Run: runCasesTypes,
}

func expectations(*command.Call) (names []string) {
	for _, s := range grade.Specs() {
		names = append(names, s.Name)
	}
	return names
}

func runCasesTypes(c *command.Call) (*answer.Answer, error) {
	t := answer.NewTable("category:name", "type:name", "keys", "reads")
	all := []grade.Declaration{}
	for _, s := range grade.Specs() {
		if s.Name == c.Arg("TYPE") {
			return describe(s), nil
		}
		all = append(all, grade.Declared(&s))
		var keys []string
		for _, k := range s.Keys {
			keys = append(keys, k.Name)
		}
		t.Add(s.Category, s.Name, strings.Join(keys, ", "), strings.Join(s.Reads, ", "))
	}
	if name := c.Arg("TYPE"); name != "" {
		return nil, command.Usage(term.Hint(fmt.Errorf("no expectation type %q%s", name, cases.NearType(name, grade.Specs())), "cairn eval cases types lists all"))
	}
	return &answer.Answer{Data: all, View: t}, nil
}

// describe says everything about a type.
func describe(s cases.Spec) *answer.Answer {
	t := answer.NewTable(":name", ":name", ":name")
	for _, k := range append(s.Keys, s.Common()...) {
		t.Add(k.Name, k.Kind, grade.KeyNote(k))
	}
	return &answer.Answer{Data: grade.Declared(&s), View: apart(answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%s · %s\n\n%s\n", s.Name, s.Category, text.Wrap(s.About, 78))
		if len(s.Reads) > 0 {
			fmt.Fprintf(w, "\nreads  %s\n", strings.Join(s.Reads, ", "))
		}
	}), t)}
}
