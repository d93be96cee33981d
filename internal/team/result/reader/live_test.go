package reader

import (
	"strings"
	"testing"

	"cairn/internal/team/result"
)

func TestLive(t *testing.T) {
	f, run := readText(t, "posts.ndjson", `{"event":"start","suite":"posts","total":2,"time":"2026-03-15T10:30:00Z"}
{"event":"running","name":"a"}
{"event":"case","name":"a","status":"pass","judge_scores":{"accuracy":0.85}}
oops
{"event":"case","name":"b","status":"error","error":"429"}
{"event":"finish","time":"2026-03-15T10:31:00Z"}
`)
	if f.Format != "cairn eval watch NDJSON" || run.Suite != "posts" || run.Counts != (result.Counts{Total: 2, Passed: 1, Errored: 1}) || run.WallClockMS != 60000 || run.Kind != "eval" {
		t.Errorf("%s %+v", f.Format, run)
	}
	if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "1 line could not be read") {
		t.Errorf("warnings %q", f.Warnings)
	}
	if f, err := Read("x.json", []byte(`{"event":"weather"}`)); err == nil {
		t.Errorf("events of something else are %s", f.Format)
	}
}
