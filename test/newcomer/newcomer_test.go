// Package newcomer plays what the pages tell somebody who is new: each block of
// shell on them, line by line, with the binary that is built from here.
package newcomer

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A place is a machine of its own: a home with nothing in it, and a directory.
type place struct {
	t         *testing.T
	home, dir string
	bin       string // where its cairn is, in front of the PATH
	env       []string
	url       string // of the server that it started
	next      string // what was printed to go on with
}

func newPlace(t *testing.T, bin, dir string, env ...string) place {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the pages are for a shell")
	}
	return place{t: t, home: t.TempDir(), dir: dir, bin: bin, env: env}
}

// environ leaves out what would lead to the machine's own files and servers.
func (p place) environ() (env []string) {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case strings.HasPrefix(name, "CAIRN_"), strings.HasPrefix(name, "EVAL_"), strings.HasPrefix(name, "GITHUB_"), strings.HasPrefix(name, "XDG_"),
			name == "HOME", name == "PATH", name == "GOBIN", name == "CODEX_HOME", name == "CLAUDE_CONFIG_DIR":
		default:
			env = append(env, v)
		}
	}
	return append(append(env, "HOME="+p.home, "PATH="+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1",
		"GIT_CONFIG_GLOBAL="+filepath.Join(p.home, ".gitconfig"), "GIT_CONFIG_NOSYSTEM=1"), p.env...)
}

func (p place) command(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = p.dir, p.environ()
	return cmd
}

// run runs a line as it stands and returns all that it said.
func (p place) run(line string) string {
	p.t.Helper()
	out, err := p.command(line).CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// blocks are the lines of a page's blocks of shell below the heading, "" for
// the whole page, without comments. Those that need a release say so.
func blocks(t *testing.T, page, heading string) (list [][]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if heading != "" {
		_, after, found := strings.Cut(text, "\n"+heading+"\n")
		if !found {
			t.Fatalf("%s has no %q", page, heading)
		}
		text, _, _ = strings.Cut(after, "\n## ")
	}
	for _, m := range regexp.MustCompile("(?s)\n```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		var lines []string
		for _, line := range strings.Split(strings.TrimSpace(m[1]), "\n") {
			line, _, _ = strings.Cut(line, "  # ")
			lines = append(lines, strings.TrimSpace(strings.TrimSuffix(line, " #")))
		}
		list = append(list, lines)
	}
	return list
}

// repository makes a small one with a commit, as somebody has it.
func repository(t *testing.T, p place) {
	t.Helper()
	for _, line := range []string{"git init -q -b main .", "git config user.email ada@example.test", "git config user.name Ada",
		"git remote add origin https://git.example.test/acme/web.git", "git commit -q --allow-empty -m start"} {
		p.run(line)
	}
}
