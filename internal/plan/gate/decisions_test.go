package gate

import (
	"errors"
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

func file(path, content string) File { return File{path, doc.Parse([]byte(content))} }

func planOf(content string) []File { return []File{file("02-01-PLAN.md", content)} }

// Where a citation counts and where it does not (review finding F4).
func TestDecisionsCitedWhere(t *testing.T) {
	const decision = "<decisions>\n- **D-01:** Use the chi router\n</decisions>\n"
	for name, tt := range map[string]struct {
		plan string
		want bool
	}{
		"must_haves":                   {"---\nplan: 01\nmust_haves:\n  truths:\n    - \"D-01: chi\"\n---\n", true},
		"truths, unindented list":      {"---\ntruths:\n- D-01\n---\n", true},
		"inline objective":             {"---\nobjective: honor D-01\n---\n", true},
		"another key":                  {"---\nplan: 01\nnotes: D-01\nmust_haves: []\n---\n", false},
		"key after must_haves":         {"---\nmust_haves:\n  truths: []\nnotes: D-01\n---\n", false},
		"YAML comment":                 {"---\nmust_haves:\n  truths: [] # D-01\n  # D-01\n---\n", false},
		"# in quotes is no comment":    {"---\ntruths: [\"see # D-01\"]\n---\n", true},
		"objective element":            {"<objective>\nHonor D-01.\n</objective>\n", true},
		"tasks element":                {"<tasks>\n<task><action>D-01</action></task>\n</tasks>\n", true},
		"task outside of tasks":        {"<task type=\"auto\"><action>D-01</action></task>\n", true},
		"after the element":            {"<objective>x</objective> D-01\n", false},
		"context element":              {"<context>D-01</context>\n", false},
		"prose":                        {"# Plan\n\nD-01\n", false},
		"under Tasks":                  {"## Tasks\n\n### Task 1: router\n\nD-01\n", true},
		"under Must Haves":             {"# Must Haves\nD-01\n", true},
		"under a task's heading":       {"### Task 2: router\nD-01\n", true},
		"the section after":            {"## Tasks\nx\n## Notes\nD-01\n", false},
		"heading that is prose":        {"## Objective of the others\nD-01\n", false},
		"fence in tasks":               {"<tasks>\n```\nD-01\n```\n</tasks>\n", false},
		"tilde fence under Tasks":      {"## Tasks\n~~~\nD-01\n~~~\n", false},
		"comment in tasks":             {"<tasks>\n<!-- D-01 -->\n</tasks>\n", false},
		"comment on several lines":     {"<tasks>\nx <!-- was\nD-01\n--> y\n</tasks>\n", false},
		"tasks element in a fence":     {"```\n<tasks>D-01</tasks>\n```\n", false},
		"heading in a fence":           {"```\n## Tasks\n```\nD-01\n", false},
		"CRLF, BOM":                    {"\xef\xbb\xbf---\r\ntruths:\r\n  - D-01\r\n---\r\n", true},
		"no plan names it, some other": {"<tasks>D-02</tasks>", false},
	} {
		t.Run(name, func(t *testing.T) {
			context := file("02-CONTEXT.md", decision)
			c, err := Decisions(true, &context, planOf(tt.plan))
			if err != nil || c.Result.Passed != tt.want || c.Result.No() == tt.want {
				t.Errorf("%+v, %v", c.Result, err)
			}
		})
	}
}

// What counts as citing: whole ids (D17), six words in a row (F5).
func TestCites(t *testing.T) {
	long := "All requests are logged with a request id header and a duration"
	for _, tt := range []struct {
		id, text, hay string
		want          bool
	}{
		{"D-1", "x", "does D-1.", true},
		{"D-1", "x", "(D-1)", true},
		{"D-1", "x", "D-1- and more", true},
		{"D-1", "x", "D-1-other", false},
		{"D-1", "x", "D-1--other", false},
		{"D-1", "x", "D-10", false},
		{"D-1", "x", "D-1_b", false},
		{"D-1", "x", "AD-1", false},
		{"D-1", "x", "X-D-1", false},
		{"D-1", "x", "D-1é", false},
		{"D-1", "x", "D-1-other, then D-1", true},
		{"D-1", "x", "d-1", false},
		{"D-1", long, "**all** requests are *logged* with A request!", true},
		{"D-1", long, "a request id header and a duration", true}, // not only the first six
		{"D-1", long, "all requests are logged with", false},
		{"D-1", long, "all requests are logged with any request", false},
		{"D-1", long, "overall requests are logged with a requests", false}, // word by word
		{"D-1", "one two three four five", "one two three four five", false},
		{"D-1", "one two three four five six", "one two three four five six", true},
		{"D-1", "Größe der Ablage wird täglich geprüft", "größe der ablage wird täglich geprüft", true},
		{"D-1", "Größe der Ablage wird täglich geprüft", "grösse der ablage wird täglich geprüft", false},
		{"D-1", "Данные хранятся только в одной таблице", "данные хранятся только в одной таблице!", true},
		{"D-1", "—— ··· !!! ??? ,,, ;;;", "anything", false}, // no words at all cite nothing
	} {
		if got := newHaystack(tt.hay).cites(doc.Decision{ID: tt.id, Text: tt.text}); got != tt.want {
			t.Errorf("%s %q in %q: %v", tt.id, tt.text, tt.hay, got)
		}
	}
}

func TestDecisionsFailureNamesAll(t *testing.T) {
	context := file(".planning/phases/02-api/02-CONTEXT.md", `# Context
<decisions>
### Routing
- **D-01:** Use the chi router
- **D-02 [folded]:** gone
### Claude's Discretion
- **D-03:** color
</decisions>
<decisions>
### Storage
- **D-04:** Store rows in one table keyed by tenant
</decisions>
`)
	c, err := Decisions(true, &context, planOf("<tasks>nothing</tasks>"))
	if err != nil || c.Total != 2 || len(c.Result.Missing) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	m := c.Result.Missing[0]
	if m.ID != "D-01" || m.Category != "Routing" || m.Text != "Use the chi router" || m.Line != 4 || m.File != context.Path || len(m.Remedies) != 2 {
		t.Errorf("missing %+v", m)
	}
	for _, want := range []string{
		"2 of 2 decisions", "**D-01** (Routing): Use the chi router", "02-CONTEXT.md:4]",
		"**D-04** (Storage): Store rows in one table keyed by tenant", "too short to be cited by its words",
		"or at least six of its words in a row", "[informational], [folded] or [deferred]",
	} {
		if !strings.Contains(c.Result.Message, want) {
			t.Errorf("no %q in\n%s", want, c.Result.Message)
		}
	}
}

func TestDecisionsSkips(t *testing.T) {
	tracked := file("02-CONTEXT.md", "<decisions>\n- **D-01:** x\n</decisions>\n")
	none := file("02-CONTEXT.md", "# Context\n```\n<decisions>\n- **D-01:** x\n</decisions>\n```\n")
	for reason, tt := range map[string]struct {
		on      bool
		context *File
	}{reasonOff: {false, &tracked}, reasonNoContext: {true, nil}, reasonNoDecisions: {true, &none}} {
		c, err := Decisions(tt.on, tt.context, nil)
		if r := c.Result; err != nil || !r.Skipped || !r.Passed || r.No() || r.Reason != reason {
			t.Errorf("%s: %+v, %v", reason, r, err)
		}
	}
}

// A line that was meant as a decision must not vanish from the gate.
func TestDecisionsUnreadable(t *testing.T) {
	context := file("02-CONTEXT.md", "<decisions>\n- **D-01:** x\n- **D-:** no id\n</decisions>\n")
	_, err := Decisions(true, &context, planOf("<tasks>D-01</tasks>"))
	var input *plan.InputError
	if !errors.As(err, &input) || input.Line != 3 || input.Path != "02-CONTEXT.md" {
		t.Errorf("error %v", err)
	}
}

// A decision of another phase, named with it, is not the one of this phase that has
// its id.
func TestDecisionsOfOtherPhases(t *testing.T) {
	context := file(".planning/phases/02-api/02-CONTEXT.md", "<decisions>\n- **D-01:** Use chi\n</decisions>\n")
	for cites, want := range map[string]bool{"D-01": true, "02/D-01": true, "2/D-01": true, "01/D-01": false, "01/D-01 and D-01": true, "01.1/D-01": false} {
		c, err := Decisions(true, &context, planOf("---\nmust_haves:\n  truths:\n    - \""+cites+"\"\n---\n"))
		if err != nil || c.Result.Passed != want {
			t.Errorf("%s: %v %v", cites, c.Result.Passed, err)
		}
	}
	outside := file("CONTEXT.md", "<decisions>\n- **D-01:** Use chi\n</decisions>\n") // of no phase that is known
	if c, _ := Decisions(true, &outside, planOf("---\nmust_haves:\n  truths:\n    - 01/D-01\n---\n")); !c.Result.Passed {
		t.Error("a document of no phase's directory")
	}
}
