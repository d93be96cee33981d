// Package pipeline plays a small project from its idea to a pull request: a
// scripted model follows the words of our prompts, in sessions that know
// nothing of each other, and a test looks at the files, gates, commits and the
// state after each step. The model may call only what its words told it to
// call: a prompt that leaves something out fails here.
//
// It is test code only.
package pipeline

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"cairn/internal/plan/content"
	"cairn/test/cairntest"
)

func TestPipeline(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the scenes are written for a POSIX shell")
	}
	p := newPlayer(t)
	for _, s := range scenes(t) {
		t.Run(s.name, func(t *testing.T) {
			p.t = t
			p.play(s)
		})
		if t.Failed() {
			return // what follows builds on it
		}
	}
	for _, verb := range toldIn(t, "commands/new-project", "commands/discuss-phase", "commands/plan-phase", "commands/execute-phase",
		"commands/verify-work", "commands/ship", "agents/roadmapper", "agents/planner", "agents/plan-checker", "agents/executor", "agents/verifier") {
		if !p.lines[verb] {
			t.Errorf("no scene plays cairn %s", verb)
		}
	}
	turns := 0 // of the user, from the idea to plans that can be executed
	for _, s := range scenes(t) {
		if s.command == "new-project" || s.command == "discuss-phase" || s.command == "plan-phase" && s.args == "1" {
			for _, tn := range s.turns {
				if tn.verb == "ask" {
					turns++
				}
			}
		}
	}
	if turns > 8 {
		t.Errorf("the user is asked %d times before anything is built", turns)
	}
	for _, gate := range []string{"requirements", "decisions", "threats", "ship"} { // the others are asked by the step
		if seen := p.gates[gate]; !seen[0] || !seen[1] {
			t.Errorf("gate %s: passed %v, blocked %v", gate, seen[0], seen[1])
		}
	}
}

func scenes(t *testing.T) []*scene {
	t.Helper()
	files, err := filepath.Glob("testdata/scene/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenes", err)
	}
	var all []*scene
	for _, file := range files {
		s, err := readScene(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// toldIn returns what the shell lines of pieces call: the blocks, which stand
// for steps of an ordinary run.
func toldIn(t *testing.T, pieces ...string) []string {
	t.Helper()
	var all []string
	for _, name := range pieces {
		piece, err := content.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := content.Expand(piece, content.Plain())
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(text, "```") {
			calls, _ := content.CallsIn(strings.TrimPrefix(block, "sh\n"))
			if i%2 == 0 {
				continue
			}
			for _, c := range calls {
				if v := verbOf(c); !slices.Contains(all, v) {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// newPlayer makes a project of testdata/project in a git repository, with a
// user's directory of its own and the real cairn.
func newPlayer(t *testing.T) *player {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, dir: filepath.Join(root, "tally"), gates: map[string][2]bool{}, lines: map[string]bool{}}
	bin := filepath.Join(root, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := cairntest.Build(filepath.Join(bin, "cairn")); err != nil {
		t.Fatal(err)
	}
	files, err := txtar.ParseFile("testdata/project.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if err := txtar.Write(files, p.dir); err != nil {
		t.Fatal(err)
	}
	p.env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "CAIRN_") || strings.HasPrefix(name, "CLAUDE") || name == "PATH" || name == "HOME" || name == "CI"
	}),
		"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+filepath.Join(root, "home"),
		"GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"), "GOFLAGS=", "GOWORK=off",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
	)
	config := filepath.Join(root, "home", ".cairn", "config.toml") // whoever plays lets steps prove
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("[plan]\nstep_proves = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	th := thread{player: p}
	if out, exit := th.run("git init -q -b main && git add . && git commit -qm 'An empty program'"); exit != 0 {
		t.Fatal(out)
	}
	return p
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
