//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/command"
	"cairn/internal/plan/content"
	"cairn/internal/plan/plancmd"
	"cairn/internal/plan/query"
	"cairn/test/cairntest"
)

// everyWord makes the tests of this file try every word everywhere, which
// takes many minutes.
var everyWord = flag.Bool("hostile", false, "try every hostile word in every place")

// hostileWords are what a name, path, id or text may be at worst.
var hostileWords = []string{
	"", "-", "--", "-x", "--force", ".", "..", "...", "../x", "../../etc/passwd", "/etc/passwd", `..\x`, `C:\x`, "CON", "nul.md", "~/x",
	"a\x00b", "a\nb", "a\r\n---\nb: c", "# a", "$(touch x)", "`touch x`; touch y", "$&$1$`\\0${a}", "%s%d%n", "\xff\xfe\x80", "\u202e\u200b\u00a0",
	"é", "e\u0301", "99999999999999999999999", "-1", "0", "1.1.1.1.1", "1e9", "1/../../2", ".planning", ".planning/STATE.md", ".planning/phases", ".planning/../../x",
	"[]", "{}", "null", "true", "a.b.c.d", "a[0", "*", "[a-", "---", "```", "<!--", "|", "phases[99999999999999999999]", "01-base", "v1.0", "1",
	strings.Repeat("long", 2500), strings.Repeat("[", 5000), strings.Repeat("a.", 5000), strings.Repeat("../", 300) + "x",
}

// hostileProject is a project in a directory of its own, so that what is
// written beside it is seen too.
type hostileProject struct{ outer, root string }

func newHostileProject(t *testing.T, tree string) *hostileProject {
	t.Helper()
	p := &hostileProject{outer: t.TempDir()}
	p.root = filepath.Join(p.outer, "project")
	if err := os.CopyFS(p.root, os.DirFS(tree)); err != nil {
		t.Fatal(err)
	}
	return p
}

// elsewhere makes an empty directory the home and the working directory until
// the test and its parts have ended, and looks whether anything was written
// there. It returns the tree of which projects are made.
func elsewhere(t *testing.T) (tree string) {
	t.Helper()
	cairntest.Long(t)
	tree, err := filepath.Abs("../plan/testdata/trees/synth-ws")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Chdir(dir)
	t.Cleanup(func() {
		if found, err := os.ReadDir(dir); err != nil || len(found) > 0 {
			t.Errorf("written outside of the project: %v %v", found, err)
		}
	})
	return tree
}

// A hostileCall is a command line; reads says that it must change nothing.
type hostileCall struct {
	args  []string
	reads bool
}

// harmless tries command lines side by side, each part of them in a project of
// its own.
func harmless(t *testing.T, tree string, calls []hostileCall) {
	const parts = 8
	for part := range parts {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			p := newHostileProject(t, tree)
			before := p.files(t)
			for i := part; i < len(calls); i += parts {
				p.harmless(t, before, calls[i].reads, calls[i].args...)
			}
		})
	}
}

// files returns what is on the disk, cairn's own left out: a name, and what
// it holds.
func (p *hostileProject) files(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.outer, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(p.root, name)
		switch rel = filepath.ToSlash(rel); {
		case rel == ".planning/.cairn":
			return filepath.SkipDir
		case rel == ".planning/.journal.jsonl" || rel == ".planning/.gitignore":
			return nil
		case d.Type().IsRegular():
			if fi, err := d.Info(); err == nil && fi.Size() > 16<<20 {
				out[rel] = fmt.Sprint(fi.Size(), fi.ModTime())
				return nil
			}
			b, err := os.ReadFile(name)
			out[rel] = string(b)
			return err
		}
		out[rel] = d.Type().String()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func differences(before, after map[string]string) []string {
	var out []string
	for name, content := range before {
		if now, ok := after[name]; !ok || now != content {
			out = append(out, name)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			out = append(out, "new "+name)
		}
	}
	slices.Sort(out)
	return out
}

// attempt runs a command line: no panic, no hang, an exit code of the table.
func (p *hostileProject) attempt(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	type end struct {
		code int
		said string
	}
	done := make(chan end, 1)
	go func() {
		var out, errs bytes.Buffer
		defer func() {
			if p := recover(); p != nil {
				done <- end{-1, fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}
			}
		}()
		env := &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Dir: p.root}
		var code int
		if len(args) > 1 && args[1] == "query" {
			code = query.Run(context.Background(), query.Env{Dir: env.Dir, Stdin: env.Stdin, Stdout: &out, Stderr: &errs, Getenv: env.Getenv}, args[2:])
		} else {
			root := newRootFor(env, args)
			root.SetArgs(args)
			code = exitCode(env, root.Execute())
		}
		done <- end{code, errs.String()}
	}()
	select {
	case e := <-done:
		if e.code < 0 || e.code > command.ExitNet {
			t.Errorf("%.300q: exit %d: %s", args, e.code, e.said)
		}
		if e.code != 0 && e.code != command.ExitGate && e.said == "" {
			t.Errorf("%.300q: exit %d and not a word", args, e.code)
		}
		return e.code, e.said
	case <-time.After(time.Minute):
		buf := make([]byte, 1<<20)
		t.Fatalf("%.300q hangs\n%s", args, buf[:runtime.Stack(buf, true)])
		return -1, ""
	}
}

// harmless tries a command line: it leaves every file as it was or can be
// undone to the byte.
func (p *hostileProject) harmless(t *testing.T, before map[string]string, reads bool, args ...string) {
	t.Helper()
	code, said := p.attempt(t, args...)
	changed := differences(before, p.files(t))
	if len(changed) == 0 {
		return
	}
	if reads || code != 0 && code != command.ExitGate {
		t.Errorf("%.300q (exit %d: %s) changed %q", args, code, said, changed)
	}
	left := changed
	for code = 0; code == 0 && len(left) > 0; left = differences(before, p.files(t)) { // a step makes several changes
		code, said = p.attempt(t, "plan", "undo")
	}
	if len(left) > 0 {
		t.Fatalf("%.300q cannot be undone (%d: %s): %q", args, code, said, left)
	}
}

// planVerbs are the commands of plan that do something, without query.
func planVerbs() []*command.Command {
	return slices.DeleteFunc(plancmd.Commands(plancmd.Prompts{Style: contentStyle, Calls: func() []content.Call { return nil }}), func(c *command.Command) bool { return c.Run == nil })
}

// hostileCalls returns command lines of a verb with word in each place.
func hostileCalls(v *command.Command, word string) [][]string {
	base := strings.Fields(v.Path)
	args := func(at int) []string {
		out := slices.Clone(base)
		for i := range v.Args {
			if i == at || at < 0 {
				out = append(out, word)
			} else {
				out = append(out, "1")
			}
		}
		return out
	}
	with := func(f command.Flag, value string) []string {
		switch f.Default.(type) {
		case bool:
			return []string{"--" + f.Name}
		case int:
			return []string{"--" + f.Name + "=3"}
		}
		return []string{"--" + f.Name + "=" + value}
	}
	var required []string
	for _, f := range v.Flags {
		if f.Required {
			required = append(required, with(f, "1")...)
		}
	}
	calls := [][]string{append(args(-1), required...)}
	for i := range v.Args {
		if len(v.Args) > 1 {
			calls = append(calls, append(args(i), required...))
		}
	}
	for _, f := range v.Flags {
		if f.Name == "dry-run" {
			continue
		}
		calls = append(calls, append(append(args(len(v.Args)), required...), with(f, word)...))
	}
	calls = append(calls, append(append(args(len(v.Args)), required...), "--ws="+word), append(append(args(len(v.Args)), required...), "--get="+word))
	return calls
}

// words returns some of the hostile words, other ones each time.
func words(turn *int) []string {
	if *everyWord {
		return hostileWords
	}
	const some = 2
	*turn += some
	at := *turn % (len(hostileWords) - some)
	return hostileWords[at : at+some]
}

func TestVerbsWithHostileArguments(t *testing.T) {
	cairntest.NoRace(t)
	tree, turn := elsewhere(t), 0
	var calls []hostileCall
	for _, v := range planVerbs() {
		for i := range hostileCalls(v, "") {
			for _, word := range words(&turn) {
				calls = append(calls, hostileCall{hostileCalls(v, word)[i], v.Effect == command.Reads})
			}
		}
	}
	harmless(t, tree, calls)
}

func queryCommands(t *testing.T) []string {
	t.Helper()
	var out bytes.Buffer
	query.Run(context.Background(), query.Env{Dir: ".", Stdout: &out, Stderr: os.Stderr, Getenv: func(string) string { return "" }}, []string{"commands"})
	var names []string
	if err := json.Unmarshal(out.Bytes(), &names); err != nil || len(names) < 100 {
		t.Fatalf("%v, %d names", err, len(names))
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.Contains(name, ".") })
}

func TestQueriesWithHostileArguments(t *testing.T) {
	cairntest.NoRace(t)
	tree, turn := elsewhere(t), 0
	var calls []hostileCall
	for _, name := range queryCommands(t) {
		call := append([]string{"plan", "query"}, strings.Fields(name)...)
		for i := range 6 {
			for _, word := range words(&turn) {
				args := [][]string{{word}, {word, word, word}, {"1", word}, {"1", "x", word}, {"--phase", word, "--name", word}, {"--field", word, "--value", word}}
				calls = append(calls, hostileCall{append(slices.Clone(call), args[i]...), false})
			}
		}
	}
	harmless(t, tree, calls)
}

// damages are what may be in a file's place.
var damages = map[string]func(name string) error{
	"directory": func(name string) error { return os.Mkdir(name, 0o755) },
	"fifo":      func(name string) error { return syscall.Mkfifo(name, 0o644) },
	"loop":      func(name string) error { return os.Symlink(filepath.Base(name), name) },
	"dangling":  func(name string) error { return os.Symlink("nowhere", name) },
	"outside":   func(name string) error { return os.Symlink("/etc/hostname", name) },
	"device":    func(name string) error { return os.Symlink("/dev/zero", name) },
	"empty":     func(name string) error { return os.WriteFile(name, nil, 0o644) },
	"binary": func(name string) error {
		return os.WriteFile(name, []byte("\x00\xff\xfe---\n\x80: [\n---\r# \x00\r"), 0o644)
	},
	"huge": func(name string) error { return errors.Join(os.WriteFile(name, nil, 0o644), os.Truncate(name, 17<<20)) },
	"deep": func(name string) error {
		return os.WriteFile(name, []byte("---\na: "+strings.Repeat("[", 100_000)+"\n---\n"), 0o644)
	},
	"open front": func(name string) error { return os.WriteFile(name, []byte("---\na: 'b\n"), 0o644) },
	"bom crlf":   func(name string) error { return os.WriteFile(name, []byte("\ufeff---\r\na: b\r\n---\r\n# x\r"), 0o644) },
}

func TestDamagedTrees(t *testing.T) {
	cairntest.NoRace(t)
	tree := elsewhere(t)
	for kind, damage := range damages {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newHostileProject(t, tree)
			var names []string
			for name, content := range p.files(t) {
				if strings.HasPrefix(name, ".planning/") && content != fs.ModeDir.String() {
					names = append(names, name)
				}
			}
			for _, name := range names {
				name = filepath.Join(p.root, name)
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
				if err := damage(name); err != nil {
					t.Fatal(err)
				}
			}
			before := p.files(t)
			for _, v := range planVerbs() {
				p.harmless(t, before, v.Effect == command.Reads, hostileCalls(v, "2")[0]...)
			}
			for _, name := range queryCommands(t) {
				for _, args := range [][]string{{"2"}, {".planning/phases/02-api/02-01-PLAN.md", "--field", "a", "--value", "b"}} {
					p.harmless(t, before, false, append(append([]string{"plan", "query"}, strings.Fields(name)...), args...)...)
				}
			}
		})
	}
}
