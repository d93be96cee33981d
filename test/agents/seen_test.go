//go:build agents

package agents

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// A seen session is what the models received.
type seen struct {
	requests []request
	shown    string // the result of the first call
	loaded   string // the command, where the model reads it itself
}

// checkCall: the model got the text of the command, whole, with the user's
// words in it.
func (s seen) checkCall(t *testing.T, c caller, installed map[string]string) {
	t.Helper()
	want := promptText(t, c.command, installed[c.command])
	if c.args != "" {
		want = strings.ReplaceAll(want, c.args, "3 --auto")
	}
	got := s.requests[0].text
	if c.loads != nil {
		got = s.loaded
	}
	if c.name == "opencode" {
		got = strings.ReplaceAll(got, `"3 --auto"`, "3 --auto") // the harness gives both as one word
	}
	if want == "" || !strings.Contains(got, want) {
		t.Errorf("the command is not in the request; want\n%s", clip(want))
	}
	if !strings.Contains(s.requests[0].text, "3 --auto") {
		t.Error("the user's words are not in the request")
	}
}

// checkLists: the model is told of every agent, and of the commands that it may
// start unasked and no other.
func (s seen) checkLists(t *testing.T, c caller, installed map[string]string) {
	t.Helper()
	first := s.requests[0].text
	for name, data := range installed {
		base := filepath.Base(name)
		base, _, _ = strings.Cut(base, ".")
		if strings.HasPrefix(name, filepath.Dir(c.agent)+"/cairn-") && promptText(t, name, data) != "" && !strings.Contains(first, base) {
			t.Errorf("the model is not told of %s", base)
		}
	}
	if c.listed == "" {
		return
	}
	for command, told := range map[string]bool{"plan-phase": true, "ship": true, "help": true, "health": false, "undo": false} {
		if got := strings.Contains(first, fmt.Sprintf(c.listed, command)); got != told {
			t.Errorf("the model is told of %s: %v", command, got)
		}
	}
}

// checkSpawned: the role's own thread has its own prompt and its tools.
func (s seen) checkSpawned(t *testing.T, c caller, installed map[string]string) {
	t.Helper()
	role := promptText(t, c.agent, installed[c.agent])
	for _, r := range s.requests[1:] {
		if !strings.Contains(r.text, role) || !strings.Contains(r.text, spawnPrompt) {
			continue
		}
		if c.tools != nil && !slices.Equal(r.tools, c.tools) {
			t.Errorf("the role has the tools %v", r.tools)
		}
		for _, name := range c.lacks {
			if slices.Contains(r.tools, name) {
				t.Errorf("the role has %s", name)
			}
		}
		return
	}
	t.Errorf("no thread has the prompt of the role\n%s", clip(role))
}

// promptText is the text of one of our files, without its head.
func promptText(t *testing.T, name, data string) string {
	t.Helper()
	if strings.HasSuffix(name, ".toml") {
		var f struct {
			Prompt string
			Role   string `toml:"developer_instructions"`
		}
		if err := toml.Unmarshal([]byte(data), &f); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(f.Prompt + f.Role)
	}
	_, text, _ := strings.Cut(strings.TrimPrefix(data, "---\n"), "\n---\n")
	return strings.TrimSpace(text)
}
