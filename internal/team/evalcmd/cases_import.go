package evalcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/cases"
	"cairn/internal/team/cases/promptfoo"
	"cairn/internal/team/grade"
	"cairn/internal/term"
	"cairn/internal/text"
)

var casesImport = command.Command{
	Path: "eval cases import", Short: "Convert the tests of a promptfoo configuration",
	Long: "Converts the tests of a promptfooconfig.yaml into cases: variables become the input,\n" +
		"assertions become expectations. The default test, sets of assertions, weights,\n" +
		"thresholds, scenarios, lists of variables and {{variables}} in values are applied.\n" +
		"Files that the configuration names (file://…) are read only from its directory and\n" +
		"below, and only YAML, JSON and text. Nothing is run.\n\n" +
		"Every assertion that could not be converted is listed with its position and the\n" +
		"reason, also in a comment above the cases. Prompts and providers stay with your\n" +
		"runner.",
	Args:  []command.Arg{{Name: "CONFIG", Files: true}},
	Flags: []command.Flag{{Name: "output", Short: "o", Default: "", Help: "write the cases to `FILE` instead of stdout"}},
	Exits: "3 if an assertion, a file of tests or a grading setting could not be converted; the rest is written",
	Examples: []string{"cairn eval cases import promptfooconfig.yaml -o evals/cases/imported.yaml",
		"cairn eval cases import promptfooconfig.yaml --json"},
	Effect: command.Writes, Run: runCasesImport,
}

// lostAssertion is something that was not converted, as --json prints it.
type lostAssertion struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Case   string `json:"case"`
	What   string `json:"what"` // the type of an assertion, or a setting
	Why    string `json:"why"`
	Times  int    `json:"times"` // in how many tests
}

func runCasesImport(c *command.Call) (*answer.Answer, error) {
	name := c.Arg("CONFIG")
	data, err := atomicfile.ReadFile(c.Path(name), cases.MaxBytes)
	must.OK(command.Data(err))
	beneath, err := os.OpenRoot(filepath.Dir(c.Path(name)))
	must.OK(command.Data(err))
	defer func() { _ = beneath.Close() }()
	r := promptfoo.Reader{Files: beneath.FS(), Specs: grade.Specs()}
	made, err := r.Convert(filepath.ToSlash(name), data)
	must.OK(command.Data(err))
	yaml := must.Get(promptfoo.Write(made.Cases, importComment(name, made)))
	out := c.String("output")
	if out != "" && len(made.Cases) > 0 {
		must.OK(atomicfile.WriteFile(c.Path(out), []byte(yaml), 0o644))
	}
	shown := struct {
		Cases        int             `json:"cases"`
		Tests        int             `json:"tests"`
		Assertions   int             `json:"assertions"`
		Converted    int             `json:"converted"`
		NotConverted []lostAssertion `json:"not_converted"`
		LeftOut      []lostAssertion `json:"left_out"`
		YAML         string          `json:"yaml,omitempty"` // without -o
	}{len(made.Cases), made.Tests, made.Assertions, made.Converted, lostAssertions(made.Lost), lostAssertions(made.LeftOut), ""}
	if out == "" {
		shown.YAML = yaml
	}
	a := &answer.Answer{Data: shown}
	a.View = answer.Painted(func(p *answer.Page) error {
		if out == "" && len(made.Cases) > 0 {
			_, err := fmt.Fprint(p, yaml) // without control characters
			return err
		}
		return nil
	})
	for _, l := range made.LeftOut {
		term.Warn(c.Stderr, "%s", lostLine(l, "left out"))
	}
	for _, l := range made.Lost {
		term.Warn(c.Stderr, "%s", lostLine(l, "not converted"))
	}
	a.Said = fmt.Sprintf("cairn: %d of %s of %s converted, %s", made.Converted, text.Count(made.Assertions, "assertion"), text.Count(made.Tests, "test"), text.Count(len(made.Cases), "case"))
	matters := 0
	for _, l := range made.LeftOut {
		if l.Matters() {
			matters++
		}
	}
	switch lost := made.Assertions - made.Converted; {
	case matters > 0:
		a.Err = command.Dataf("%d of %s could not be converted; %d settings or files of tests were left out", lost, text.Count(made.Assertions, "assertion"), matters)
	case lost > 0:
		a.Err = command.Dataf("%d of %s could not be converted", lost, text.Count(made.Assertions, "assertion"))
	case len(made.Cases) == 0:
		a.Err = command.Dataf("%s: no test could be converted", command.Shown(name))
	}
	return a, nil
}

func lostAssertions(list []promptfoo.Lost) []lostAssertion {
	shown := []lostAssertion{}
	for _, l := range list {
		shown = append(shown, lostAssertion{l.At.File, l.At.Line, l.At.Column, l.Case, l.What, l.Why, l.Times})
	}
	return shown
}

// lostLine is a line for what was not converted.
func lostLine(l promptfoo.Lost, how string) string {
	line := fmt.Sprintf("%s: %s: %s: %s", l.At, l.What, how, l.Why)
	if l.Times > 1 {
		line += fmt.Sprintf(" (in %d tests)", l.Times)
	}
	return term.Line(line)
}

// importComment says where the cases come from, and what is missing.
func importComment(name string, made *promptfoo.Conversion) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Converted from %s by cairn eval cases import: %d of %s.\n", term.Line(filepath.ToSlash(name)), made.Converted, text.Count(made.Assertions, "assertion"))
	for _, l := range made.LeftOut {
		b.WriteString(lostLine(l, "left out") + "\n")
	}
	for _, l := range made.Lost {
		b.WriteString(lostLine(l, "not converted") + "\n")
	}
	return b.String()
}
