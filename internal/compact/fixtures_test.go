package compact

import (
	"strings"
	"testing"

	"cairn/internal/compact/rule"
)

// onlyPass are the rules no fixture of which can fail.
var onlyPass = map[string]string{
	"files/json-tool":   "an agent's own tool has no exit code",
	"files/list-tool":   "an agent's own tool has no exit code",
	"files/page":        "an agent's own tool has no exit code",
	"files/search-tool": "an agent's own tool has no exit code",
}

// Every built-in rule is the one chosen for two fixtures or more, one of a
// command that went well and one of a command that failed.
func TestEveryRuleHasFixtures(t *testing.T) {
	lib := rule.Load()
	passed, failed := map[string]int{}, map[string]int{}
	for _, name := range fixtures(t) {
		f := readFixture(t, name)
		id := Compact(f.Envelope, Options{Level: Normal, Library: lib}).Meta.Rule
		if f.ExitCode != nil && *f.ExitCode != 0 {
			failed[id]++
		} else {
			passed[id]++
		}
	}
	known := map[string]bool{}
	for _, id := range lib.IDs() {
		known[id] = true
		reason, excused := onlyPass[id]
		switch {
		case excused && failed[id] > 0:
			t.Errorf("%s: %d fixtures fail, though %s", id, failed[id], reason)
		case passed[id]+failed[id] < 2, passed[id] == 0, failed[id] == 0 && !excused:
			t.Errorf("%s: %d fixtures of exit 0 and %d of another", id, passed[id], failed[id])
		}
	}
	for id := range onlyPass {
		if !known[id] {
			t.Errorf("%s: no such rule", id)
		}
	}
}

// A fixture of an agent's own tool names that tool and no command.
func TestFixtureOfAnAgentsTool(t *testing.T) {
	const text = "agent-tool: Grep\nkeep: b\n\na.go:1:b\n"
	f, err := ParseFixture([]byte(text))
	if err != nil || f.Tool != "Grep" || string(f.Format()) != text {
		t.Errorf("%v: %q", err, f.Format())
	}
	if _, err := ParseFixture([]byte("keep: b\n\nb\n")); err == nil || !strings.Contains(err.Error(), "no command") {
		t.Errorf("neither a command nor a tool: %v", err)
	}
}
