package doc

import (
	"slices"
	"testing"
)

func stateOf(lines ...string) State { return State{New(lines...)} }

func TestStatePhase(t *testing.T) {
	for _, tc := range []struct {
		lines        []string
		number, name string
		ok           bool
	}{
		{[]string{"**Current Phase:** 02", "**Current Phase Name:** API"}, "02", "API", true},
		{[]string{"Current Phase: 2.1"}, "2.1", "", true},
		{[]string{"## Current Position", "Phase: 2 of 5 (API (v2))"}, "2", "API (v2)", true},
		{[]string{"## Current Position", "Phase: 02.1 (Hotfix) — EXECUTING"}, "02.1", "Hotfix", true},
		{[]string{"## Current Position", "Phase: Not started (defining requirements)"}, "", "", false},
		{[]string{"**Current Phase:** Not started", "## Current Position", "Phase: 3 — EXECUTING"}, "3", "", true},
		{[]string{"```", "**Current Phase:** 9", "```"}, "", "", false},
		{[]string{"## Notes", "Phase: 9 of 9 (x)", "## Current Position", "Phase: 2 of 5 (API)"}, "2", "API", true},
		{[]string{"## Status", "Phase: 2 of 5 (API)"}, "2", "API", true},
		{[]string{"## Notes", "Phase: 2 was hard"}, "", "", false},
	} {
		s := stateOf(tc.lines...)
		number, name := s.Phase()
		_, ok := s.PhaseID()
		if tc.ok && (number != tc.number || name != tc.name) || ok != tc.ok {
			t.Errorf("%q: %q, %q, %v", tc.lines, number, name, ok)
		}
	}
}

func TestStatePlan(t *testing.T) {
	for _, tc := range []struct {
		line              string
		plan, total       int
		setPlan, setTotal int
		after             string
	}{
		{"Plan: 1 of 3 in current phase", 1, 3, 2, -1, "Plan: 2 of 3 in current phase"},
		{"Plan: 1 of 3", 1, 3, -1, 4, "Plan: 1 of 4"},
		{"Plan: Not started", -1, -1, -1, 4, "Plan: 0 of 4"},
		{"Plan: —", -1, -1, 1, -1, "Plan: 1"},
		{"Plan: 0 of 0 in current phase", 0, 0, 1, -1, "Plan: 1 in current phase"},
	} {
		s := stateOf("## Current Position", tc.line)
		if plan, total := s.Plan(); plan != tc.plan || total != tc.total {
			t.Errorf("%q is plan %d of %d", tc.line, plan, total)
		}
		s.SetPlan(tc.setPlan, tc.setTotal)
		if got := s.Line(1); got != tc.after {
			t.Errorf("%q became %q, want %q", tc.line, got, tc.after)
		}
	}
}

// A file without Current Position, and one with both numbers in Current Plan.
func TestStatePlanElsewhere(t *testing.T) {
	for line, after := range map[string]string{
		"Plan: 2 of 5 in current phase": "Plan: 3 of 5 in current phase",
		"**Current Plan:** 2 of 5":      "**Current Plan:** 3 of 5",
	} {
		s := stateOf("# S", "", line)
		if plan, total := s.Plan(); plan != 2 || total != 5 {
			t.Errorf("%q is plan %d of %d", line, plan, total)
		}
		if s.SetPlan(3, 5); s.Line(2) != after {
			t.Errorf("%q became %q", line, s.Line(2))
		}
	}
}

func TestStateSetWritesBothDialects(t *testing.T) {
	s := stateOf("**Status:** a", "## Current Position", "Status: a", "## Other", "Status: a")
	if !s.Set("status", "b\nc") {
		t.Fatal("there is no status")
	}
	want := []string{"**Status:** b c", "## Current Position", "Status: b c", "## Other", "Status: a"}
	if got := s.Lines(0, s.Len()); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if s.Set("nope", "x") {
		t.Error("a field was set that is not there")
	}
}

func TestStateActivity(t *testing.T) {
	for _, tc := range []struct {
		lines      []string
		what, want string
	}{
		{[]string{"Last activity: 2026-01-01 - created"}, "begun", "Last activity: 2026-02-02 - begun"},
		{[]string{"Last activity: 2026-01-01 — created"}, "begun", "Last activity: 2026-02-02 — begun"},
		{[]string{"Last activity: 2026-01-01"}, "begun", "Last activity: 2026-02-02 — begun"},
		{[]string{"Last activity: 2026-01-01 - created"}, "", "Last activity: 2026-02-02"},
		{[]string{"**Last Activity:** 2026-01-01", "**Last Activity Description:** x"}, "begun", "**Last Activity:** 2026-02-02"},
	} {
		s := stateOf(tc.lines...)
		s.SetActivity("2026-02-02", tc.what)
		if got := s.Line(0); got != tc.want {
			t.Errorf("%q became %q, want %q", tc.lines, got, tc.want)
		}
	}
}

func TestBarAndPercent(t *testing.T) {
	for percent, bar := range map[int]string{0: "[░░░░░░░░░░] 0%", 4: "[░░░░░░░░░░] 4%", 5: "[█░░░░░░░░░] 5%", 67: "[███████░░░] 67%", 100: "[██████████] 100%"} {
		if got := Bar(percent); got != bar {
			t.Errorf("Bar(%d) = %q, want %q", percent, got, bar)
		}
		if n, ok := Percent(bar); !ok || n != percent {
			t.Errorf("Percent(%q) = %d, %v", bar, n, ok)
		}
	}
	for text, want := range map[string]int{"45%": 45, "45.6 % of 3": 45, "none": -1, "[██] 2/5": -1} {
		if n, ok := Percent(text); ok != (want >= 0) || ok && n != want {
			t.Errorf("Percent(%q) = %d, %v", text, n, ok)
		}
	}
}

func TestStateLists(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   []string
		want []string
	}{
		{"in place of none", []string{"## Blockers", "", "None yet.", "", "## Next"}, []string{"## Blockers", "", "- new", "", "## Next"}},
		{"in place of an item that says none", []string{"## Concerns", "- No blockers yet"}, []string{"## Concerns", "- new"}},
		{"after the last item", []string{"### Blockers/Concerns", "", "- a", "  b", "", "## Next"}, []string{"### Blockers/Concerns", "", "- a", "  b", "- new", "", "## Next"}},
		{"after a paragraph", []string{"## Blockers", "Known:", "", "## Next"}, []string{"## Blockers", "Known:", "", "- new", "", "## Next"}},
		{"in an empty section", []string{"## Blockers", "## Next"}, []string{"## Blockers", "", "- new", "## Next"}},
		{"before what is inside", []string{"## Blockers", "- a", "### Old", "- b"}, []string{"## Blockers", "- a", "- new", "### Old", "- b"}},
		{"not in code", []string{"## Blockers", "```", "None", "```"}, []string{"## Blockers", "```", "None", "```", "", "- new"}},
	} {
		s := stateOf(tc.in...)
		sec, ok := s.Blockers()
		if !ok {
			t.Fatalf("%s: no blockers", tc.name)
		}
		s.AddItem(sec, "new")
		if got := s.Lines(0, s.Len()); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// What only sounds as if there were nothing is an entry, and stays.
func TestStateKeepsEntriesThatBeginWithNo(t *testing.T) {
	for _, entry := range []string{"no price list yet", "No API key", "nothing works", "None of the tests runs"} {
		s := stateOf("## Blockers", "", "- "+entry)
		sec, _ := s.Blockers()
		s.AddItem(sec, "new")
		if got := s.ItemTexts(sec); !slices.Contains(got, entry) {
			t.Errorf("%q is lost: %q", entry, got)
		}
	}
}

func TestStateRemoveItems(t *testing.T) {
	s := stateOf("## Blockers", "", "- a", "  more of a", "- b", "  - under b", "", "## Next")
	sec, _ := s.Blockers()
	removed := s.RemoveItems(sec, func(it Item) bool { return it.Text == "b" })
	if want := []string{"- b\n  - under b"}; !slices.Equal(removed, want) {
		t.Errorf("removed %q", removed)
	}
	sec, _ = s.Blockers()
	s.RemoveItems(sec, func(Item) bool { return true })
	if want := []string{"## Blockers", "", "None", "", "## Next"}; !slices.Equal(s.Lines(0, s.Len()), want) {
		t.Errorf("got %q", s.Lines(0, s.Len()))
	}
	sec, _ = s.Blockers()
	if texts := s.ItemTexts(sec); len(texts) != 0 {
		t.Errorf("items %q", texts)
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"a": "a", " a  b ": "a  b", "a\nb": "a b", "a \r\n\r\n  b\n": "a b", "\n": "", "a\u2028b\u0085c\x00d": "a b c d", "a\\nb $1": "a\\nb $1",
	} {
		if got := OneLine(in); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", in, got, want)
		}
	}
}
