package doc

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadRoadmap(t *testing.T) {
	r := ReadRoadmap(Parse([]byte(strings.Join([]string{
		"## Phase 1: A", "**Goal**: a", "### Notes", "text", "#### Phase 1.1: B (INSERTED)", "##### Phase 5: too deep", "```", "### Phase 9: fenced", "```",
		"<details>", "### Phase 0: old", "**Goal:** o", "</details>", "# Phase 3: too high", "### Phase PROJ-42: C", "### Phase two", "",
		"- [ ] **Phase 1: A - x** - what", "- [x] **Phase 1.1**: B — more", "* [ ] Phase 2: C - d", "- [ ] **Task 1: no**", "- **Phase 4: no box**",
	}, "\n"))))
	var got []string
	for _, p := range r.Phases {
		got = append(got, fmt.Sprintf("%s %s %d-%d %v %v", p.Written, p.Name, p.Line, p.End, p.Inserted, p.Shipped))
	}
	want := []string{"1 A 0-4 false false", "1.1 B 4-9 true false", "0 old 10-12 false true", "PROJ-42 C 14-15 false false"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("sections\n%q, want\n%q", got, want)
	}
	got = nil
	for _, b := range r.Boxes {
		got = append(got, fmt.Sprintf("%s %s %v", b.Written, b.Name, b.Done))
	}
	if want := "[1 A - x false 1.1 B true 2 C false]"; fmt.Sprint(got) != want {
		t.Errorf("boxes %q", got)
	}
}

func TestMilestones(t *testing.T) {
	r := ReadRoadmap(Parse([]byte(strings.Join([]string{
		"- ✅ **v1.0 One** - Phases 1-2", "- needs Go v1.26", "## ✅ v1.0 One (Shipped: 2025)", "### Phase 1: Support v3.0", "## 🚧 v1.1: Two", "## Phase Details", "### 📋 v2.0.1", "## 📋 Later",
	}, "\n"))))
	var got []string
	for _, m := range r.Milestones {
		got = append(got, fmt.Sprintf("%s %q %s %d %d-%d", m.Version, m.Name, m.State, m.Level, m.Line, m.End))
	}
	want := []string{`v1.0 "One" shipped 0 0-1`, `v1.0 "One" shipped 2 2-4`, `v1.1 "Two" active 2 4-7`, `v2.0.1 "" planned 3 6-7`}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What a milestone's line says behind its name is its state; phases in brackets are no
// name.
func TestMilestoneLines(t *testing.T) {
	for line, want := range map[string]string{
		"- [ ] **v1.6 Next Steps** - Phases 22-25 (active)": `v1.6 "Next Steps" active`,
		"- [ ] **v1.7 Next Steps** - Phases 26-27":          `v1.7 "Next Steps" `,
		"- [x] **v1.5 Active Users** - Phases 17-21":        `v1.5 "Active Users" shipped`,
		"- 🚧 **v1.1 Polish** — Phases 7–9 (in progress)":    `v1.1 "Polish" active`,
		"## ✅ v2.0 (Phases 1-6) — SHIPPED 2026-04-03":       `v2.0 "" shipped`,
		"## v1.0 One ✅ SHIPPED 2026-01-02":                  `v1.0 "One" shipped`,
		"## v1.0 One ✅":                                     `v1.0 "One" shipped`,
	} {
		r := ReadRoadmap(Parse([]byte(line + "\n")))
		if len(r.Milestones) != 1 || fmt.Sprintf("%s %q %s", r.Milestones[0].Version, r.Milestones[0].Name, r.Milestones[0].State) != want {
			t.Errorf("%s: %+v, want %s", line, r.Milestones, want)
		}
	}
}

func TestPhaseRefs(t *testing.T) {
	for in, want := range map[string]string{
		"Phase 1": "1", "Phase 2, Phase 2.1": "2 2.1", "Phases 1, 2 and 3": "1 2 3", "1, 2": "1 2", "Nothing": "", "3": "3",
		"Phase 02 (needs 3 tables)": "02", "phase 3A, and 4": "3A 4", "Phase 1's 2 files": "1", "Phase 1 & Phase CK-03": "1 CK-03", "a phaser 3": "", "1.": "1", "12 monkeys": "",
	} {
		var got []string
		for _, ref := range PhaseRefs(in) {
			got = append(got, in[ref.From:ref.To])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q names %q, want %q", in, got, want)
		}
	}
}

func TestLike(t *testing.T) {
	id, _ := ParsePhaseID("4.1")
	for _, tc := range []struct {
		written string
		name    bool
		want    string
	}{{"5", false, "4.1"}, {"05", false, "04.1"}, {"10", false, "4.1"}, {"10", true, "04.1"}, {"5", true, "4.1"}, {"CK-05", true, "CK-04.1"}, {"AUTH", false, "4.1"}} {
		if got := id.Like(tc.written, tc.name); got != tc.want {
			t.Errorf("like %s: %s, want %s", tc.written, got, tc.want)
		}
	}
}

func TestReadRequirements(t *testing.T) {
	q := ReadRequirements(Parse([]byte("- [ ] **AUTH-01**: log in\n- [x] API-2 plain\n- [ ] no id\n- AUTH-09: no box\n```\n- [ ] **F-1**: fenced\n```\n\n| Requirement | Phase | Status |\n|---|---|---|\n| **AUTH-01** | Phase 1 | Pending |\n")))
	var got []string
	for _, it := range q.Items {
		got = append(got, fmt.Sprintf("%s %q %v", it.ID, it.What, it.Done))
	}
	if want := `[AUTH-01 "log in" false API-2 "plain" true]`; fmt.Sprint(got) != want {
		t.Errorf("items %s", got)
	}
	if row := q.Row("auth-01"); row != 0 || q.Cell(row, "Status") != "Pending" || q.Cell(q.Row("API-2"), "Status") != "" {
		t.Errorf("row %d", row)
	}
	if got := RequirementIDs("[WID-02, WID-03] and A1-x_y, WID-02; not a-1, -X, x-WID-9, TBD"); fmt.Sprint(got) != "[WID-02 WID-03 A1-x_y]" {
		t.Errorf("ids %s", got)
	}
}

func TestDependsOn(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Nothing (first phase)": "", "None": "", "Phase 1": "1", "Phase 2, Phase 2.1": "2 2.1", "Phases 1-3": "1 2 3",
		"1 and 02": "1 2", "Phase 3A (schema)": "3A", "Phase CK-01": "CK-1", "Phase PROJ-42": "PROJ-42", "a v2 client": "",
	} {
		if got := fmt.Sprint(DependsOn(text)); got != "["+want+"]" {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
