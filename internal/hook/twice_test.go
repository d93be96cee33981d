package hook

import (
	"strings"
	"testing"

	"cairn/internal/compact"
)

// What a session asks for again stays as it is; a subagent, which has not seen
// it, gets it cut.
func TestAskedTwice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	set := Settings{Compact: func(string) compact.Options {
		return compact.Options{Level: compact.Normal, Tee: compact.Tee{Dir: dir}}
	}}
	call := bash("go test -v ./...", strings.Repeat("=== RUN   TestA\n--- PASS: TestA (0.00s)\n", 200))
	for i, want := range []string{"cairn compact show ", "", ""} {
		if got, err := ask(t, call, set); err != nil || (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("ask %d: %v: %.300s", i+1, err, got)
		}
	}
	call["agent_id"], call["agent_type"] = "a1", "general-purpose"
	if got, err := ask(t, call, set); err != nil || !strings.Contains(got, "compact show ") {
		t.Errorf("a subagent: %v: %.300s", err, got)
	}
}
