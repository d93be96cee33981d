package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPartials(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [b]")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := ReadPartials(dir); p != nil || err != nil {
		t.Fatalf("nothing there: %v %v", p, err)
	}
	write("worker_10.json", `{"schema_version":1,"suite":"s","timestamp":"2026-03-15T10:30:05Z","all_results":[
		{"name":"a","passed":true,"duration_ms":5},{"name":"b","passed":false,"duration_ms":90}],"costs":[{"model":"m","calls":2,"input_tokens":10}]}`)
	write("worker_11.json", `{"schema_version":1,"suite":"s","timestamp":"2026-03-15T10:30:01Z","all_results":[
		{"name":"a","passed":false,"duration_ms":50},{"name":"b","passed":true,"duration_ms":3},{"name":"b","attempt":2,"passed":true,"duration_ms":1}],
		"costs":[{"model":"m","calls":1,"input_tokens":5},{"model":"n","calls":1}]}`)
	p, err := ReadPartials(dir)
	if err != nil {
		t.Fatal(err)
	}
	run := p.Run
	if run.Total != 3 || run.Passed != 1 || run.Results[0].Passed || run.Results[1].Passed || run.Results[2].Try() != 2 {
		t.Errorf("the longest of an attempt counts: %+v %+v", run.Counts, run.Results)
	}
	if run.Timestamp.Second() != 1 || len(run.Costs) != 2 || run.Costs[0].Calls != 3 || run.Costs[0].InputTokens != 15 {
		t.Errorf("time %v, costs %+v", run.Timestamp, run.Costs)
	}

	later := time.Now().Add(30 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "worker_11.json"), later, later); err != nil {
		t.Fatal(err)
	}
	if err := p.Remove(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "*")); len(left) != 1 || filepath.Base(left[0]) != "worker_11.json" {
		t.Errorf("left: %v; a file that was written since stays", left)
	}

	write("worker_12.json", `{"schema_version":1,"suite":"s","all_results":[]}`)
	if p, err := ReadPartials(dir); err != nil || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "30h0m0s apart") {
		t.Errorf("two days: %+v %v", p, err)
	}
	write("worker_13.json", `{"schema_version":1,`)
	if _, err := ReadPartials(dir); err == nil || !strings.Contains(err.Error(), "worker_13.json: line 1: the file ends") {
		t.Errorf("a torn file: %v", err)
	}
}

func TestWorkersOfTwoCommits(t *testing.T) {
	dir := t.TempDir()
	for name, sha := range map[string]string{"worker_1.json": "aaa", "worker_2.json": "bbb"} {
		text := `{"schema_version":1,"git_sha":"` + sha + `","all_results":[]}`
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ReadPartials(dir); err == nil || !strings.Contains(err.Error(), "two commits, aaa and bbb") {
		t.Error(err)
	}
}
