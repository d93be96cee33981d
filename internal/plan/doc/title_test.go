package doc

import (
	"strings"
	"testing"
)

// However people write a phase, its number and name are read, and what they
// mark it with is no part of the name.
func TestPhaseTitles(t *testing.T) {
	for in, want := range map[string]PhaseTitle{
		"Phase 2: API":                {Written: "2", Name: "API"},
		"Phase 13 — Mail":             {Written: "13", Name: "Mail"},
		"Phase 01 · Base":             {Written: "01", Name: "Base"},
		"Phase 4 - Users":             {Written: "4", Name: "Users"},
		"Phase 5":                     {Written: "5"},
		"✅ Phase 3: Store":            {Written: "3", Name: "Store", Said: SaysDone},
		"Phase 3: Store ✓ COMPLETE":   {Written: "3", Name: "Store", Said: SaysDone},
		"Phase 4: Account (Complete)": {Written: "4", Name: "Account", Said: SaysDone},
		"Phase 8: Complete the loop":  {Written: "8", Name: "Complete the loop"},
		"Phase 8: Rates — v2 (4/4 plans) — completed 2026-08-11":   {Written: "8", Name: "Rates — v2", Said: SaysDone},
		"Phase 1: Base + Data (2/2 plans) -- completed 2026-02-16": {Written: "1", Name: "Base + Data", Said: SaysDone},
		"Phase 9: Views - IN PROGRESS":                             {Written: "9", Name: "Views", Said: SaysOpen},
		"Phase 6: Rate ✅ (Already Fixed)":                          {Written: "6", Name: "Rate", Said: SaysDone},
		"Phase 6: Rate (#43) ✅ VERIFIED FIXED":                     {Written: "6", Name: "Rate (#43)", Said: SaysDone},
		"Phase 6: Tokens  ✅ COMPLETE (2026-06-02)":                 {Written: "6", Name: "Tokens", Said: SaysDone},
		"Phase 6: Write ✅ and ❌ as words":                          {Written: "6", Name: "Write ✅ and ❌ as words"},
		"Phase 6: Layout (fixed width)":                            {Written: "6", Name: "Layout (fixed width)"},
		"Phase 2.1: Fix *(INSERTED — gap closure)*":                {Written: "2.1", Name: "Fix", Inserted: true},
		"Phase 7: Ask (and answer)":                                {Written: "7", Name: "Ask (and answer)"},
		"v6.0 Phase 2: Part":                                       {Written: "2", Name: "Part", Version: "v6.0"},
		"Phase PROJ-42: Custom":                                    {Written: "PROJ-42", Name: "Custom"},
		"Phase 999.1: Idea (BACKLOG)":                              {Written: "999.1", Name: "Idea"},
		"Phase 158: Maps â\u0080\u0094 completed 2026-06-23":       {Written: "158", Name: "Maps", Said: SaysDone},
	} {
		got, ok := ReadPhaseTitle(in)
		want.ID, _ = ParsePhaseID(want.Written)
		if !ok || got != want {
			t.Errorf("%q is %v %+v, want %+v", in, ok, got, want)
		}
	}
	for _, in := range []string{"", "Phase Details", "Phase 4-7: several", "Phase 3 tests pass", "Phased rollout", "Phases 1-3", "✅", "**", "v1.0 Phases"} {
		if got, ok := ReadPhaseTitle(in); ok {
			t.Errorf("%q is %+v", in, got)
		}
	}
}

// A row of a milestone in the table of progress is no phase.
func TestRowsOfMilestones(t *testing.T) {
	r := ReadRoadmap(Parse([]byte("| Phase | Milestone | Plans | Status |\n|---|---|---|---|\n| 25. Verification | v0.9.0 | 4/4 | Complete |\n" +
		"| _v0.7.0 Benchmarks_ | v0.7.0 | deferred | renumbers 16-21 on start |\n| v1.0 | v1.0 | 0/0 | Planned |\n| PROJ-42 Custom | v0.9.0 | 0/1 | Planned |\n")))
	var ids []string
	for _, row := range r.ProgressRows("") {
		ids = append(ids, row.ID.String())
	}
	if got := strings.Join(ids, " "); got != "25 PROJ-42" {
		t.Error(got)
	}
}

func TestSays(t *testing.T) {
	for in, want := range map[string]Said{
		"Complete": SaysDone, "✓ Complete": SaysDone, "✅ **COMPLETE**": SaysDone, "done (1 plan)": SaysDone, "Already fixed by phase 4": SaysDone, "Not fixed": SaysOpen, "Closed (ops done)": SaysDone,
		"Not started": SaysOpen, "In Progress (2/3 complete)": SaysOpen, "📝 **PLANNED**": SaysOpen, "Partially complete": SaysOpen,
		"PARTIAL-SHIP (deploy landed)": SaysOpen, "Blocked (OPS-02)": SaysOpen, "2026-03-01": Silent, "": Silent, "-": Silent,
	} {
		if got := Says(in); got != want {
			t.Errorf("%q says %d, want %d", in, got, want)
		}
	}
}

// A milestone speaks for its phases, in a list, a heading, a summary or a table.
func TestRanges(t *testing.T) {
	r := ReadRoadmap(Parse([]byte(`# R

- ✅ **v1.0 First** — Phases 1–3, 07.1 (shipped 2026-01-01)
- v1.1 Second - Phase 4 (shipped)
- 🚧 **v1.2 Third** — Phases 5-6 (in progress)
- [x] **v1.3 Fourth** — Phases 8-9
- v0.9–v0.4: Phases 90-99 (archived)

| Milestone | Phases | Status |
|---|---|---|
| v2.0 Tabled | 20-22 | Complete |

<details>
<summary>Show the phases in detail</summary>

### Phase 5: Five

</details>
`)))
	for id, want := range map[string]Said{"2": SaysDone, "2.1": SaysDone, "7.1": SaysDone, "7": Silent, "4": SaysDone, "5": SaysOpen, "8": SaysDone, "95": SaysDone, "21": SaysDone, "23": Silent} {
		p, _ := ParsePhaseID(id)
		got := Silent
		for _, g := range r.Ranges {
			if g.Holds(p) {
				got = g.Said
			}
		}
		if got != want {
			t.Errorf("%s: %d, want %d", id, got, want)
		}
	}
	if len(r.Phases) != 1 || r.Phases[0].Shipped {
		t.Errorf("what only saves room is not shipped: %+v", r.Phases)
	}
	if name := r.MilestoneName("v1.1"); name != "Second" {
		t.Errorf("v1.1 is %q", name)
	}
}
