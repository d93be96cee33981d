package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever comes, no host's codec panics, and a result that may be replaced
// has a text and an answer.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal("no captured envelopes")
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil && len(data) < 4<<10 {
			f.Add(data)
		}
	}
	f.Add([]byte(strings.ReplaceAll(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"call_mock_15_0","transcript_path":"testdata/codex/rollout.jsonl",
		"tool_response":"Warning: truncated output (original token count: 27224)\n\n1\n2…3 chars truncated…4"}`, "\t", "")))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, h := range All() {
			if h.RunOnly != "" {
				continue
			}
			ev, err := h.Decode(data)
			if out := ev.Output; out != nil && (err != nil || ev.Kind != CallEnded || len(out.Texts) == 0 || out.Encode == nil) {
				t.Errorf("%s: %+v, %v", h.Name, ev, err)
			}
		}
	})
}
