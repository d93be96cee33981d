package reader

import (
	"strings"
	"testing"

	"cairn/internal/team/result"
)

const harborTrials = `{"id":"1","task_name":"hello","trial_name":"hello__a","trial_uri":"file:///jobs/x/hello__a","source":"core","task_checksum":"c","agent_info":{"name":"claude-code","version":"2.1","model_info":{"name":"opus","provider":"anthropic"}},
 "agent_result":{"n_input_tokens":100,"n_cache_tokens":60,"n_output_tokens":7,"cost_usd":0.25},"verifier_result":{"rewards":{"reward":1.0}},"exception_info":null,"started_at":"2026-03-01T10:00:00Z","finished_at":"2026-03-01T10:01:30Z"}
{"task_name":"hello","trial_name":"hello__b","source":"core","agent_info":{"name":"claude-code","model_info":{"name":"opus"}},"agent_result":null,"verifier_result":{"rewards":{"reward":0.0,"style":0.5,"lines":12}},
 "exception_info":{"exception_type":"AgentTimeoutError","exception_message":"after 900 s","exception_traceback":"…"},"started_at":"2026-03-01T09:59:00Z","finished_at":"2026-03-01T10:15:00Z"}
{"task_name":"world","trial_name":"world__c","source":"core","agent_info":{"name":"claude-code","model_info":null},"agent_result":{},"verifier_result":null,"exception_info":{"exception_type":"RewardFileNotFoundError","exception_message":"no reward"},"started_at":"2026-03-01T10:00:00Z","finished_at":"2026-03-01T10:00:01Z"}
`

// Harbor writes a file a trial: joined they are a run.
func TestHarbor(t *testing.T) {
	f, run := readText(t, "trials.json", harborTrials)
	if f.Format != "Harbor JSON" || run.Counts != (result.Counts{Total: 3, Passed: 1, Failed: 1, Errored: 1}) || run.Timestamp.Minute() != 59 || run.TotalCostUSD != 0.25 {
		t.Fatalf("%s %+v", f.Format, run)
	}
	a, b, c := run.Results[0], run.Results[1], run.Results[2]
	if a.Name != "hello" || a.Suite != "core" || a.Model != "opus" || a.DurationMS != 90_000 || *a.Score != 1 || string(a.X) != `{"trial":"hello__a","agent":"claude-code","agent_version":"2.1","tokens":{"input":40,"output":7,"cache_read":60}}` {
		t.Errorf("%+v %s", a, a.X)
	}
	if b.Try() != 2 || !strings.Contains(b.Failures[0].Message, "AgentTimeoutError: after 900 s") || b.JudgeScores["style"] != 0.5 || !strings.Contains(string(b.X), `"other_scores":{"lines":12}`) {
		t.Errorf("%+v %s", b, b.X)
	}
	if c.Error != "RewardFileNotFoundError: no reward" || c.Variant != "claude-code" || a.Variant != "claude-code · opus" {
		t.Errorf("%+v", c)
	}
	// One agent has no variant, so that its run is compared with another agent's.
	if _, run = readText(t, "a.json", strings.SplitAfter(harborTrials, "}\n")[0]); run.Results[0].Variant != "" {
		t.Errorf("%+v", run.Results)
	}
	if _, err := Read("result.json", []byte(`{"id":"x","n_total_trials":3,"stats":{"n_trials":3}}`)); err == nil || !strings.Contains(err.Error(), "cat JOB/*/result.json") {
		t.Error(err)
	}
}

func TestTerminalBench(t *testing.T) {
	const trial = `{"id":"1","trial_name":"fix.1-of-2.x","task_id":"fix","instruction":"Fix it","is_resolved":false,"failure_mode":"agent_timeout","parser_results":{"test_a":"passed","test_b":"failed"},"total_input_tokens":50,"total_output_tokens":5,"trial_started_at":"2026-03-01T10:00:00+00:00","trial_ended_at":"2026-03-01T10:00:02.5+00:00"}`
	f, run := readText(t, "results.json", `{"id":"r","results":[`+trial+`,{"task_id":"fix","trial_name":"fix.2-of-2.x","is_resolved":true,"failure_mode":"unset"},{"task_id":"other","trial_name":"o","is_resolved":null,"failure_mode":"unknown_agent_error"}],"accuracy":0.33,"n_resolved":1,"n_unresolved":2,"resolved_ids":["fix"],"unresolved_ids":["fix","other"]}`)
	if f.Format != "Terminal-Bench JSON" || run.Counts != (result.Counts{Total: 3, Passed: 1, Failed: 1, Errored: 1}) || run.Costs[0].InputTokens != 50 {
		t.Fatalf("%s %+v", f.Format, run)
	}
	if r := run.Results[0]; r.Failures[0].Message != "agent_timeout\ntest_b: failed" || r.DurationMS != 2500 || !strings.Contains(string(r.X), `"checks":[{"type":"test_a","passed":true,"reason":"passed"},{"type":"test_b","passed":false,"reason":"failed"}]`) || r.Content().Input != result.ContentID("Fix it") {
		t.Errorf("%+v %s", r, r.X)
	}
	if r := run.Results[1]; r.Try() != 2 || r.Status != result.Pass {
		t.Errorf("%+v", r)
	}
	if _, run = readText(t, "a.json", trial); run.Failed != 1 {
		t.Errorf("%+v", run)
	}
}

func TestOpenAIEvals(t *testing.T) {
	const head = `{"spec": {"completion_fns": ["gpt-x"], "eval_name": "test-match.s1.simple-v0", "base_eval": "test-match", "split": "s1", "run_config": {}, "created_by": "", "run_id": "2304", "created_at": "2026-04-17 22:08:21.904498"}}
`
	f, run := readText(t, "a.jsonl", head+`{"final_report": {"accuracy": 0.5}}
{"run_id": "2304", "event_id": 0, "sample_id": "s.1", "type": "sampling", "data": {"prompt": [{"role":"system","content":"Be brief"},{"role":"user","content":"Capital?"}], "sampled": ["Paris"], "usage":{"prompt_tokens":9,"completion_tokens":1}}}
{"run_id": "2304", "event_id": 1, "sample_id": "s.1", "type": "match", "data": {"correct": true, "expected": "Paris", "picked": "Paris"}}
{"run_id": "2304", "event_id": 2, "sample_id": "s.0", "type": "match", "data": {"correct": false, "expected": "London", "picked": null, "sampled": "Rome"}}
{"run_id": "2304", "event_id": 3, "sample_id": "s.2", "type": "metrics", "data": {"choice": "B", "score": 0.5, "length": 12}}
{"run_id": "2304", "event_id": 4, "sample_id": "s.3", "type": "error", "data": {"message": "rate limit"}}
`)
	if f.Format != "OpenAI evals JSONL" || len(f.Warnings) > 0 || run.Suite != "test-match.s1.simple-v0" || run.Counts != (result.Counts{Total: 4, Passed: 1, Failed: 2, Errored: 1}) || run.Costs[0].OutputTokens != 1 {
		t.Fatalf("%s %q %+v", f.Format, f.Warnings, run)
	}
	if r := run.Results[0]; string(r.Output) != `{"response":"Paris"}` || r.Model != "gpt-x" || string(r.X) != `{"input":"system: Be brief\nuser: Capital?","expected":"Paris","tokens":{"input":9,"output":1}}` {
		t.Errorf("%+v %s", r, r.X)
	}
	if r := run.Results[1]; r.Failures[0].Message != "expected London, picked Rome" {
		t.Errorf("%+v", r)
	}
	if r := run.Results[2]; r.Failures[0].Message != "score 0.5 B" || string(r.X) != `{"other_scores":{"length":12}}` {
		t.Errorf("%+v %s", r, r.X)
	}
	if r := run.Results[3]; r.Error != "rate limit" {
		t.Errorf("%+v", r)
	}
	if f, _ = readText(t, "a.jsonl", head); len(f.Warnings) != 2 {
		t.Errorf("%q", f.Warnings)
	}
	if _, err := Read("pod.json", []byte(`{"apiVersion":"v1","kind":"Pod","spec":{"containers":[]}}`)); err == nil || !strings.Contains(err.Error(), "neither a record of OpenAI evals") {
		t.Error(err)
	}
}
