package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/test/cairntest"
)

// try runs a command line in this process, and returns what it says to a person;
// say what it prints.
func try(args ...string) (code int, stderr string) {
	code, _, stderr = inProcess(args)
	return code, stderr
}

func say(args ...string) (code int, stdout string) {
	code, stdout, _ = inProcess(args)
	return code, stdout
}

func inProcess(args []string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	env := &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	root := newRootFor(env, args)
	root.SetArgs(args)
	code = exitCode(env, root.Execute())
	return code, out.String(), errs.String()
}

// Every verb, also one that is added later, must refuse arguments it does not
// take with the code for that. Verbs that take any number check what they get.
func TestWrongArgumentsAreUsageErrors(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	var walk func(cmd *cobra.Command, path []string)
	walk = func(cmd *cobra.Command, path []string) {
		if name := cmd.Name(); name != "run" && name != "shim" && name != "new-rule" && name != "query" {
			wrong := []string{"no", "such", "thing", "at", "all"}
			if strings.Contains(cmd.Use, "...") { // takes any number
				wrong = []string{"--no-such-flag"}
			}
			code, stderr := try(append(path, wrong...)...)
			if code != command.ExitUsage || !strings.Contains(stderr, "cairn: hint: ") {
				t.Errorf("cairn %s %s: code %d: %s", strings.Join(path, " "), strings.Join(wrong, " "), code, stderr)
			}
		}
		for _, c := range cmd.Commands() {
			walk(c, append(path[:len(path):len(path)], c.Name()))
		}
	}
	walk(newRoot(osEnv()), nil)
	for _, args := range [][]string{{"run"}, {"shim"}, {"compact", "new-rule"}, {"config", "get"}, {"hook"}, {"compact", "show"}, {"--no-such-flag"}} {
		if code, stderr := try(args...); code != command.ExitUsage {
			t.Errorf("%q: code %d: %s", args, code, stderr)
		}
	}
	if _, stderr := try("confg"); !strings.Contains(stderr, "did you mean config") {
		t.Errorf("no suggestion: %s", stderr)
	}
}

// Every verb explains itself within 80 columns and has two examples of itself.
func TestHelp(t *testing.T) {
	t.Parallel()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Long) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
		examples := strings.Split(cmd.Example, "\n")
		for _, e := range examples {
			if !strings.HasPrefix(e, "  ") || !strings.Contains(e, "cairn ") {
				t.Errorf("%s: an example like %q", cmd.CommandPath(), e)
			}
		}
		if len(examples) < 2 {
			t.Errorf("%s: %d examples", cmd.CommandPath(), len(examples))
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newRoot(osEnv()))
}

// Each verb has its part of help's first page, and a part has no verb that is
// not there.
func TestGroups(t *testing.T) {
	t.Parallel()
	root := newRoot(osEnv())
	root.InitDefaultHelpCmd()
	known := map[string]bool{}
	for _, c := range root.Commands() {
		known[c.Name()] = true
		if !c.Hidden && c.GroupID == "" {
			t.Errorf("%s is in no group", c.Name())
		}
	}
	for _, g := range groups {
		for _, v := range strings.Fields(g.verbs) {
			if !known[v] {
				t.Errorf("group %s: there is no cairn %s", g.id, v)
			}
		}
	}
}

// A call makes its own family alone, so every command has to be in the family of
// its first word.
func TestFamilies(t *testing.T) {
	for _, f := range families(osEnv()) {
		for _, c := range f.commands() {
			if first, _, _ := strings.Cut(c.Path, " "); !slices.Contains(f.words, first) {
				t.Errorf("%q is not among the words of its family: %v", c.Path, f.words)
			}
		}
	}
}
