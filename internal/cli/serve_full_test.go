package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server that starts on a full disk serves: it cannot say to cairn up
// and cairn down that it runs, and that keeps nobody from reading.
func TestServeThatCannotBeWrittenDown(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, ".cairn", "server", "up.json")
	if err := os.MkdirAll(filepath.Join(file, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := serving(t, home)
	said := false
	for line := range p.log { // until the warning, or until it ends
		if said = strings.Contains(line, "cannot be written down"); said {
			break
		}
	}
	if !said {
		t.Fatal("it ended, or did not say that it is not written down")
	}
	if got := p.status(t, "/readyz"); got != 200 {
		t.Errorf("/readyz: %d", got)
	}
}
