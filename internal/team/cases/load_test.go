package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes files into a new directory and goes there.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func oneCase(name, more string) string {
	return "name: " + name + "\nexpectations: [{type: in_range, min: 1}]\n" + more
}

func TestLoad(t *testing.T) {
	tree(t, map[string]string{
		"repo/evals/a.yaml":               oneCase("a", "prompt_source_files: [prompt.txt, ./beside.txt, ../prompt.txt]"),
		"repo/evals/deep/b.YML":           oneCase("b", ""),
		"repo/evals/.hidden/c.yaml":       oneCase("a", ""),
		"repo/evals/judge-profiles.yaml":  "profiles: {}",
		"repo/evals/notes.txt":            "no case",
		"repo/evals/beside.txt":           "",
		"repo/prompt.txt":                 "",
		"repo/evals/prompt_elsewhere.txt": "",
	})
	root, err := filepath.Abs("repo")
	if err != nil {
		t.Fatal(err)
	}
	l := Loader{Specs: specs, Stdin: strings.NewReader(oneCase("c", "")), Root: func(string) string { return root }}
	set, problems, err := l.Load([]string{"repo/evals", "repo/evals/a.yaml", "-"})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	var names []string
	for _, c := range set.Cases {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != "c a b" || set.Found != 3 {
		t.Errorf("%s of %v", got, set.Files)
	}

	// without a repository a source is beside its case
	l.Root = nil
	_, problems, err = l.Load([]string{"repo/evals/a.yaml"})
	if err != nil || len(problems) != 1 || !strings.HasSuffix(problems[0].What, "there is no file repo/evals/prompt.txt") {
		t.Error(err, problems)
	}
	for _, missing := range []string{"nothing", "nothing.yaml"} {
		if _, _, err := l.Load([]string{missing}); err == nil {
			t.Errorf("%s is read", missing)
		}
	}
	tree(t, map[string]string{"empty/readme.md": ""})
	if _, _, err := l.Load([]string{"empty"}); err == nil || fmt.Sprint(err) != "empty: no .yaml file in it" {
		t.Error(err)
	}
}
