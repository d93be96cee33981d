package hook

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A hook runs many times a minute. What these packages allocate when the
// program starts would be paid every time.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "cairn/internal/compact") {
		t.Fatalf("go list says %q", deps)
	}
	for _, heavy := range []string{"net/http", "database/sql", "html/template", "testing"} {
		if slices.Contains(deps, heavy) {
			t.Errorf("hook depends on %s", heavy)
		}
	}
}
