package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
)

// own are variables by which cairn talks to the processes that it starts.
var own = map[string]bool{"CAIRN_PROVE_WITHOUT": true, "CAIRN_OUT": true, "CAIRN_DIR": true, "CAIRN_PWD": true, home.Probe: true}

// The topic of variables has what the code asks for, and nothing else.
func TestEnvironmentTopic(t *testing.T) {
	t.Parallel()
	told := map[string]bool{}
	for _, v := range variables {
		told[v.Name] = true
	}
	for _, s := range config.Settings() {
		told[s.Env] = true
	}
	asked, text := map[string]string{}, strings.Builder{}
	name := regexp.MustCompile(`"((?:CAIRN|EVAL|GSD|ANTHROPIC|OPENAI|BRAVE)_[A-Z_]+|LITESTREAM|NO_COLOR|CI)"`)
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || d.Name() == "topics.go" || strings.Contains(file, "test/") {
			return err
		}
		src, err := os.ReadFile(file)
		for _, m := range name.FindAllStringSubmatch(string(src), -1) {
			asked[m[1]] = file
		}
		text.Write(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for v, file := range asked {
		if !told[v] && !own[v] && !strings.HasSuffix(v, "_") {
			t.Errorf("%s asks for %s, which cairn help environment does not have", file, v)
		}
	}
	for _, v := range variables {
		if word := strings.NewReplacer("FLAG", "", "NAME_SECRET", "").Replace(v.Name); !strings.Contains(text.String(), `"`+word) {
			t.Errorf("nothing asks for %s", v.Name)
		}
	}
	if len(asked) < 40 {
		t.Errorf("only %d variables were found", len(asked))
	}
}

// Every path of the topic of files is one that package home gives.
func TestFilesTopic(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, v := range []reflect.Value{reflect.ValueOf(home.Home("~/.cairn")), reflect.ValueOf(home.Repo("."))} {
		for i := range v.NumMethod() {
			m := v.Method(i)
			if m.Type().NumOut() != 1 || m.Type().Out(0).Kind() != reflect.String {
				continue
			}
			var args []reflect.Value // a name
			for range m.Type().NumIn() {
				args = append(args, reflect.ValueOf("x"))
			}
			paths = append(paths, filepath.ToSlash(m.Call(args)[0].String()))
		}
	}
	for _, f := range keptFiles {
		found := f.Name == ".planning/"
		for _, p := range paths {
			found = found || p == strings.TrimSuffix(f.Name, "/") || strings.HasPrefix(p+"/", f.Name)
		}
		if !found {
			t.Errorf("package home has no %s", f.Name)
		}
	}
	for _, p := range paths {
		told := false
		for _, f := range keptFiles {
			told = told || p == strings.TrimSuffix(f.Name, "/") || strings.HasPrefix(p, f.Name)
		}
		if !told && !quiet[p] {
			t.Errorf("cairn help files lacks %s", p)
		}
	}
}

// quiet are files that nobody has a use for: locks, and notes of what was done.
var quiet = map[string]bool{
	"~/.cairn/auth.lock": true, "~/.cairn/drain.lock": true, "~/.cairn/up.lock": true, "~/.cairn/update.json": true,
	"~/.cairn/transcripts.json": true, "~/.cairn/migrated.json": true, ".cairn/.gitignore": true,
	"~/.cairn/compact/benchmark": true, "~/.cairn/compact/calls": true, "~/.cairn/compact/failed": true, "~/.cairn/compact/fired/x": true,
	"~/.cairn/compact/verifier": true, "~/.cairn/mirror": true,
}

func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	env := &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	root := newRoot(env)
	root.SetArgs(args)
	if code := exitCode(env, root.Execute()); code != command.ExitOK {
		t.Errorf("cairn %s: code %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

// Each topic is printed within 80 columns, and a word that is none is refused.
func TestHelpTopics(t *testing.T) {
	t.Parallel()
	list := printed(t, "help", "topics")
	for _, topic := range topics() {
		if !strings.Contains(list, topic.Name) {
			t.Errorf("the list lacks %s", topic.Name)
		}
		out := printed(t, "help", topic.Name)
		for line := range strings.Lines(out) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
				t.Errorf("%s: %d columns: %s", topic.Name, n, line)
			}
		}
		for _, r := range topic.Rows {
			if !strings.Contains(out, r.Name) {
				t.Errorf("cairn help %s lacks %s", topic.Name, r.Name)
			}
		}
	}
	if out := printed(t, "help", "team", "role"); !strings.Contains(out, "cairn team role EMAIL ROLE") {
		t.Errorf("cairn help team role: %s", out)
	}
	if code, stderr := try("help", "nonsense"); code != command.ExitUsage || !strings.Contains(stderr, "cairn help topics") {
		t.Errorf("code %d: %s", code, stderr)
	}
}
