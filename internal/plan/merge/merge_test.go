package merge_test

import (
	"context"
	"strings"
	"testing"

	"cairn/internal/plan/doc"
	"cairn/internal/plan/merge"
)

const state = `---
status: planning
last_updated: "2026-03-01T09:00:00.000Z"
progress:
  total_phases: 3
  completed_phases: 1
  total_plans: 2
  completed_plans: 1
  percent: 33
---

# Project State

## Current Position

Phase: 1 of 3 (Base)
Plan: 1 of 2
Status: Ready to plan

### Decisions

None yet.

### Blockers/Concerns

- old one

## Session Continuity

Stopped at: nowhere
`

const roadmap = `# Roadmap

## Phases

- [ ] **Phase 1: Base** - lay it
- [ ] **Phase 2: Form** - show it
- [ ] **Phase 3: Mail** - send it

## Phase Details

### Phase 1: Base
**Goal:** lay it
**Plans:** 0/1 plans executed

Plans:
- [ ] 01-01: one

### Phase 2: Form
**Goal:** show it
**Depends on:** Phase 1
**Requirements:** A-01

Plans:
- [ ] TBD

### Phase 3: Mail
**Goal:** send it
**Depends on:** Phase 2

Plans:
- [ ] 03-01: send

## Progress

| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 1. Base | 0/1 | Planned | - |
| 2. Form | 0/0 | Not started | - |
| 3. Mail | 0/1 | Planned | - |
`

// edit replaces pairs of texts, each of which must be there.
func edit(t *testing.T, s string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(s, pairs[i]) {
			t.Fatalf("%q is not in\n%s", pairs[i], s)
		}
		s = strings.Replace(s, pairs[i], pairs[i+1], 1)
	}
	return s
}

const decided = "# Context\n\n<decisions>\n### Base\n\n- **D-01:** a\n  - Why: small\n- **D-02:** b\n\n### Claude's Discretion\n\n- names\n</decisions>\n"

const (
	billing = "### Phase 4: Billing\n**Goal:** take money\n**Depends on:** Phase 3\n\nPlans:\n- [ ] 04-01: cents\n\n## Progress"
	search  = "### Phase 4: Search\n**Goal:** find it\n**Depends on:** Phase 3\n\nPlans:\n- [ ] 04-01: index\n\n### Phase 5: Ranking\n**Goal:** sort it\n**Depends on:** Phase 4\n\n## Progress"
)

func TestMerge(t *testing.T) {
	withBilling := edit(t, roadmap, "## Progress", billing, "- send it\n", "- send it\n- [ ] **Phase 4: Billing** - take money\n", "| 3. Mail | 0/1 | Planned | - |\n", "| 3. Mail | 0/1 | Planned | - |\n| 4. Billing | 0/1 | Planned | - |\n")
	withSearch := edit(t, roadmap, "## Progress", search, "- send it\n", "- send it\n- [ ] **Phase 4: Search** - find it\n- [ ] **Phase 5: Ranking** - sort it\n")
	withoutForm := edit(t, roadmap, "- [ ] **Phase 2: Form** - show it\n", "", "Phase 3: Mail", "Phase 2: Mail",
		"### Phase 2: Form\n**Goal:** show it\n**Depends on:** Phase 1\n**Requirements:** A-01\n\nPlans:\n- [ ] TBD\n\n", "",
		"### Phase 3: Mail", "### Phase 2: Mail", "**Depends on:** Phase 2", "**Depends on:** Phase 1", "03-01", "02-01", "| 2. Form | 0/0 | Not started | - |\n", "", "3. Mail", "2. Mail")
	for _, c := range []struct {
		name, path         string
		base, ours, theirs string
		conflicts          int
		want, without      []string // texts of the result
	}{
		{"two decisions in an empty list", "STATE.md", state, edit(t, state, "None yet.", "- ours"), edit(t, state, "None yet.", "- theirs"), 0,
			[]string{"### Decisions\n\n- ours\n- theirs\n\n### Blockers"}, []string{"None yet."}},
		{"a blocker that one removed", "STATE.md", state, edit(t, state, "- old one", "- old one\n- new one"), edit(t, state, "- old one", "None"), 0,
			[]string{"Concerns\n\n- new one\n\n"}, []string{"old one", "None\n"}},
		{"where the work stands is the later one's", "STATE.md", state,
			edit(t, state, "Phase: 1 of 3 (Base)", "Phase: 2 (Form) — EXECUTING", "Ready to plan", "Executing Phase 2", "2026-03-01T09", "2026-03-02T10"),
			edit(t, state, "Phase: 1 of 3 (Base)", "Phase: 3 (Mail) — EXECUTING", "Ready to plan", "Executing Phase 3", "2026-03-01T09", "2026-03-02T11", "nowhere", "03-01"), 0,
			[]string{"Phase: 3 (Mail)", "Status: Executing Phase 3", "Stopped at: 03-01", "2026-03-02T11"}, []string{"Form"}},
		{"a phase more is not another position", "STATE.md", state,
			edit(t, state, "1 of 3 (Base)", "2 of 3 (Form)", "2026-03-01T09", "2026-03-02T10"),
			edit(t, state, "1 of 3 (Base)", "1 of 4 (Base)", "total_phases: 3", "total_phases: 4", "2026-03-01T09", "2026-03-02T11"), 0,
			[]string{"Phase: 2 of 4 (Form)", "total_phases: 4"}, nil},
		{"counters have what both added", "STATE.md", state,
			edit(t, state, "total_phases: 3", "total_phases: 4", "completed_plans: 1", "completed_plans: 2"),
			edit(t, state, "total_phases: 3", "total_phases: 5", "total_plans: 2", "total_plans: 3"), 0,
			[]string{"total_phases: 6\n  completed_phases: 1\n  total_plans: 3\n  completed_plans: 2\n  percent: 17"}, nil},
		{"two new phases with one number", "ROADMAP.md", roadmap, withSearch, withBilling, 0,
			[]string{"### Phase 4: Billing\n", "### Phase 6: Search\n**Goal:** find it\n**Depends on:** Phase 3\n\nPlans:\n- [ ] 06-01: index",
				"### Phase 5: Ranking\n**Goal:** sort it\n**Depends on:** Phase 6", "**Phase 6: Search** - find it", "4. Billing"}, []string{"Phase 4: Search"}},
		{"a phase renumbered here, edited there", "ROADMAP.md", roadmap, withoutForm, edit(t, roadmap, "**Goal:** send it", "**Goal:** send it well"), 0,
			[]string{"### Phase 2: Mail\n**Goal:** send it well\n**Depends on:** Phase 1"}, []string{"Form", "Phase 3"}},
		{"a phase removed here, worked on there", "ROADMAP.md", roadmap, withoutForm, edit(t, roadmap, "**Goal:** show it", "**Goal:** show it well"), 0,
			[]string{"Mail\n**Goal:** send it", "Form\n**Goal:** show it well", "2. Mail", ". Form"}, nil},
		{"counts, ticks and lists of a phase", "ROADMAP.md", roadmap,
			edit(t, roadmap, "- [ ] 01-01: one", "- [x] 01-01: one", "0/1 plans executed", "1/1 plans complete", "A-01", "A-01, A-02", "| 0/1 | Planned |", "| 1/1 | Complete |"),
			edit(t, roadmap, "- [ ] 01-01: one", "- [ ] 01-01: one\n- [ ] 01-02: two", "0/1 plans executed", "0/2 plans executed", "A-01", "A-01, A-03", "| 0/1 | Planned |", "| 0/2 | In Progress |"), 0,
			[]string{"- [x] 01-01: one\n- [ ] 01-02: two", "1/2 plans executed", "A-01, A-02, A-03", "| 1. Base | 1/2 | Complete | - |"}, nil},
		{"two goals", "ROADMAP.md", roadmap, edit(t, roadmap, "**Goal:** show it", "**Goal:** show it fast"), edit(t, roadmap, "**Goal:** show it", "**Goal:** show it well"), 1,
			[]string{"<<<<<<< ours\n**Goal:** show it fast\n=======\n**Goal:** show it well\n>>>>>>> theirs\n**Depends on:** Phase 1"}, nil},
		{"requirements next to each other", "REQUIREMENTS.md", "- [ ] **A-01**: a\n- [ ] **A-02**: b\n\n| Requirement | Phase | Status |\n|---|---|---|\n| A-01 | Phase 1 | Pending |\n| A-02 | Phase 2 | Pending |\n",
			"- [x] **A-01**: a\n- [ ] **A-02**: b\n\n| Requirement | Phase | Status |\n|---|---|---|\n| A-01 | Phase 1 | Complete |\n| A-02 | Phase 2 | Pending |\n",
			"- [ ] **A-01**: a\n- [x] **A-02**: b, again\n- [ ] **A-03**: c\n\n| Requirement | Phase | Status |\n|---|---|---|\n| A-01 | Phase 3 | In Progress |\n| A-02 | Phase 2 | Complete |\n", 0,
			[]string{"- [x] **A-01**: a\n- [x] **A-02**: b, again\n- [ ] **A-03**: c\n", "| A-01 | Phase 3 | Complete |\n| A-02 | Phase 2 | Complete |\n"}, nil},
		{"settings", "config.json", "{\n  \"a\": 1,\n  \"b\": {\"c\": 1}\n}\n", "{\n  \"a\": 2,\n  \"b\": {\"c\": 1}\n}\n", "{\n  \"a\": 1,\n  \"b\": {\"c\": 1, \"d\": 2},\n  \"e\": 3\n}\n", 0,
			[]string{`"a": 2`, `"d": 2`, `"e": 3`}, nil},
		{"one setting, two values", "config.json", "{\n  \"a\": 1,\n  \"b\": 1\n}\n", "{\n  \"a\": 2,\n  \"b\": 1\n}\n", "{\n  \"a\": 3,\n  \"b\": 4\n}\n", 1,
			[]string{"{\n<<<<<<< ours\n  \"a\": 2,\n=======\n  \"a\": 3,\n>>>>>>> theirs\n  \"b\": 4\n}\n"}, nil},
		{"lines that are added", "log.jsonl", "{\"n\":1}\n", "{\"n\":1}\n{\"n\":2}\n", "{\"n\":1}\n{\"n\":3}\n", 0, []string{"{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n"}, nil},
		{"a plan", "phases/01-base/01-01-PLAN.md", "---\nwave: 1\nfiles: [a]\n---\n\nDo it.\n\nThen rest.\n", "---\nwave: 1\nfiles: [a, b]\n---\n\nDo it well.\n\nThen rest.\n", "---\nwave: 2\nfiles: [a, c]\n---\n\nDo it.\n\nThen sleep.\n", 0,
			[]string{"---\nwave: 2\nfiles: [a, b, c]\n---\n\nDo it well.\n\nThen sleep.\n"}, nil},
		{"decisions, and what is noted below them", "phases/01-base/01-CONTEXT.md", decided,
			edit(t, decided, "- **D-02:** b\n", "- **D-02:** b\n  - Superseded by: D-03 (2026-03-01): slow\n- **D-03:** c\n", "- Why: small\n", "- Why: small\n  - Evidence: a_test.go\n"),
			edit(t, decided, "a\n  - Why", "a, always\n  - By: Ada\n  - Why", "- **D-02:** b\n", "- **D-02:** b\n  - Evidence: b_test.go\n- **D-04:** d\n"), 0,
			[]string{"- **D-01:** a, always\n  - By: Ada\n  - Why: small\n  - Evidence: a_test.go\n", "- **D-02:** b\n  - Superseded by: D-03 (2026-03-01): slow\n  - Evidence: b_test.go\n- **D-03:** c\n- **D-04:** d\n\n### Claude's"}, nil},
		{"one new id, two decisions", "phases/01-base/01-CONTEXT.md", decided, edit(t, decided, "b\n", "b\n- **D-03:** c\n"), edit(t, decided, "b\n", "b\n- **D-03:** d\n"), 1,
			[]string{"<<<<<<< ours\n- **D-03:** c\n=======\n- **D-03:** d\n>>>>>>> theirs\n"}, nil},
		{"Windows' line ends are git's", "STATE.md", "a\r\nb\r\nc\r\n", "a\r\nb\r\nx\r\n", "y\r\nb\r\nc\r\n", 0, []string{"y\r\nb\r\nx\r\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := merge.Merge(".planning/"+c.path, []byte(c.base), []byte(c.ours), []byte(c.theirs), merge.GitLines(context.Background(), t.TempDir()))
			if err != nil || r.Conflicts != c.conflicts {
				t.Fatalf("%d conflicts, %v\n%s", r.Conflicts, err, r.Data)
			}
			for _, s := range c.want {
				if !strings.Contains(string(r.Data), s) {
					t.Errorf("without %q:\n%s", s, r.Data)
				}
			}
			for _, s := range c.without {
				if strings.Contains(string(r.Data), s) {
					t.Errorf("with %q:\n%s", s, r.Data)
				}
			}
		})
	}
	// Whoever merges whom, a phase gets the same number.
	lines := merge.GitLines(context.Background(), t.TempDir())
	one, _ := merge.Merge("ROADMAP.md", []byte(roadmap), []byte(withSearch), []byte(withBilling), lines)
	other, _ := merge.Merge("ROADMAP.md", []byte(roadmap), []byte(withBilling), []byte(withSearch), lines)
	for _, b := range [][]byte{one.Data, other.Data} {
		seen := map[string]bool{}
		for _, p := range doc.ReadRoadmap(doc.Parse(b)).Phases {
			if seen[p.Written] {
				t.Errorf("phase %s twice in\n%s", p.Written, b)
			}
			seen[p.Written] = true
		}
	}
	if string(one.Data) != string(other.Data) {
		t.Errorf("it depends on who merges:\n%s\n---\n%s", one.Data, other.Data)
	}
}

// Whatever three versions hold, merging does not panic, and what both agree on
// stays.
func FuzzMerge(f *testing.F) {
	f.Add(state, state, state)
	f.Add(roadmap, roadmap+"\n### Phase 4: X\n", roadmap+"\n### Phase 4: Y\n")
	f.Add("---\na: 1\n---\n|a|b|\n|-|-|\n|c|\n", "- [ ] Phase 1: a\n", "```\n# x\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		lines := func(b, o, th []byte) ([]byte, int, error) { return append(o, th...), 1, nil }
		for _, name := range []string{"STATE.md", "ROADMAP.md", "REQUIREMENTS.md", "PROJECT.md", "config.json", "x.jsonl", "phases/01-a/01-01-PLAN.md"} {
			if _, err := merge.Merge(name, []byte(base), []byte(ours), []byte(theirs), lines); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			r, err := merge.Merge(name, []byte(base), []byte(base), []byte(theirs), lines)
			if err != nil || string(r.Data) != theirs {
				t.Errorf("%s: theirs alone changed, and it is\n%q\nnot\n%q", name, r.Data, theirs)
			}
		}
	})
}
