package doc

import (
	"reflect"
	"testing"
)

func TestDecisionNotes(t *testing.T) {
	text := Parse([]byte(`# C
<decisions>
### Routing
- **D-01:** Use chi
  for every path
  - By: Ada
  - **Why:** small,
    and known
  - it explains
  - Evidence: router.go
  - Evidence: ` + "`TestRoutes`" + `
- **D-02:** Log with slog
  - Superseded by: 03/D-12 (2026-03-01): too slow
- **D-03:** Keep it
  - Replaced by: whatever comes
- **D-04:** no note
| D-05 | a row |

### D-06 — a heading
- Rationale: short

prose
</decisions>
`))
	ds, _ := text.Decisions()
	want := []DecisionNotes{
		{By: "Ada", Why: "small, and known", Evidence: []string{"router.go", "`TestRoutes`"}},
		{SupersededBy: "03/D-12", SupersededWhy: "(2026-03-01): too slow"},
		{SupersededBy: "?", SupersededWhy: "whatever comes"}, {}, {},
		{Why: "short"},
	}
	for i, d := range ds {
		if got := text.DecisionNotes(d); !reflect.DeepEqual(got, want[i]) {
			t.Errorf("%s: %+v, not %+v", d.ID, got, want[i])
		}
		if holds := i != 1 && i != 2; d.Trackable() != holds {
			t.Errorf("%s is to be tracked: %v", d.ID, d.Trackable())
		}
	}
}

func TestSupersede(t *testing.T) {
	for in, want := range map[string]string{
		"<decisions>\n- **D-01:** a\n  b\n- **D-02:** c\n</decisions>\n":                         "<decisions>\n- **D-01:** a\n  b\n  - Superseded by: D-02 (2026-03-01): why\n- **D-02:** c\n</decisions>\n",
		"<decisions>\n- **D-01:** a\n    - By: Ada\n    - text\n</decisions>\n":                  "<decisions>\n- **D-01:** a\n    - By: Ada\n    - Superseded by: D-02 (2026-03-01): why\n    - text\n</decisions>\n",
		"<decisions>\n- **D-01:** a\n  - text\n  - Superseded by: D-9\n    long\n</decisions>\n": "<decisions>\n- **D-01:** a\n  - text\n  - Superseded by: D-02 (2026-03-01): why\n</decisions>\n",
		"<decisions>\n### D-01 — a\nprose\n</decisions>\n":                                       "<decisions>\n### D-01 — a\n- Superseded by: D-02 (2026-03-01): why\n\nprose\n</decisions>\n",
		"<decisions>\n### D-01 — a\n\nprose\n</decisions>\n":                                     "<decisions>\n### D-01 — a\n- Superseded by: D-02 (2026-03-01): why\n\nprose\n</decisions>\n",
		"<decisions>\n| D-01 | a |\n</decisions>\n":                                              "",
	} {
		text := Parse([]byte(in))
		ds, _ := text.Decisions()
		ok := text.Supersede(ds[0], "D-02", "2026-03-01", "why")
		if ok != (want != "") || ok && text.String() != want {
			t.Errorf("%q: %v %q", in, ok, text.String())
			continue
		}
		if again, _ := text.Decisions(); ok && (again[0].Trackable() || text.DecisionNotes(again[0]).SupersededBy != "D-02") {
			t.Errorf("%q: %+v", in, again[0])
		}
	}
}

func TestDecisionRefs(t *testing.T) {
	for in, want := range map[string][]string{
		"D-01, D-02. D-01": {"D-01", "D-02"},
		"(02/D-07) and 2.1/D-08, 3A/D-9, CK-03/D-01 (AUTH/D-1)": {"02/D-07", "02.1/D-08", "03A/D-9", "03/D-01", "AUTH/D-1"},
		"AD-1 x-D-1 D- D-_ éD-1":                                nil,
		"either/D-01, a/02/D-03 D-INFRA-3-":                     {"D-01", "D-03", "D-INFRA-3"},
		"phases/02-x/D-05.md says 12/D-004 ok":                  {"D-05", "12/D-004"},
	} {
		var got []string
		for _, r := range DecisionRefs(in) {
			got = append(got, r.String())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, not %v", in, got, want)
		}
	}
	for id, want := range map[string]int{"D-07": 7, "D-112": 112, "D-X": 0, "E-1": 0, "D-": 0, "": 0} {
		if got := DecisionNumber(id); got != want {
			t.Errorf("%s: %d", id, got)
		}
	}
}
