package plan

import (
	"fmt"
	"strings"
	"testing"
)

// Several places of one number are one phase unless milestone or name tell them
// apart, and each place's claim is its own.
func TestPhasesOfStrangers(t *testing.T) {
	for name, tc := range map[string]struct {
		roadmap, state string
		dirs           []string
		want           string // number name: claims
	}{
		"an archive and a shipped line": {
			"<details>\n<summary>✅ v1.0 (Phases 1-1) — SHIPPED</summary>\n\n- [x] Phase 1: Base (1/1 plans) — completed 2026-01-01\n</details>\n", "",
			[]string{"milestones/v1.0-phases/01-base"}, "1 Base: milestone+ checklist+ archive+"},
		"a section, a fold and a row": {
			"## Phase Details\n\n### Phase 2: Store it\n\n<details>\n<summary>✅ v1.0 — SHIPPED</summary>\n\n- [x] Phase 2: Store it\n</details>\n\n| Phase | Status |\n|---|---|\n| 2. Store it | Complete |\n", "",
			nil, "2 Store it: milestone+ checklist+ table+"},
		"numbers that begin again": {
			"<details>\n<summary>✅ v1.0 — SHIPPED</summary>\n\n- [x] Phase 1: Base\n</details>\n\n## 🚧 v1.1\n\n- [ ] **Phase 1: Mail**\n", "",
			[]string{"milestones/v1.0-phases/01-base", "phases/01-mail"}, "1 Base: milestone+ checklist+ archive+, 1 Mail: checklist-"},
		"a copy in the archive": {"# R\n", "", []string{"milestones/v1.0-phases/03-c", "phases/03-c"}, "3 c: archive+"},
		"a row alone":           {"| Phase | Status |\n|---|---|\n| 4. Alone | Planned |\n", "", nil, "4 Alone: table-"},
		"a contradiction": {
			"- [x] **Phase 5: Told**\n\n### Phase 5: Told\n**Status**: In progress\n", "", nil, "5 Told: checklist+ status-"},
		"a range alone": {"- ✅ **v1.0** — Phases 6-7 (shipped)\n", "", []string{"phases/06-x"}, "6 x: milestone+"},
		"a fold in work": {
			"<details>\n<summary>v1.1 (Phases 8-9) - IN PROGRESS</summary>\n\n### Phase 8: Now\n</details>\n", "", nil, "8 Now: "},
		"a renamed directory": {
			"## Milestone: v1.0 *(completed)*\n\n| Phase | Name | Status |\n|---|---|---|\n| 9 | Sign up and in | done |\n", "milestone: v2.0",
			[]string{"phases/09-auth"}, "9 Sign up and in: milestone+ table+"},
		"a section left behind when its milestone was archived": {
			"<details>\n<summary>✅ v1.0 — SHIPPED</summary>\n\n- [x] Phase 3: Send all mail\n</details>\n\n## Details\n\n### Phase 3: Send all mail\n\n**Goal**: x\n", "milestone: v1.1",
			[]string{"milestones/v1.0-phases/03-smtp-out"}, "3 Send all mail: milestone+ checklist+ archive+"},
		"a directory whose name was cut off": {
			"- ✅ **v1.0** — Phases 3-3 (shipped)\n\n### Phase 3: Print the label of a parcel when it is sent abroad\n\n### v1.0\n\n- [x] Phase 3: Print the label of a parcel when it is sent abroad\n", "milestone: v1.1",
			[]string{"milestones/older-phases/03-print-the-label-of-a-parcel-wh"}, "3 Print the label of a parcel when it is sent abroad: milestone+ checklist+ archive+"},
		"two shipped milestones with the same numbers": {
			"- v1.0 — Phases 1-2 (shipped 2026-01-24)\n- v1.1 — Phases 1-2 (shipped 2026-02-03)\n", "",
			[]string{"phases/02-forms", "phases/02-sessions"}, "2 forms: milestone+, 2 sessions: milestone+"},
		"the same numbers, and one milestone in work": {
			"- v1.0 — Phases 1-2 (shipped 2026-01-24)\n- 🚧 v1.1 — Phases 1-2 (in progress)\n", "",
			[]string{"phases/02-forms", "phases/02-sessions"}, "2 forms:, 2 sessions:"},
	} {
		files := map[string]string{".planning/ROADMAP.md": tc.roadmap, ".planning/STATE.md": "---\n" + tc.state + "\n---\n"}
		for _, dir := range tc.dirs {
			files[".planning/"+dir+"/x.md"] = ""
		}
		err := project(t, files).View(func(tx *Tx) error {
			var out []string
			for _, p := range tx.Phases(Everything) {
				s := fmt.Sprintf("%s %s:", p.ID, p.Name)
				for _, c := range p.Claims() {
					s += " " + string(c.Source) + map[bool]string{true: "+", false: "-"}[c.Done]
					if c.Path == "" || c.Line == 0 && c.Source != ClaimArchive {
						t.Errorf("%s: %+v is nowhere", name, c)
					}
				}
				out = append(out, s)
			}
			if got := strings.Join(out, ", "); strings.TrimSpace(got) != strings.TrimSpace(tc.want) {
				t.Errorf("%s: %s, want %s", name, got, tc.want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// The list of milestones says whose a phase is that was written below another's
// heading.
func TestListedNumbers(t *testing.T) {
	w := project(t, map[string]string{
		".planning/ROADMAP.md": "- ✅ **v1.0** — Phases 1-2 (shipped 2026-02-01)\n- 🚧 **v1.1** — Phases 3-4 (planned)\n- 🚧 **v1.2** — Phases 5-6 (planned)\n\n" +
			"### 🚧 v1.1 Forms (Planned)\n\n- [ ] **Phase 3: Send**\n- [ ] **Phase 5: Print**\n\n## Phase Details\n\n### Phase 3: Send\n\n## v1.0 Base — SHIPPED\n\n### Phase 5: Print\n",
		".planning/STATE.md": "---\nmilestone: v1.2\n---\n",
	})
	err := w.View(func(tx *Tx) error {
		var out []string
		for _, p := range tx.Phases(Current) {
			out = append(out, p.ID.String()+" "+p.Milestone)
		}
		if got := strings.Join(out, ", "); got != "5 v1.2" {
			t.Errorf("current are %s", got)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// What was shipped, or stands before what was, is not work of today.
func TestShippedDirectoriesAreNotCurrent(t *testing.T) {
	w := project(t, map[string]string{
		".planning/ROADMAP.md":       "- ✅ **v1.1** — Phases 2-3 (shipped 2026-02-01)\n- ✅ v1.0–v1.0.3 — Archived in milestones/\n",
		".planning/phases/01-a/x.md": "", ".planning/phases/02-b/x.md": "", ".planning/phases/04-d/x.md": "",
	})
	err := w.View(func(tx *Tx) error {
		var out []string
		for _, p := range tx.Phases(Current) {
			out = append(out, p.ID.String())
		}
		if got := strings.Join(out, " "); got != "4" {
			t.Errorf("current are %s", got)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
