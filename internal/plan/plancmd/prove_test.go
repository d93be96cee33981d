package plancmd

import (
	"os"
	"strings"
	"testing"

	"cairn/test/plantest"
)

// What a proof found is read where it is asked for, and stands in what is drafted from it.
func TestProofIsRead(t *testing.T) {
	root := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	dir := ".planning/phases/01-api/"
	plantest.Write(t, root, map[string]string{
		".planning/ROADMAP.md": "# R\n\n### Phase 1: Api\n**Goal:** G\n",
		dir + "01-CONTEXT.md":  "<decisions>\n- **D-01:** one file\n</decisions>\n",
	})
	if _, err := do(t, root, "verify", "proof", []string{"1"}, nil); err == nil || !strings.Contains(err.Error(), "has no proof of the phase") {
		t.Fatal(err)
	}
	plantest.Write(t, root, map[string]string{dir + "01-PROOF.jsonl": `{"verdict":{"for":"x","commit":"6f3c2a1d00","proven":true,"counts":{"proven":3},"unproven":[],"claims":[` +
		`{"id":"01-01/1","kind":"verify","verdict":"proven","what":"task 01-01/1: red before, green at HEAD","runs":[{"for":"before","command":"make test","commit":"a","exit":2,"seconds":1,"output":"x"},{"for":"after","command":"make test","commit":"6f3c2a1d00","exit":0,"seconds":2,"output":"y"}]},` +
		`{"id":"D-01","kind":"decision","verdict":"proven","what":"D-01 one file: api.go","evidence":["api.go"]},{"id":"A-01","kind":"requirement","verdict":"proven","what":"A-01: api.go","evidence":["api.go"]}]}}` + "\n"})
	got, err := do(t, root, "verify", "proof", []string{"1"}, nil)
	if err != nil || !strings.Contains(got, "proven    verify: task 01-01/1: red before, green at HEAD") || !strings.Contains(got, "changed since") {
		t.Errorf("%q %v", got, err)
	}
	const row = "| 01-01/1 proven | `make test` | exit 2 | exit 0 | `6f3c2a1` | 2.0 s |"
	if got, _ = do(t, root, "verify", "proof", []string{"1"}, map[string]any{"markdown": true}); !strings.Contains(got, row) {
		t.Error(got)
	}
	if _, err := do(t, root, "template", "fill", []string{"verification"}, map[string]any{"phase": "1"}); err != nil {
		t.Fatal(err)
	}
	if text := read(t, root, dir+"01-VERIFICATION.md"); !strings.Contains(text, row) || !strings.Contains(text, "| A-01 | proven | api.go |") {
		t.Error(text)
	}
	if err := os.Remove(root + "/" + dir + "01-VERIFICATION.md"); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"verification", "uat"} {
		if _, err := do(t, root, "phase", "scaffold", []string{"1", kind}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if text := read(t, root, dir+"01-VERIFICATION.md"); !strings.Contains(text, row) {
		t.Error(text)
	}
	if text := read(t, root, dir+"01-UAT.md"); !strings.Contains(text, "## Proven by Commands\n\n- D-01 one file: api.go\n- A-01: api.go\n") {
		t.Error(text)
	}
	if got, _ = do(t, root, "decisions", "list", nil, map[string]any{"all": true}); !strings.Contains(got, "PROVEN IN") || !strings.Contains(got, "api.go") {
		t.Error(got)
	}
}
