package transcript

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What reads every transcript of a user cannot send one anywhere.
func TestNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "encoding/json") {
		t.Fatalf("go list says %q", deps)
	}
	if slices.Contains(deps, "net") {
		t.Error("transcript depends on net")
	}
}
