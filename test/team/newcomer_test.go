// Package team plays what docs/team.md tells a newcomer, with the built binary.
package team

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// A person has a home and a clone of the repository.
type person struct {
	t         *testing.T
	cairn     string
	home, dir string
}

func (p person) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "HOME="+p.home, "CAIRN_HOME="+filepath.Join(p.home, ".cairn"), "NO_COLOR=1",
		"GIT_CONFIG_GLOBAL="+filepath.Join(p.home, ".gitconfig"), "GIT_CONFIG_NOSYSTEM=1", "CAIRN_URL=", "CAIRN_ACCESS_TOKEN=")
	return cmd
}

// run runs a line of the page as it stands and returns all that it said.
func (p person) run(line string) string {
	p.t.Helper()
	args := strings.Fields(line)
	name := args[0]
	if name == "cairn" {
		name = p.cairn
	}
	out, err := p.command(name, args[1:]...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// serve starts a server on a port that is free, and returns the line that it prints
// for its first owner.
func (p person) serve(args ...string) (next string) {
	p.t.Helper()
	serve := p.command(p.cairn, append(args, "--listen", "127.0.0.1:0")...)
	stderr, err := serve.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = serve.Process.Signal(os.Interrupt)
		_ = serve.Wait()
	})
	printed := bufio.NewScanner(stderr)
	for next == "" && printed.Scan() {
		if line := strings.TrimSpace(printed.Text()); strings.HasPrefix(line, "cairn sync init ") {
			next = line
		}
	}
	go func() {
		for printed.Scan() {
		}
	}()
	return next
}

func TestNewcomer(t *testing.T) {
	page, err := os.ReadFile("../../docs/team.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "# A team")
	_, block, _ := strings.Cut(after, "```sh\n")
	block, _, _ = strings.Cut(block, "```")
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		line, _, _ = strings.Cut(line, " # ")
		lines = append(lines, strings.TrimSpace(line))
	}
	if len(lines) > 6 || len(lines) < 6 {
		t.Fatalf("docs/team.md needs %d commands, not 6", len(lines))
	}
	cairn := filepath.Join(t.TempDir(), "cairn")
	if err := cairntest.Build(cairn); err != nil {
		t.Fatal(err)
	}
	ada := person{t, cairn, t.TempDir(), filepath.Join(t.TempDir(), "web")}
	if err := os.Mkdir(ada.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"git init -q -b main .", "git config user.email ada@example.test", "git config user.name Ada",
		"git remote add origin https://git.example.test/acme/web.git", "git commit -q --allow-empty -m start"} {
		ada.run(line)
	}
	results, err := os.ReadFile("testdata/results.json")
	if err != nil {
		t.Fatal(err)
	}
	// This week, whenever the test is run.
	results = bytes.ReplaceAll(results, []byte("2026-11-20T10:30:00Z"), []byte(time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)))
	if err := os.WriteFile(filepath.Join(ada.dir, "results.json"), results, 0o644); err != nil {
		t.Fatal(err)
	}

	// 1. The server, on a port that is free.
	next := ada.serve(strings.Fields(strings.TrimSuffix(lines[0], " &"))[1:]...)

	// 2. What it printed is the page's second line.
	like(t, next, lines[1])
	ada.run(next)
	// 3.
	if out := ada.run(lines[2]); !strings.Contains(out, "synced to team ✓") {
		t.Errorf("%s: %s", lines[2], out)
	}
	// 4. What it prints is the page's fifth line.
	next = ""
	for line := range strings.Lines(ada.run(lines[3])) {
		if strings.HasPrefix(line, "cairn sync setup ") {
			next = strings.TrimSpace(line)
		}
	}
	like(t, next, lines[4])

	// 5. Bob, in a clone that has Ada's commit.
	ada.run("git add .cairn")
	ada.run("git commit -q -m team")
	bob := person{t, cairn, t.TempDir(), filepath.Join(t.TempDir(), "web")}
	if out, err := exec.Command("git", "clone", "-q", ada.dir, bob.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out := bob.run(next); !strings.Contains(out, "2 members, 1 eval run this week") {
		t.Errorf("%s: %s", next, out)
	}
	// 6. Bob sees what Ada pushed.
	if out := bob.run(lines[5]); !strings.Contains(out, "search-quality") || !strings.Contains(out, "team") {
		t.Errorf("%s: %s", lines[5], out)
	}
}

// like says whether a printed command is the page's but for the port and the token.
func like(t *testing.T, printed, readme string) {
	t.Helper()
	want := regexp.QuoteMeta(readme)
	want = strings.NewReplacer("TOKEN", `[0-9a-zA-Z_-]{20,}`, "7373", `\d+`).Replace(want)
	if !regexp.MustCompile("^" + want + "$").MatchString(printed) {
		t.Errorf("the server or the invitation printed\n%s\nREADME says\n%s", printed, readme)
	}
}
