package lifecycle

import (
	"context"
	"path/filepath"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/test/plantest"
)

// Every state has a word of the verbs and of the older tool, and what the files'
// names tell needs no look into them.
func TestWords(t *testing.T) {
	const dir = "phases/01-base/"
	first, done := dir+"01-01-PLAN.md", dir+"01-01-SUMMARY.md"
	report := func(status string, more ...string) map[string]string {
		files := map[string]string{first: "<objective>\nx\n</objective>\n", done: "", dir + "01-CONTEXT.md": "<decisions>\nx\n</decisions>\n",
			dir + "01-VERIFICATION.md": "---\nstatus: " + status + "\n---\n"}
		for _, name := range more {
			files[dir+name] = "---\nstatus: complete\n---\n\n### 1. It\nresult: pass\n"
		}
		return files
	}
	for name, tc := range map[string]struct {
		files  map[string]string
		ticked bool
		status plan.Status
		stage  string
	}{
		"no directory":      {nil, false, plan.StatusNoDirectory, StageNotStarted},
		"empty":             {map[string]string{dir + ".gitkeep": ""}, false, plan.StatusEmpty, StageNotStarted},
		"discussed":         {map[string]string{dir + "01-CONTEXT.md": "x\n"}, false, plan.StatusDiscussed, StageNotStarted},
		"researched":        {map[string]string{dir + "01-RESEARCH.md": "x\n"}, false, plan.StatusResearched, StageNotStarted},
		"planned":           {map[string]string{first: ""}, false, plan.StatusPlanned, "Planned"},
		"in progress":       {map[string]string{first: "", done: "", dir + "01-02-PLAN.md": ""}, false, plan.StatusPartial, "In Progress"},
		"executed":          {map[string]string{first: "", done: ""}, false, plan.StatusExecuted, "Executed"},
		"gaps":              {report("gaps_found"), false, plan.StatusExecuted, "Executed"},
		"for people":        {report("human_needed"), false, plan.StatusExecuted, "Needs Review"},
		"passed, not tried": {report("passed"), false, plan.StatusExecuted, StageComplete},
		"passed":            {report("passed", "01-UAT.md"), false, plan.StatusExecuted, StageComplete},
		"called complete":   {map[string]string{first: ""}, true, plan.StatusComplete, StageComplete},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			plantest.Write(t, filepath.Join(root, plan.Planning), tc.files)
			plantest.Write(t, filepath.Join(root, plan.Planning), map[string]string{
				"ROADMAP.md": map[bool]string{false: "# R\n- [ ] **Phase 1: Base**\n", true: "# R\n- [x] **Phase 1: Base**\n"}[tc.ticked]})
			w, err := plan.At(root, "", "")
			if err == nil {
				err = w.View(func(tx *plan.Tx) error {
					l, p := New(context.Background(), tx), tx.Phase(doc.PhaseID{Number: 1})
					if status, outline := l.Of(p).Status(p), l.Outline(p).Status(p); status != tc.status || outline != tc.status {
						t.Errorf("%s, by names %s, want %s", status, outline, tc.status)
					}
					if stage := l.Stage(p); stage != tc.stage {
						t.Errorf("%s, want %s", stage, tc.stage)
					}
					return nil
				})
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
