package render

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"cairn/internal/host"
	"cairn/internal/plan/content"
	"cairn/test/cairntest"
)

var update = flag.Bool("update", false, "write testdata/golden anew")

// Each agent's tree: every path with a hash of its head, and a command, a role
// and what the row has besides as they are written. A hash is not of the text,
// so a word changed in a prompt changes nothing here but for those shown.
func TestGolden(t *testing.T) {
	cairntest.Long(t)
	for _, h := range host.All() {
		files, err := Files(h, Options{Profile: "full", Cairn: "~/.cairn/bin/cairn"})
		local, lerr := Files(h, Options{Profile: "full", Cairn: "~/.cairn/bin/cairn", Local: true})
		if err != nil || lerr != nil {
			t.Fatal(h.Name, err, lerr)
		}
		var a txtar.Archive
		list := fmt.Sprintf("%s\n\n", h.Title)
		for i, f := range files {
			list += fmt.Sprintf("%x", sha256.Sum256(headOf(f)))[:12] + " " + f.Path
			if local[i].Path != f.Path {
				list += ", in a repository " + local[i].Path
			}
			list += "\n"
			if slices.ContainsFunc([]string{"cairn-fast", "cairn/fast", "cairn-role", "DESCRIPTION"}, func(name string) bool { return strings.Contains(f.Path, name) }) {
				a.Files = append(a.Files, txtar.File{Name: f.Path, Data: f.Data})
			}
		}
		a.Comment = []byte(list)
		name := filepath.Join("testdata", "golden", h.Name+".txtar")
		got := txtar.Format(&a)
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: not as in %s (-update writes it anew): %v\n%s", h.Name, name, err, firstDifference(got, want))
		}
	}
}

// headOf is a file but for the text of a prompt.
func headOf(f File) []byte {
	for _, mark := range []string{"\n---\n", " = '''\n", " = \"\"\"\n"} {
		if head, _, ok := bytes.Cut(f.Data, []byte(mark)); ok {
			return head
		}
	}
	return f.Data
}

func firstDifference(got, want []byte) string {
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is %q, was %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, were %d", len(g), len(w))
}

// A profile has its commands, the standing roles that they may come to spawn, and the agent
// that plays any other.
func TestProfiles(t *testing.T) {
	h, _ := host.Find("claude")
	count := func(profile string) (commands, agents []string) {
		files, err := Files(h, Options{Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasPrefix(f.Path, "agents/") {
				agents = append(agents, f.Path)
			} else {
				commands = append(commands, f.Path)
			}
		}
		return commands, agents
	}
	all, err := content.Of(content.Command)
	if err != nil {
		t.Fatal(err)
	}
	core, coreAgents := count("core")
	full, fullAgents := count("full")
	if len(core) != 8 || len(full) != len(all) {
		t.Errorf("core has %d commands, full %d of %d", len(core), len(full), len(all))
	}
	want := []string{"agents/cairn-executor.md", "agents/cairn-phase-researcher.md", "agents/cairn-plan-checker.md", "agents/cairn-planner.md", "agents/cairn-verifier.md", "agents/cairn-role.md"}
	if !slices.Equal(coreAgents, want) || !slices.Equal(fullAgents, want) {
		t.Errorf("core has the agents %v, full %v", coreAgents, fullAgents)
	}
	if _, err := Files(h, Options{Profile: "none"}); err == nil {
		t.Error("a profile that does not exist has files")
	}
}
