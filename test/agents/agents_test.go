//go:build agents

// Package agents proves cairn on a real Claude Code: each session is played
// twice, without our hooks and with them, and what the model received is
// compared. It needs the agent and a harness that plays the model, so it is
// built with a tag:
//
//	CAIRN_HARNESS=DIR HOSTS_DIR=DIR go test -tags agents -count=1 ./test/agents [-update]
//
// -count=1, since go's test cache does not see the sources of the binary that
// the test builds.
//
// With -update the figures go into docs/claude-code.md. Only tests live here.
package agents

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	update = flag.Bool("update", false, "write the figures into docs/claude-code.md")
	keep   = flag.Bool("keep", false, "keep the harness's records of each session")

	harness = os.Getenv("CAIRN_HARNESS")
	hosts   = os.Getenv("HOSTS_DIR")
)

func TestClaudeCode(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	binary := filepath.Join(t.TempDir(), "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	var figures []figure
	for _, s := range sessions {
		t.Run(s.name, func(t *testing.T) {
			if _, err := os.Stat(s.shell); err != nil {
				t.Skip(err)
			}
			figures = append(figures, s.prove(t, binary)...)
		})
	}
	if *update && !t.Failed() {
		writeFigures(t, figures, latency(t, binary))
	}
}

// prove plays the session without and with cairn and compares.
func (s session) prove(t *testing.T, binary string) []figure {
	root := t.TempDir()
	dir, home := filepath.Join(root, "project"), filepath.Join(root, "home")
	config := filepath.Join(home, ".claude")

	fresh := func() {
		for _, d := range []string{dir, home} {
			if err := os.RemoveAll(d); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(config, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range s.files {
			write(t, filepath.Join(home, name), text)
		}
		newProject(t, dir)
	}
	cairn := func(args ...string) {
		cmd := exec.Command(binary, args...)
		cmd.Env = append(os.Environ(), "HOME="+home, "CLAUDE_CONFIG_DIR=", "CAIRN_HOME=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("cairn %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}

	fresh()
	without := s.play(t, dir, home)
	filesWithout := tree(t, dir)

	fresh()
	before := tree(t, config)
	cairn("install", "claude")
	cairn("uninstall", "claude")
	sameFiles(t, "install and uninstall", before, tree(t, config))
	cairn("install", "claude")
	installed := tree(t, config)
	with := s.play(t, dir, home)
	sameFiles(t, "the project after the session", filesWithout, tree(t, dir))
	after := tree(t, config)
	for name := range after {
		if strings.HasPrefix(name, "session-env/") {
			delete(after, name) // of our hook alone
		}
	}
	cairn("uninstall", "claude")
	for name := range installed {
		delete(after, name)
		if old, ok := before[name]; ok {
			after[name] = old
		}
	}
	sameFiles(t, "uninstall after the session", after, tree(t, config))

	var figures []figure
	i := 0
	for _, c := range s.cases {
		f := figure{session: s.name, scenario: c.name}
		for _, call := range c.calls {
			f.add(call, without[i], with[i])
			for _, problem := range call.problems(without[i], with[i]) {
				t.Errorf("%s: %v: %s\n--- without:\n%s\n--- with:\n%s", c.name, call.input, problem, clip(without[i].text), clip(with[i].text))
			}
			i++
		}
		figures = append(figures, f)
	}
	return figures
}

const header = "[cairn: "

// lacks says which of the lines to keep are not in a text, in their order.
func (c call) lacks(text string) (found []string) {
	for _, k := range c.keep {
		_, after, ok := strings.Cut(text, k)
		if !ok {
			found = append(found, "lacks "+k)
			continue
		}
		text = after
	}
	return found
}

// problems says what does not hold of a call.
func (c call) problems(without, with result) []string {
	var found []string
	if without.failed != with.failed {
		found = append(found, "the error flag differs")
	}
	if exit := exitLine.FindString(without.text); exit != exitLine.FindString(with.text) {
		found = append(found, "the exit status differs")
	}
	found = append(found, c.lacks(with.text)...)
	switch c.is {
	case same:
		if plain(without.text) != plain(with.text) {
			found = append(found, "the text differs")
		}
	case cut:
		if !strings.Contains(with.text, header) {
			found = append(found, "not compacted")
		}
		if len(with.text)*2 > len(without.text) && len(with.text) > maxPreview {
			found = append(found, "not much smaller")
		}
	}
	return found
}

// maxPreview: a result of which the host shows only the beginning may grow,
// up to this many bytes.
const maxPreview = 8200

var (
	exitLine = regexp.MustCompile(`^Exit code \d+`)
	changing = []struct {
		what *regexp.Regexp
		text string
	}{
		{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "SESSION"},
		{regexp.MustCompile(`(ID: |tasks/)[a-z0-9]{9}\b`), "${1}TASK"},
		{regexp.MustCompile(`\b\d+(\.\d+)?(m?s)\b`), "TIME"},
		{regexp.MustCompile(`duration_ms [\d.]+`), "duration_ms TIME"},
	}
)

// plain is the text without what no two runs have in common.
func plain(text string) string {
	for _, c := range changing {
		text = c.what.ReplaceAllString(text, c.text)
	}
	return text
}

func clip(s string) string {
	if len(s) > 1500 {
		return s[:1000] + "\n…\n" + s[len(s)-500:]
	}
	return s
}

// tree returns the files below dir with mode and content, except for what a
// tool keeps for itself.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch d.Name() {
		case ".git", "__pycache__", ".pytest_cache", ".venv":
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		files[rel] = string(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameFiles(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	for name, text := range want {
		if other, ok := got[name]; !ok {
			t.Errorf("%s: %s is gone", what, name)
		} else if other != text {
			t.Errorf("%s: %s differs:\n--- before:\n%s\n--- now:\n%s", what, name, clip(text), clip(other))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is new", what, name)
		}
	}
}
