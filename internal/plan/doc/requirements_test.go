package doc

import "testing"

// Code at the beginning of a requirement keeps its quotes, however its id is
// marked.
func TestRequirementText(t *testing.T) {
	for line, want := range map[string]string{
		"- [ ] **A-1**: `x -n` runs":  "`x -n` runs",
		"- [ ] **A-1:** `x -n` runs":  "`x -n` runs",
		"- [ ] A-1: `x -n` runs":      "`x -n` runs",
		"- [ ] `A-1`: it runs":        "it runs",
		"- [ ] [A-1] it runs":         "it runs",
		"- [x] **A-1** **must** runs": "**must** runs",
	} {
		if r := ReadRequirements(New(line)); len(r.Items) != 1 || r.Items[0].What != want {
			t.Errorf("%s: %+v", line, r.Items)
		}
	}
}
