//go:build unix

package cli

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// At a terminal it asks whether to put cairn into agents, and does what is said.
func TestUpOffersAgents(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	if err := os.Mkdir(filepath.Join(f.home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(f.home, ".claude", "settings.json")
	for _, c := range []struct {
		answer, want string
		installed    bool
	}{
		{"\n", "cairn install claude puts cairn there", false},
		{"y\n", "✓ agents      Claude Code", true},
		{"", "✓ agents      cairn is in them already", true},
	} {
		cmd := f.cairn("up", anyPort)
		terminal, err := pty.Start(cmd)
		if err != nil {
			t.Skip("no terminals to open here")
		}
		var said strings.Builder
		in := bufio.NewReader(terminal)
		for {
			b, err := in.ReadByte()
			if err != nil { // the end of a terminal is an error
				break
			}
			said.WriteByte(b)
			if c.answer != "" && strings.HasSuffix(said.String(), "[y/N] ") {
				if _, err := terminal.WriteString(c.answer); err != nil {
					t.Fatal(err)
				}
				c.answer = ""
			}
		}
		terminal.Close()
		if err := cmd.Wait(); err != nil || !strings.Contains(said.String(), c.want) || c.answer != "" {
			t.Errorf("%v: want %q in:\n%s", err, c.want, &said)
		}
		if _, err := os.Stat(settings); (err == nil) != c.installed {
			t.Errorf("after %q: settings.json: %v", c.want, err)
		}
	}
	out, err := f.cairn("uninstall", "claude").CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
