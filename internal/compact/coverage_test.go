package compact

import (
	"testing"

	"cairn/internal/compact/rule"
)

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
	for _, id := range lib.IDs() {
		if passed[id] == 0 || failed[id] == 0 {
			t.Errorf("%s: %d fixtures of exit 0 and %d of another", id, passed[id], failed[id])
		}
	}
}
