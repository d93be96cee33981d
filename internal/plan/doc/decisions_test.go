package doc

import (
	"reflect"
	"testing"
)

func TestDecisions(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want []Decision
		bad  []int
	}{
		"category, tags, continuation": {
			"# C\n<decisions>\n## Implementation\n### Routing\n- **D-01:** Use chi\n  and no other\n\n- **D-INFRA-3 [deferred]:** later\n</decisions>\n",
			[]Decision{{"D-01", "Routing", nil, "Use chi and no other", 4}, {"D-INFRA-3", "Routing", []string{"deferred"}, "later", 7}}, nil,
		},
		"tab continuation (F12)": {
			"<decisions>\n- **D-1:** a\n\tb\n \tc\n</decisions>", []Decision{{"D-1", "", nil, "a b c", 1}}, nil,
		},
		"a blank line, a bullet and plain text end an item": {
			"<decisions>\n- **D-1:** a\n\n  b\n- **D-2:** c\n  - d\n  e\n- **D-3:** f\ng\n</decisions>",
			[]Decision{{"D-1", "", nil, "a", 1}, {"D-2", "", nil, "c", 4}, {"D-3", "", nil, "f", 7}}, nil,
		},
		"every block counts (F13)": {
			"<decisions>\n### A\n- **D-1:** a\n</decisions>\n\ntext\n\n<decisions>\n- **D-2:** b\n</decisions>\n<decisions>\n### C\n- **D-3:** c\n</decisions>",
			[]Decision{{"D-1", "A", nil, "a", 2}, {"D-2", "", nil, "b", 8}, {"D-3", "C", nil, "c", 12}}, nil,
		},
		"fences are text (F11)": {
			"```md\n<decisions>\n- **D-9:** x\n</decisions>\n```\n<decisions>\n~~~\n- **D-8:** y\n~~~\n- **D-1:** a\n</decisions>\n",
			[]Decision{{"D-1", "", nil, "a", 9}}, nil,
		},
		"comments are text": {"<decisions>\n<!--\n- **D-8:** y\n-->\n- **D-1:** a\n</decisions>\n", []Decision{{"D-1", "", nil, "a", 4}}, nil},
		"below one in a heading": {
			"<decisions>\n### D-7 — Assets\n- **D-1:** a\n- why it is so\n### Next\n- **D-2:** b\n</decisions>",
			[]Decision{{"D-7", "", nil, "Assets", 1}, {"D-1", "", nil, "a", 2}, {"D-2", "Next", nil, "b", 5}}, nil,
		},
		"on one line":                  {"x <decisions>- **D-1:** a</decisions> - **D-2:** b", []Decision{{"D-1", "", nil, "a", 0}}, nil},
		"never closed":                 {"<decisions>\n- **D-1:** a", []Decision{{"D-1", "", nil, "a", 1}}, nil},
		"the colon outside":            {"<decisions>\n- **D-1**: a\n* **D-2 [Folded, x]**: b\n</decisions>", []Decision{{"D-1", "", nil, "a", 1}, {"D-2", "", []string{"folded", "x"}, "b", 2}}, nil},
		"other bullets":                {"<decisions>\n- **Good:** a\n- b\n- **E-1:** c\n</decisions>", nil, nil},
		"no decision, and meant as":    {"<decisions>\n- **D-:** b\n- **D-2 [a:** d\n</decisions>", nil, []int{1, 2}},
		"outside of a block":           {"- **D-1:** a\n", nil, nil},
		"a heading in a fence":         {"<decisions>\n```\n### X\n```\n- **D-1:** a\n</decisions>", []Decision{{"D-1", "", nil, "a", 4}}, nil},
		"a higher heading ends it":     {"<decisions>\n### Claude's Discretion\n## Next\n- **D-1:** a\n</decisions>", []Decision{{"D-1", "", nil, "a", 3}}, nil},
		"CRLF, BOM, no end":            {"\xef\xbb\xbf<decisions>\r\n- **D-1:** a\r\n  b\r\n</decisions>", []Decision{{"D-1", "", nil, "a b", 1}}, nil},
		"the tag in prose is no block": {"Use `<decisions>` blocks.\n- **D-9:** x\n", nil, nil},
	} {
		got, bad := Parse([]byte(tt.in)).Decisions()
		if !reflect.DeepEqual(got, tt.want) || !reflect.DeepEqual(bad, tt.bad) {
			t.Errorf("%s:\n got %+v %v\nwant %+v %v", name, got, bad, tt.want, tt.bad)
		}
	}
}

// Every quote an editor may make of the apostrophe, and the tags (F20).
func TestTrackable(t *testing.T) {
	for _, quote := range []string{"'", "‘", "’", "‚", "‛", "`", "´", "ʼ", "′", "＇", "\"", "“", "”", "„", "‟", "«", ""} {
		for _, heading := range []string{"Claude" + quote + "s Discretion", quote + "Claude Discretion" + quote, "CLAUDE" + quote + "S  discretion"} {
			if (Decision{Category: heading}).Trackable() {
				t.Errorf("%s is to be tracked", heading)
			}
		}
	}
	for _, heading := range []string{"Claude's Discretion (autonomous mode)", "Claude's discretion — none of these was asked"} {
		if (Decision{Category: heading}).Trackable() {
			t.Errorf("%s is to be tracked", heading)
		}
	}
	for tag, want := range map[string]bool{"informational": false, "folded": false, "deferred": false, "x": true} {
		if (Decision{Tags: []string{"y", tag}}).Trackable() != want {
			t.Errorf("[%s] is %v", tag, !want)
		}
	}
	for _, heading := range []string{"Discretion", "Claude's Discretionary fund", "Routing", ""} {
		if !(Decision{Category: heading}).Trackable() {
			t.Errorf("%q opts out", heading)
		}
	}
}

// What a heading's note leaves to the agent is nobody's decision; one that got
// an id there is.
func TestLeftOpen(t *testing.T) {
	text := "<decisions>\n### Layout\n- a\n### Canvas (Claude's Discretion)\n- b\n### Rule — Claude's discretion within bounds\n- c\n### Claude's Discretion (autonomous mode)\n- d\n</decisions>\n"
	var got []string
	for _, d := range Parse([]byte(text)).Unnumbered() {
		got = append(got, d.Text)
	}
	if want := []string{"a"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q are decisions, want %q", got, want)
	}
	if !(Decision{ID: "D-01", Category: "Canvas (Claude's Discretion)"}).Trackable() {
		t.Error("an id below a note is not tracked")
	}
}

func TestOpenQuestions(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want []Question
	}{
		"none":             {"# R\n## Summary\n- x?\n", nil},
		"resolved heading": {"## Open Questions (RESOLVED)\n1. a\n- b\n", []Question{{"a", 1, true, ""}, {"b", 2, true, ""}}},
		"each kind of item": {"## open questions\n1. a\n2) b RESOLVED\n* c (resolved: yes)\n- d\n## Next\n- e\n",
			[]Question{{"a", 1, false, ""}, {"b RESOLVED", 2, true, ""}, {"c (resolved: yes)", 3, true, ""}, {"d", 4, false, ""}}},
		"unresolved is another word": {"## Open Questions\n- a unresolved\n- b not resolved yet\n- c to be resolved\n",
			[]Question{{"a unresolved", 1, false, ""}, {"b not resolved yet", 2, false, ""}, {"c to be resolved", 3, false, ""}}},
		"an answer under the item": {"## Open Questions\n1. **A?**\n   - What we know: x\n   - RESOLVED: use chi\n2. B?\n   - the bug is resolved upstream\n3. C?\n   **Resolved:** yes\n",
			[]Question{{"**A?**", 1, true, ""}, {"B?", 4, false, ""}, {"C?", 6, true, ""}}},
		"a ticked box":         {"## Open Questions\n- [x] a\n- [ ] b\n", []Question{{"a", 1, true, ""}, {"b", 2, false, ""}}},
		"a heading of its own": {"## Open Questions\n### Resolved\n- a\n### Open\n- b\n", []Question{{"a", 2, true, ""}, {"b", 4, false, ""}}},
		"prose":                {"## Open Questions\n\nHow do we sign in?\n", []Question{{"How do we sign in?", 2, false, ""}}},
		"prose that says none": {"## Open Questions\n\n_None._\n", nil},
		"empty":                {"## Open Questions\n\n---\n", nil},
		"a fence":              {"```\n## Open Questions\n- a\n```\n## Open Questions\n```\n- b\n```\n", nil},
		"a recommendation": {"## Open Questions\n1. **A?**\n   - What we know: x\n   - Recommendation: use chi\n2. B?\n   - **What's unclear:** y\n3. C?\n   **Recommendation**: Ask the user\n4. D?\n   - *Recommended approach:* both\n   - RESOLVED\n",
			[]Question{{"**A?**", 1, false, "use chi"}, {"B?", 4, false, ""}, {"C?", 6, false, ""}, {"D?", 8, true, "both"}}},
		"on its own line":        {"## Open Questions\n1. **A?** Two ways. **Recommendation:** the first\n2. B? İ Recommendation:\n", []Question{{"**A?** Two ways. **Recommendation:** the first", 1, false, "the first"}, {"B? İ Recommendation:", 2, false, ""}}},
		"an item of no question": {"## Open Questions\n1. None. All is known\n", nil},
		"what is known alone is no question": {"## Open Questions\n\n### Q1: A?\n- What we know: x\n- What's unclear: y\n- Recommendation: z\n\n### Q2: B?\n\n- What's unclear: y\n\n**C?**\n- Known: y\n",
			[]Question{{"Q1: A?", 2, false, "z"}, {"Q2: B?", 7, false, ""}, {"**C?**", 11, false, ""}}},
		"the first section counts": {"## Open Questions about auth\n- a resolved\n## Open Questions\n- b\n", []Question{{"a resolved", 1, true, ""}}},
	} {
		if got := Parse([]byte(tt.in)).OpenQuestions(); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, tt.want)
		}
	}
}

// What is listed beside decisions that have ids is told, and what is listed under another
// heading, or is the agent's to take, is not.
func TestBeside(t *testing.T) {
	d := Parse([]byte("<decisions>\n### A\n- **D-01:** use sqlite\n- and no other\n  - of them\n### B\n- text\n### Claude's Discretion\n- names\n</decisions>\n"))
	if got := d.Beside(); len(got) != 1 || got[0].Line != 3 || got[0].Text != "and no other" {
		t.Errorf("%+v", got)
	}
}
