package watch

import (
	"os/exec"
	"testing"
)

// gone is the id of a process that was there.
func gone(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("go", "version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}
