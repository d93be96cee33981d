package cli

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"cairn/internal/plan/content"
)

var updatePages = flag.Bool("update-pages", false, "write the pages of docs that are made from the prompts")

// What a prompt names exists: commands with their flags, roles, settings,
// documents.
func TestPromptsNameWhatExists(t *testing.T) {
	t.Parallel()
	found, err := content.Check(contentCalls(&Env{Getenv: os.Getenv}))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Errorf("%s:%d: %s", f.Piece, f.Line, f.What)
	}
}

func TestEveryJobHasAHome(t *testing.T) {
	t.Parallel()
	jobs, err := readJobs()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	calls := contentCalls(&Env{Getenv: os.Getenv})
	for _, j := range jobs {
		counts[j.Kind]++
		if err := j.checkHome(calls); err != nil {
			t.Error(err)
		}
	}
	for kind, want := range map[string]int{"command": 67, "workflow": 106, "agent": 33, "reference": 62, "template": 45} {
		if counts[kind] != want {
			t.Errorf("%d jobs of kind %s, not %d", counts[kind], kind, want)
		}
	}
}

// Each command stays within its budget, and the main steps together within 35 %
// of what they cost in the older tool.
func TestBudgets(t *testing.T) {
	t.Parallel()
	budgets, err := readBudgets()
	if err != nil {
		t.Fatal(err)
	}
	commands, err := content.Of(content.Command)
	if err != nil {
		t.Fatal(err)
	}
	if len(budgets) != len(commands) {
		t.Errorf("%d budgets for %d commands", len(budgets), len(commands))
	}
	for _, b := range budgets {
		p, err := content.Find("commands/" + b.Command)
		if err != nil {
			t.Error(err)
			continue
		}
		if c, err := content.CostOf(p); err != nil || c.Total > b.Limit {
			t.Errorf("%s costs %d tokens, its budget is %d (%v)", b.Command, c.Total, b.Limit, err)
		}
	}
	share, err := mainShare()
	if err != nil || share > 35 {
		t.Errorf("the main steps cost %.1f %% of the original's (%v)", share, err)
	}
}

func TestContentPages(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]func() (string, error){"inventory.md": inventoryPage, "content-budget.md": costPage} {
		want, err := page()
		if err != nil {
			t.Error(err)
			continue
		}
		file := filepath.Join("..", "..", "docs", name)
		if *updatePages {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("docs/%s is not as the prompts make it; go test ./internal/cli -run ContentPages -update-pages writes it (%v)", name, err)
		}
	}
}
