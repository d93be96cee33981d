package plan

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

const milestoneRoadmap = `# Roadmap

## v1.0 MVP

- [x] **Phase 1: Base** - base
- [ ] **Phase 2: API** - api

### Phase 1: Base
**Goal:** base

### Phase 2: API
**Goal:** api

## v1.1 Later

### Phase 3: More
**Goal:** more

## Progress
`

func milestoneProject(t *testing.T) *Workspace {
	return project(t, map[string]string{
		".planning/ROADMAP.md":              milestoneRoadmap,
		".planning/REQUIREMENTS.md":         "# Requirements\n- [x] **R-01**: one\n",
		".planning/MILESTONES.md":           "# Milestones\n\nOur milestones.\n\n## v0.9 Proto (Shipped: 2025-12-01)\n\n- x\n",
		".planning/v1.0-MILESTONE-AUDIT.md": "# Audit\n",
		".planning/STATE.md": "---\nmilestone: v1.0\nstatus: executing\nmine: kept\n---\n\n# State\n\n**Status:** Executing\n" +
			"**Last Activity:** 2026-01-01\n\n## Current Position\n\nPhase: 2 of 2 (API)\nPlan: 1 of 1 in current phase\n",
		".planning/phases/01-base/01-01-PLAN.md":    "---\nphase: 01\n---\n",
		".planning/phases/01-base/01-01-SUMMARY.md": "---\none-liner: \"[what was built]\"\n---\n\n# Summary\n\n**Base stands**\n\n- **Tasks:** 2\n",
		".planning/phases/02-api/02-01-PLAN.md":     "---\nphase: 02\n---\n",
		".planning/phases/02-api/02-01-SUMMARY.md":  "# Summary\n\n**[One line of what was achieved]**\n\n**Tasks:** 3\n",
		".planning/phases/03-more/03-01-PLAN.md":    "---\nphase: 03\n---\n",
	})
}

func complete(t *testing.T, w *Workspace, c MilestoneCompletion) *MilestoneCompleted {
	t.Helper()
	var done *MilestoneCompleted
	update(t, w, func(tx *Tx) (err error) {
		done = tx.CompleteMilestone(c)
		return nil
	})
	return done
}

func TestCompleteMilestone(t *testing.T) {
	w := milestoneProject(t)
	before := tree(t, w)
	done := complete(t, w, MilestoneCompletion{Version: "v1.0", Date: "2026-01-31", ArchivePhases: true, NextStep: "go on"})
	if done.Name != "MVP" || done.Directories() != 2 || done.Plans != 2 || done.Tasks != 5 || !done.StateUpdated || done.Already {
		t.Errorf("completed %+v", done)
	}
	if want := []string{"Base stands"}; !slices.Equal(done.Accomplishments, want) {
		t.Errorf("accomplishments %q: a template's placeholder is none", done.Accomplishments)
	}
	if want := (Archived{true, true, true, true}); done.Archived != want {
		t.Errorf("archived %+v", done.Archived)
	}
	after := tree(t, w)
	for name, want := range map[string]string{
		".planning/MILESTONES.md": "# Milestones\n\nOur milestones.\n\n## v1.0 MVP (Shipped: 2026-01-31)\n\n" +
			"**Phases completed:** 2 phases, 2 plans, 5 tasks\n\n**Key accomplishments:**\n\n- Base stands\n\n---\n\n" +
			"## v0.9 Proto (Shipped: 2025-12-01)\n\n- x\n",
		".planning/milestones/v1.0-ROADMAP.md":                  milestoneRoadmap,
		".planning/ROADMAP.md":                                  milestoneRoadmap,
		".planning/milestones/v1.0-MILESTONE-AUDIT.md":          "# Audit\n",
		".planning/milestones/v1.0-phases/02-api/02-01-PLAN.md": "---\nphase: 02\n---\n",
		".planning/phases/03-more/03-01-PLAN.md":                "---\nphase: 03\n---\n",
		".planning/REQUIREMENTS.md":                             before[".planning/REQUIREMENTS.md"],
	} {
		if after[name] != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, after[name], want)
		}
	}
	archive := after[".planning/milestones/v1.0-REQUIREMENTS.md"]
	if !strings.HasPrefix(archive, "# Requirements Archive: v1.0 MVP\n\n**Archived:** 2026-01-31\n") || !strings.HasSuffix(archive, before[".planning/REQUIREMENTS.md"]) {
		t.Errorf("the archived requirements are\n%s", archive)
	}
	for _, want := range []string{
		"status: completed", "mine: kept", "total_plans: 2", "**Status:** v1.0 milestone complete", "**Last Activity:** 2026-01-31",
		"Phase: Milestone v1.0 complete", "## Operator Next Steps\n\n- go on",
	} {
		if !strings.Contains(after[".planning/STATE.md"], want) {
			t.Errorf("STATE.md lacks %q:\n%s", want, after[".planning/STATE.md"])
		}
	}

	again := complete(t, w, MilestoneCompletion{Version: "v1.0", Date: "2026-02-01", NextStep: "go on"})
	if !again.Already {
		t.Error("the second time is the first")
	}
	equalTrees(t, tree(t, w), after)

	if _, err := w.Undo(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	equalTrees(t, tree(t, w), before)
}

func TestFoldedMilestoneIsShipped(t *testing.T) {
	for name, roadmap := range map[string]string{
		"divided": milestoneRoadmap,
		"whole":   "# Roadmap\r\n\r\n- [x] **Phase 1: Base** - base\r\n\r\n### Phase 1: Base\r\n**Goal:** base\r\n\r\n### Phase 2: API\r\n**Goal:** api\r\n\r\n### Phase 999.1: Idea\r\n**Goal:** some time\r\n",
		"apart":   "# R\n\n## Milestones\n\n- 🚧 **v1.0 MVP** - Phases 1-2\n\n## Phases\n\n### 🚧 v1.0 MVP\n\n#### Phase 1: Base\n**Goal:** base\n\n#### Phase 2: API\n**Goal:** api\n",
	} {
		t.Run(name, func(t *testing.T) {
			w := milestoneProject(t)
			update(t, w, func(tx *Tx) error { tx.Write(".planning/ROADMAP.md", []byte(roadmap)); return nil })
			complete(t, w, MilestoneCompletion{Version: "v1.0", Date: "2026-01-31", Fold: true})
			if err := w.View(func(tx *Tx) error {
				r := tx.Roadmap()
				for _, p := range r.Phases {
					if want := p.ID.Number <= 2; p.Shipped != want {
						t.Errorf("phase %s shipped: %v\n%s", p.ID, p.Shipped, r.String())
					}
				}
				if tx.Has(".planning/REQUIREMENTS.md") {
					t.Error("REQUIREMENTS.md is there still")
				}
				if report := tx.Report("v1.0"); report.Directories() != 2 {
					t.Errorf("after it was folded it has %d phases", report.Directories())
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			text := tree(t, w)[".planning/ROADMAP.md"]
			for line := range strings.Lines(roadmap) {
				if !strings.Contains(text, strings.Replace(line, "- 🚧", "- ✅", 1)) {
					t.Errorf("%q is lost", line)
				}
			}
			if strings.Contains(roadmap, "\r") && strings.Count(text, "\n") != strings.Count(text, "\r\n") {
				t.Error("line endings are mixed")
			}
		})
	}
}

func TestMilestoneThatTheRoadmapDoesNotHave(t *testing.T) {
	w := milestoneProject(t)
	_, err := w.Update(context.Background(), "test", func(tx *Tx) error {
		tx.CompleteMilestone(MilestoneCompletion{Version: "v7.0", Date: "2026-01-31"})
		return nil
	})
	if !errors.Is(err, ErrNoMilestone) {
		t.Errorf("error %v", err)
	}
}

// A STATE.md that stayed at a milestone that the roadmap calls shipped is not believed
// when another is in work there.
func TestMilestoneOvertaken(t *testing.T) {
	for roadmap, want := range map[string]string{
		"- ✅ **v1.0 One** - Phases 1-2 (shipped 2026-03-01)\n- 🚧 **v1.1 Two** - Phase 3 (in progress)\n": "v1.1 Two",
		"- [x] **v1.0 One** - Phases 1-2\n- [ ] **v1.1 Two** - Phase 3 (active)\n":                       "v1.1 Two",
		"- ✅ **v1.0 One** - Phases 1-2\n- 📋 **v1.1 Two** - Phase 3\n":                                    "v1.0 One",
		"- **v1.0 One** - Phases 1-2\n- 🚧 **v1.1 Two** - Phase 3\n":                                      "v1.0 One",
	} {
		w := milestoneProject(t)
		update(t, w, func(tx *Tx) error {
			tx.Write(tx.Path("ROADMAP.md"), []byte("# Roadmap\n\n"+roadmap))
			tx.Write(tx.Path("STATE.md"), []byte("---\nmilestone: v1.0\n---\n# State\n"))
			version, name := tx.Milestone()
			if version+" "+name != want {
				t.Errorf("%s %s, want %s of\n%s", version, name, want, roadmap)
			}
			return nil
		})
	}
}

// The list of milestones says that one is shipped however it says it of others.
func TestShippedLine(t *testing.T) {
	for line, want := range map[string]string{
		"- 🚧 **v1.1 Polish** — Phases 7–9 (in progress — Phase 7 complete)": "- ✅ **v1.1 Polish** — Phases 7–9 (shipped 2026-03-01)",
		"- [ ] **v1.6 Cleanup [ ]** - Phases 22-25 (active)":                "- [x] **v1.6 Cleanup [ ]** - Phases 22-25 (shipped 2026-03-01)",
		"- 📋 **v2.0** — Phases 10+ (planned)":                               "- ✅ **v2.0** — Phases 10+ (shipped 2026-03-01)",
		"- **v2.0 Active users (pilot)**":                                   "- **v2.0 Active users (pilot)**",
	} {
		if got := shippedLine(line, "2026-03-01"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestNewMilestone(t *testing.T) {
	w := milestoneProject(t)
	update(t, w, func(tx *Tx) error { tx.NewMilestone("v2.0", "Next"); return nil })
	after := tree(t, w)
	if !strings.HasSuffix(after[".planning/ROADMAP.md"], "\n## 🚧 v2.0 Next\n\n## Progress\n") {
		t.Errorf("the roadmap is\n%s", after[".planning/ROADMAP.md"])
	}
	if s := after[".planning/STATE.md"]; !strings.Contains(s, "milestone: v2.0\n") || !strings.Contains(s, "milestone_name: Next\n") {
		t.Errorf("STATE.md is\n%s", s)
	}
	for _, version := range []string{"v1.0", "v0.9", "2.1", "v2.1-x"} {
		if _, err := w.Update(context.Background(), "test", func(tx *Tx) error { tx.NewMilestone(version, ""); return nil }); err == nil {
			t.Errorf("%s is begun", version)
		}
	}
}

func TestBackfillMilestoneKeepsTheOrder(t *testing.T) {
	w := project(t, map[string]string{
		".planning/MILESTONES.md": "# Milestones\n\n## v1.10 New (Shipped: 2026-02-01)\n\n---\n\n## v1.0 Old (Shipped: 2026-01-01)\n\n---\n",
	})
	update(t, w, func(tx *Tx) error { tx.BackfillMilestone("v1.2"); return nil })
	got := tree(t, w)[".planning/MILESTONES.md"]
	if !(strings.Index(got, "v1.10") < strings.Index(got, "v1.2 (") && strings.Index(got, "v1.2 (") < strings.Index(got, "v1.0")) {
		t.Errorf("MILESTONES.md is\n%s", got)
	}
}

func TestVersionIsNoPath(t *testing.T) {
	w := milestoneProject(t)
	before := tree(t, w)
	for _, version := range []string{"", "../../x", "..", "v1/0", `v1\0`, "v1\x000"} {
		_, err := w.Update(context.Background(), "test", func(tx *Tx) error {
			tx.CompleteMilestone(MilestoneCompletion{Version: version, Date: "2026-01-31"})
			return nil
		})
		var input *InputError
		if !errors.As(err, &input) {
			t.Errorf("%q: %v", version, err)
		}
	}
	equalTrees(t, tree(t, w), before)
}

// A file that cannot be read is not one that is not there.
func TestMilestonesThatCannotBeRead(t *testing.T) {
	w := project(t, map[string]string{".planning/MILESTONES.md/x": ""})
	err := w.View(func(tx *Tx) error { tx.MilestoneEntered("v1.0"); return nil })
	if err == nil || !strings.Contains(err.Error(), "MILESTONES.md") {
		t.Errorf("got %v", err)
	}
}
