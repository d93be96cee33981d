package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// requestsOf are the requests of files that are read one after the other.
func requestsOf(t *testing.T, host string, files ...string) (all []Request, calls []*Call) {
	t.Helper()
	dir := t.TempDir()
	r := Reader{Requests: func(some []Request) { all = append(all, some...) }}
	for _, text := range files {
		name := filepath.Join(dir, "s.jsonl")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.Read(File{Path: name, Size: int64(len(text)), Mod: time.Now(), Host: host}, func(c *Call) { calls = append(calls, c) }); err != nil {
			t.Fatal(err)
		}
	}
	return all, calls
}

// A message stands on as many lines as it has blocks, the first with too little
// output; a fork repeats it under its own session; a subagent's messages stand
// in the parent's lines of progress.
func TestARequestCountsOnce(t *testing.T) {
	parent := strings.Join([]string{
		`{"type":"assistant","sessionId":"a","message":{"id":"m1","model":"x","usage":{"input_tokens":3,"cache_read_input_tokens":50,"cache_creation_input_tokens":100,"cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":60},"output_tokens":2},"content":[{"type":"text","text":"hm"}]}}`,
		`{"type":"assistant","sessionId":"a","message":{"id":"m1","model":"x","usage":{"input_tokens":3,"cache_read_input_tokens":50,"cache_creation_input_tokens":100,"cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":60},"output_tokens":70},"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}`,
		`{"type":"user","sessionId":"a","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"b c"}]}}`,
		`{"type":"assistant","sessionId":"a","message":{"id":"m2","model":"<synthetic>","usage":{"input_tokens":0,"output_tokens":0},"content":[{"type":"text","text":"API Error"}]}}`,
		`{"type":"progress","sessionId":"a","data":{"type":"agent_progress","agentId":"sub","message":{"type":"assistant","message":{"id":"m3","model":"y","usage":{"input_tokens":9,"output_tokens":1},"content":[]}}}}`,
	}, "\n") + "\n"
	all, calls := requestsOf(t, Claude, parent, strings.ReplaceAll(parent, `"sessionId":"a"`, `"sessionId":"b"`))
	if len(all) != 4 {
		t.Fatalf("%+v", all)
	}
	q := all[0]
	if q.ID != "m1" || q.Input != 3 || q.CacheRead != 50 || q.Write5m != 40 || q.Write1h != 60 || q.Output != 70 || q.Prompt() != 153 || q.Copied {
		t.Errorf("%+v", q)
	}
	if q := all[1]; q.ID != "m3" || q.Agent != "sub" || q.Model != "y" || q.Copied {
		t.Errorf("%+v", q)
	}
	for _, q := range all[2:] {
		if !q.Copied {
			t.Errorf("a fork's copy is billed: %+v", q)
		}
	}
	if len(calls) != 1 || calls[0].Request != 0 || string(calls[0].Args) != `{"command":"ls"}` {
		t.Errorf("%+v", calls)
	}
}

// Codex counts what was read from the cache as input, too, and writes an
// answer's record behind its calls.
func TestRequestsOfCodex(t *testing.T) {
	record := `{"type":"token_usage_record","payload":{"response_id":"r1","usage":{"input_tokens":1000,"cached_input_tokens":600,"cache_write_input_tokens":100,"output_tokens":20}}}`
	all, calls := requestsOf(t, Codex, strings.Join([]string{
		`{"type":"session_meta","payload":{"id":"s","cwd":"/p"}}`,
		`{"type":"turn_context","payload":{"model":"gpt"}}`,
		`{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"c1","arguments":"{\"command\":[\"ls\"]}"}}`,
		record, record,
		`{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"x"}}`,
		strings.Replace(record, "r1", "r2", 1),
	}, "\n")+"\n")
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	if q := all[0]; q.Input != 300 || q.CacheRead != 600 || q.Write5m != 100 || q.Output != 20 || q.Model != "gpt" || q.Session != "s" || q.Prompt() != 1000 {
		t.Errorf("%+v", q)
	}
	if len(calls) != 1 || calls[0].Request != 0 {
		t.Errorf("%+v", calls)
	}
}
