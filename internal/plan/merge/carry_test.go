package merge_test

import (
	"strings"
	"testing"

	"cairn/internal/plan/doc"
	"cairn/internal/plan/merge"
)

const shippedRoadmap = `# Roadmap

## Phases

<details>
<summary>✅ v1.0 One - SHIPPED 2026-03-01</summary>

- [x] **Phase 1: Base** - lay it
- [x] **Phase 2: Form** - show it
- [x] **Phase 3: Mail** - send it

</details>

## 🚧 v1.1 Two
`

// What one person added to a milestone while the other shipped it goes on in the next.
func TestPhaseOfAMilestoneThatTheOtherShipped(t *testing.T) {
	base := strings.Replace(roadmap[:strings.Index(roadmap, "## Phase Details")], "# Roadmap\n", "# Roadmap\n\n## 🚧 v1.0 One\n", 1)
	base = strings.Replace(base, "## Phases\n", "", 1)
	added := base + "- [ ] **Phase 4: Late** - in time\n\n### Phase 4: Late\n**Goal:** in time\n**Depends on:** Phase 3\n"
	for name, c := range map[string]struct{ theirs, want string }{
		"nothing is in the next one": {shippedRoadmap, "v1.0 1 2 3 | v1.1 4 Late after Phase 3"},
		"its number is taken": {shippedRoadmap + "\n- [ ] **Phase 4: New**\n\n### Phase 4: New\n**Goal:** new\n",
			"v1.0 1 2 3 | v1.1 4 New after  | v1.1 5 Late after Phase 3"},
		"there is no next one": {strings.Replace(shippedRoadmap, "## 🚧 v1.1 Two\n", "", 1), "v1.0 1 2 3 |  4 Late after Phase 3"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, turned := range []bool{false, true} {
				ours, theirs := added, c.theirs
				if turned {
					ours, theirs = theirs, ours
				}
				result, err := merge.Merge("ROADMAP.md", []byte(base), []byte(ours), []byte(theirs), merge.GitLines(t.Context(), t.TempDir()))
				if err != nil || result.Conflicts > 0 {
					t.Fatal(err, result.Conflicts)
				}
				merged := string(result.Data)
				r := doc.ReadRoadmap(doc.Parse([]byte(merged)))
				got := "v1.0"
				for _, b := range r.Boxes {
					if b.Shipped {
						got += " " + b.ID.String()
					}
				}
				for _, p := range r.Phases {
					depends, _ := r.PhaseField(p, "Depends on")
					got += " | " + p.Version + " " + p.ID.String() + " " + p.Name + " after " + depends.Value
				}
				if boxes := strings.Count(merged, "Late** - in time"); got != c.want || boxes != 1 {
					t.Errorf("turned %v: %q, %d boxes, want %q\n%s", turned, got, boxes, c.want, merged)
				}
			}
		})
	}
}

// What one person changed of a phase while the other shipped it stands in it once.
func TestChangeOfAPhaseThatTheOtherShipped(t *testing.T) {
	base := "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Base**\n- [ ] **Phase 2: Form** - show it\n\n## Phase Details\n\n### Phase 1: Base\n**Goal:** lay it\n\n" +
		"### Phase 2: Form\n**Goal:** show it\n**Requirements:** A-01\n"
	changed := strings.Replace(base, "**Goal:** show it", "**Goal:** show it well", 1)
	shipped := strings.Replace(base, "## Phases\n", "## Phases\n\n<details>\n<summary>✅ v1.0 One - SHIPPED 2026-03-01</summary>\n", 1) + "\n</details>\n\n## 🚧 v1.1 Two\n"
	shipped = strings.ReplaceAll(shipped, "- [ ]", "- [x]")
	for _, three := range [][2]string{{changed, shipped}, {shipped, changed}} {
		result, err := merge.Merge("ROADMAP.md", []byte(base), []byte(three[0]), []byte(three[1]), merge.GitLines(t.Context(), t.TempDir()))
		if want := strings.Replace(shipped, "**Goal:** show it", "**Goal:** show it well", 1); err != nil || result.Conflicts > 0 || string(result.Data) != want {
			t.Errorf("%v, %d conflicts\n%s", err, result.Conflicts, result.Data)
		}
	}
}
