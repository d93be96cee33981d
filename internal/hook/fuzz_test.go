package hook

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Whatever a host sends, there is no panic, and an answer is JSON with less
// text than came.
func FuzzRun(f *testing.F) {
	for _, event := range []any{
		bash("seq 1 500", lines(500)), bash("git diff", "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n"),
		read("/p/go.sum", lines(1000), object{}), read("/p/x.min.js", strings.Repeat("a=1;", 3000)+"\nb\n", object{}),
		object{"hook_event_name": "PostToolUse", "tool_name": "mcp__a__b", "tool_response": []object{{"type": "text", "text": lines(500)}}},
		object{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": object{"command": "make"}},
	} {
		data, err := json.Marshal(event)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		err := Run(claude, bytes.NewReader(data), &out, Settings{Compact: plain})
		if err != nil && (out.Len() > 0 || strings.Contains(err.Error(), "panic")) {
			t.Errorf("printed %q, error %v", out.String(), err)
		}
		if out.Len() > 0 && (!json.Valid(out.Bytes()) || out.Len() > len(data)+200) {
			t.Errorf("answered %d bytes to %d: %q", out.Len(), len(data), out.String())
		}
	})
}
