package plancmd

import (
	"context"
	"os"
	"testing"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/test/plantest"
)

// Without commits the summaries tell; what is gone, outside of the project or
// a planning document is left out.
func TestPhaseChanges(t *testing.T) {
	root := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	plantest.Write(t, root, map[string]string{
		".planning/ROADMAP.md": "### Phase 1: A\n", ".planning/phases/01-a/01-01-PLAN.md": "", "src/a.go": "", "src/b.go": "", "src/c.go": "",
		".planning/phases/01-a/01-01-SUMMARY.md": "---\nkey-files:\n  created: [src/b.go, src/gone.go, ../x.go, /etc/passwd]\n  modified:\n    - src/a.go\n    - .planning/ROADMAP.md\n    - src\n---\n",
	})
	cmd := command.Link(Commands(Prompts{}))["plan phase changes"]
	res, err := cmd.Run(command.NewCall(context.Background(), &command.Env{Dir: root, Getenv: os.Getenv}, cmd, []string{"1"}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := answer.Get(res.Data, "files"); err != nil || got != `["src/a.go","src/b.go"]` {
		t.Errorf("%s, %v", got, err)
	}
}
