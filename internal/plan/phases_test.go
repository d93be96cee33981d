package plan

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

const threeMilestones = `# Roadmap

## Milestones

- ✅ **v1.0 First** - Phases 1-2 (shipped)
- 🚧 **v1.1 Second** - Phases 1-2
- 📋 **v2.0 Third** - later

<details>
<summary>✅ v1.0 First</summary>

- [x] **Phase 1: Old base**

### Phase 1: Old base
**Goal:** old
### Phase 2: Old api
</details>

### 🚧 v1.1 Second (In Progress)

- [ ] **Phase 1: Base**
- [ ] **Phase 2**: API - with a dash

#### Phase 1: Base
**Goal:** new
##### Details
more

## Phase Details

#### Phase 2: API
#### Phase 3: Third (INSERTED)

` + "```\n### Phase 9: fenced\n## v9.9 fenced\n```\n<!--\n### Phase 8: in a comment\n-->" + `

## 📋 v2.0 Third

### Phase 1: Far base
### Phase 999.1: Idea
`

// The current milestone's phases are those of its part of the roadmap; the
// same numbers elsewhere are other phases.
func TestPhasesOfMilestones(t *testing.T) {
	files := map[string]string{
		".planning/ROADMAP.md":                                       threeMilestones,
		".planning/phases/01-base/01-01-PLAN.md":                     "",
		".planning/phases/07-not-in-the-roadmap/07-CONTEXT.md":       "",
		".planning/phases/.hidden/x":                                 "",
		".planning/milestones/v1.0-phases/01-old-base/01-01-PLAN.md": "",
	}
	w := project(t, files)
	list := func(scope Scope) string {
		var out []string
		err := w.View(func(tx *Tx) error {
			for _, p := range tx.Phases(scope) {
				out = append(out, fmt.Sprintf("%s %s/%s", p.ID, p.Name, p.Archived))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(out, ", ")
	}
	if got, want := list(Current), "1 Base/, 2 API/, 3 Third/"; got != want {
		t.Errorf("current: %s", got)
	}
	if got, want := list(Everything), "1 Old base/v1.0, 1 Base/, 1 Far base/, 2 API/, 2 Old api/, 3 Third/, 7 not-in-the-roadmap/, 999.1 Idea/"; got != want {
		t.Errorf("everything: %s", got)
	}
	err := w.View(func(tx *Tx) error {
		version, name := tx.Milestone()
		if version != "v1.1" || name != "Second" {
			t.Errorf("milestone is %s %q", version, name)
		}
		p := tx.Phase(phaseID("01"))
		if p == nil || p.Name != "Base" || p.Dir != ".planning/phases/01-base" || p.Box == nil {
			t.Errorf("phase 1 is %+v", p)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	files[".planning/STATE.md"] = "---\nmilestone: v2.0\n---\n"
	w = project(t, files)
	if got, want := list(Current), "1 Far base/"; got != want {
		t.Errorf("of v2.0: %s", got)
	}
}

func TestNextNumber(t *testing.T) {
	for name, tc := range map[string]struct {
		files []string
		want  string
	}{
		"nothing":              {nil, "01-x"},
		"directories count":    {[]string{"04-d", "02.1-e"}, "05-x"},
		"the backlog does not": {[]string{"02-b", "999.1-idea", "1000-far"}, "03-x"},
		"custom ids do not":    {[]string{"02-b", "PROJ-42-c"}, "03-x"},
	} {
		files := map[string]string{".planning/ROADMAP.md": "# R\n\n```\n### Phase 77: fenced\n```\n"}
		for _, dir := range tc.files {
			files[".planning/phases/"+dir+"/.gitkeep"] = ""
		}
		w := project(t, files)
		update(t, w, func(tx *Tx) error {
			p := tx.AddPhase(NewPhase{Name: "x"})
			if p.Dir != ".planning/phases/"+tc.want {
				t.Errorf("%s: %s", name, p.Dir)
			}
			return nil
		})
	}
}

// Phases of a shipped milestone whose directories are still there keep their
// numbers, and everything of theirs, when later ones change.
func TestOlderPhasesAreLeftAlone(t *testing.T) {
	w := project(t, map[string]string{
		".planning/ROADMAP.md":       "<details>\n<summary>v1.0</summary>\n\n### Phase 1: A\n### Phase 2: B\n</details>\n\n## v1.1 Next\n\n### Phase 3: C\n### Phase 4: D\n### Phase 5: E\n",
		".planning/phases/01-a/x.md": "", ".planning/phases/02-b/x.md": "", ".planning/phases/04-d/04-CONTEXT.md": "",
	})
	update(t, w, func(tx *Tx) error {
		if must.Catch(func() { tx.MovePhase(phaseID("3"), phaseID("2"), false, "") }) == nil {
			t.Error("phase 3 was moved into a shipped milestone")
		}
		tx.RemovePhase(phaseID("3"), "", false)
		return nil
	})
	got := tree(t, w)
	if r := got[".planning/ROADMAP.md"]; !strings.HasSuffix(r, "## v1.1 Next\n\n### Phase 3: D\n### Phase 4: E\n") || !strings.Contains(r, "### Phase 2: B\n") {
		t.Errorf("roadmap\n%s", r)
	}
	if _, ok := got[".planning/phases/03-d/03-CONTEXT.md"]; !ok {
		t.Errorf("no 03-d in %v", got)
	}
}

func TestPathsFollowRenumbering(t *testing.T) {
	p := func(id, dir string) *Phase { return &Phase{ID: phaseID(id), Dir: ".planning/phases/" + dir} }
	rn := renumbering{{p("2", "02-api"), phaseID("3")}, {p("3", "03-ui"), phaseID("2")}}
	for in, want := range map[string]string{
		"@.planning/phases/02-api/02-01-SUMMARY.md, phases/03-ui.": "@.planning/phases/03-api/03-01-SUMMARY.md, phases/02-ui.",
		"phases/02-api-old/x phases/02-apis/02-01.md":              "phases/02-api-old/x phases/02-apis/02-01.md",
		"phases/03-ui/notes.md and phases/":                        "phases/02-ui/notes.md and phases/",
		"milestones/v1.0-phases/02-api/02-01-PLAN.md":              "milestones/v1.0-phases/02-api/02-01-PLAN.md",
	} {
		text := doc.New(in)
		rn.paths(text)
		if got := text.Line(0); got != want {
			t.Errorf("%s\nbecame %s", in, got)
		}
	}
}

// The time to read a roadmap grows with its length, not with its square.
func TestRoadmapOfManyPhases(t *testing.T) {
	const n = 100_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- [ ] **Phase %d: A** - b\n", i)
	}
	w := project(t, map[string]string{".planning/ROADMAP.md": b.String(), ".planning/phases/07-x/07-01-PLAN.md": ""})
	err := w.View(func(tx *Tx) error {
		phases := tx.Phases(Everything)
		if len(phases) != n || phases[7].Dir == "" {
			t.Errorf("%d phases", len(phases))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A file is read as a document when a path in it leads into a renumbered phase.
func TestNamedPaths(t *testing.T) {
	id := doc.PhaseID{Number: 3}
	rn := renumbering{{&Phase{ID: id, Dir: ".planning/phases/03-ui"}, doc.PhaseID{Number: 2}}}
	for text, want := range map[string]bool{
		"@.planning/phases/03-ui/03-01-SUMMARY.md": true,
		"phases/02-api/ and phases/03-ui.":         true,
		"phases/03-ui":                             true,
		"phases/03-ui-more/":                       false,
		"phases/02-api/03-ui":                      false,
		"phases/":                                  false,
		"":                                         false,
	} {
		if got := rn.named([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
