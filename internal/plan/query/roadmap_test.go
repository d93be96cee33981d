package query

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// People write the same roadmap in many ways; a phase is completed in each of
// them, with either line ending, and a second time changes nothing.
func TestCompleteInEverySpelling(t *testing.T) {
	today := time.Now().UTC().Format(time.DateOnly)
	for _, tc := range []struct{ box, heading, field, item, row string }{
		{"- [ ] **Phase 1: One** - first", "### Phase 1: One", "**%s:** %s", "- [ ] 01-01: x", "| 1. One | 0/1 | Not started | - |"},
		{"- [ ] Phase 1: One", "## Phase 1: One", "**%s**: %s", "- [ ] 01-01-PLAN.md — x", "| 01. One | 0/1 | Not started | - |"},
		{"* [ ] **Phase 01: One**", "#### Phase 01: One", "**%s:** %s", "* [ ] **01-01**: x", "| 1 One | 0/1 | Not started | - |"},
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			lines := []string{
				"# R", "", tc.box, "", tc.heading, fmt.Sprintf(tc.field, "Goal", "g"), fmt.Sprintf(tc.field, "Plans", "1 plans"), "", "Plans:", tc.item, "",
				"| Phase | Plans Complete | Status | Completed |", "|---|---|---|---|", tc.row, "",
			}
			root := project(t, map[string]string{
				".planning/ROADMAP.md": strings.Join(lines, newline), ".planning/phases/01-one/01-01-PLAN.md": "", ".planning/phases/01-one/01-01-SUMMARY.md": "",
			})
			lines[2] = strings.Replace(tc.box, "[ ]", "[x]", 1) + " (completed " + today + ")"
			lines[6] = fmt.Sprintf(tc.field, "Plans", "1/1 plans complete")
			lines[9] = strings.Replace(tc.item, "[ ]", "[x]", 1)
			lines[13] = strings.Replace(tc.row, "0/1 | Not started | -", "1/1 | Complete | "+today, 1)
			want := strings.Join(lines, newline)
			for range 2 {
				_, stderr, code := ask(t, root, nil, "phase", "complete", "1")
				if got := planningFile(t, root, "ROADMAP.md"); got != want || code != 0 {
					t.Errorf("%s: exit %d, %s\n got %q\nwant %q", tc.box, code, stderr, got, want)
				}
			}
		}
	}
}

// Which milestone is the current one, and what it is called.
func TestMilestoneOfRoadmap(t *testing.T) {
	for _, tc := range []struct{ roadmap, state, want string }{
		{"# R\n", "", "v1.0 milestone"},
		{"## v3.1: Name Here\n", "", "v3.1 Name Here"},
		{"## Roadmap v2.0: Big Bang\n", "", "v2.0 Big Bang"},
		{"## ✅ v1.0 Old\n\n## 🚧 v1.1 Now\n", "", "v1.1 Now"},
		{"- 🚧 **v1.4 Fourth** - x\n\n## ✅ v1.3 Third\n### Phase 1: A\n", "", "v1.4 Fourth"},
		{"## v1.0 A\n\n## v2.0 B\n", "v2.0", "v2.0 B"},
	} {
		state := "# S\n"
		if tc.state != "" {
			state = "---\nmilestone: " + tc.state + "\n---\n" + state
		}
		root := project(t, map[string]string{".planning/ROADMAP.md": tc.roadmap, ".planning/STATE.md": state})
		version, _, _ := ask(t, root, nil, "state", "json", "--pick", "milestone")
		name, _, _ := ask(t, root, nil, "state", "json", "--pick", "milestone_name")
		if got := version + " " + name; got != tc.want {
			t.Errorf("%q: %s, want %s", tc.roadmap, got, tc.want)
		}
	}
}

// Phases that start again at 1, with the older ones folded away: everything
// works on the current one, and no new section goes into the fold.
func TestFoldedMilestone(t *testing.T) {
	folded := "<details>\n<summary>✅ v1.0 A</summary>\n\n- [x] **Phase 1: Old**\n\n### Phase 1: Old\n**Goal:** old\n\n</details>\n"
	current := "## v2.0 B\n\n- [ ] **Phase 1: New**\n\n### Phase 1: New\n**Goal:** new\n**Plans:** 0 plans\n"
	for name, roadmap := range map[string]string{"before": folded + "\n" + current, "after": current + "\n" + folded} {
		root := project(t, map[string]string{
			".planning/ROADMAP.md": roadmap, ".planning/phases/01-new/01-01-PLAN.md": "", ".planning/phases/01-new/01-01-SUMMARY.md": "",
			".planning/milestones/v1.0-phases/01-old/01-01-PLAN.md": "",
		})
		for _, s := range []struct{ args, want string }{
			{"roadmap get-phase 1 --pick goal", "new"},
			{"find-phase 1 --pick directory", ".planning/phases/01-new"},
			{"phase complete 1 --pick is_last_phase", "true"},
			{"phase add Next --pick phase_number", "2"},
			{"roadmap analyze --pick phase_count", "2"},
		} {
			if stdout, stderr, _ := ask(t, root, nil, strings.Fields(s.args)...); stdout != s.want {
				t.Errorf("%s: %s: %q, %s", name, s.args, stdout, stderr)
			}
		}
		after := planningFile(t, root, "ROADMAP.md")
		if !strings.Contains(after, strings.TrimSpace(folded)) {
			t.Errorf("%s: the fold changed:\n%s", name, after)
		}
	}
}

// The status of a phase follows from its files, or its box.
func TestDiskStatus(t *testing.T) {
	files := map[string]string{}
	roadmap := "- [x] **Phase 8: P** - by its box\n\n"
	for n := 1; n <= 8; n++ {
		roadmap += fmt.Sprintf("### Phase %d: P\n\n", n)
	}
	for _, file := range strings.Fields("02-p/x 03-p/03-CONTEXT.md 04-p/04-RESEARCH.md 05-p/05-01-PLAN.md 06-p/06-01-PLAN.md 06-p/06-01-SUMMARY.md " +
		"06-p/06-02-PLAN.md 07-p/PLAN.md 07-p/SUMMARY.md") {
		files[".planning/phases/"+file] = ""
	}
	files[".planning/ROADMAP.md"] = roadmap
	root := project(t, files)
	for i, want := range strings.Fields("no_directory empty discussed researched planned partial complete complete") {
		if got, _, _ := ask(t, root, nil, "roadmap", "analyze", "--pick", fmt.Sprintf("phases[%d].disk_status", i)); got != want {
			t.Errorf("phase %d is %s, want %s", i+1, got, want)
		}
	}
	for field, want := range map[string]string{"current_phase": "5", "next_phase": "1", "completed_phases": "2", "progress_percent": "50"} {
		if got, _, _ := ask(t, root, nil, "roadmap", "analyze", "--pick", field); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
}

func planningFile(t *testing.T, root, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, ".planning", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
