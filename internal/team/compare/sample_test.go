package compare

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"cairn/internal/team/result"
)

func init() { time.Local = time.UTC } // golden files hold times

// sample is two runs of three suites with everything that a comparison shows:
// losses, repeats, errors, scores on two scales, long and hostile names.
func sample() (a, b *result.Run) {
	at := func(day int) result.Time { return result.Time{Time: time.Date(2026, 3, day, 10, 30, 0, 0, time.UTC)} }
	a = &result.Run{SchemaVersion: 1, ID: "8f3a5c0d91e2", IngestKey: "a", Label: "main_standard", Timestamp: at(14), GitBranch: "main", GitSHA: "4f0c2d1b7a99e3", PromptSHA: "a08ff469", JudgeTier: "standard", Tool: "promptfoo"}
	b = &result.Run{SchemaVersion: 1, ID: "c41b77e0a3d8", IngestKey: "b", Label: "dev_fix-terseness_standard", Timestamp: at(15), GitBranch: "dev/fix-terseness", GitSHA: "91be44aa00c1d2", GitDirty: true, PromptSHA: "77c1d2e0", JudgeTier: "standard", Tool: "promptfoo"}
	rng := rand.New(rand.NewPCG(7, 7))
	fails := []string{
		"pattern \"Series B\" not found in output",
		"voice_check: 2 of 5 criteria are below their threshold\n  no_hedging 0.30, wanted 0.70\n  direct_tone 0.40, wanted 0.60",
		"expected the tool search_knowledge to be called with query containing \"housing\", but the agent answered from memory; the calls were: get_profile({\"id\": 42}), list_articles({\"limit\": 10, \"topic\": \"transport\"}), and nothing else",
		"title has 19 words, at most 15 are wanted",
		"<b>markup</b> & \"quotes\" | pipes ` ticks\x1b[31m and a terminal's red",
	}
	add := func(run *result.Run, suite, name string, try int, pass bool, dear float64) *result.Result {
		r := result.Result{Name: name, Suite: suite, Attempt: try, Model: "claude-sonnet-4-6", CostUSD: dear * (0.01 + 0.02*rng.Float64()), DurationMS: dear * (800 + 6000*rng.Float64())}
		r.Set(result.Fail)
		if pass {
			r.Set(result.Pass)
		} else {
			r.Failures = []result.Failure{{Message: fails[rng.IntN(len(fails))]}}
			r.ResponsePreview = "The proposed legislation would, if it were to pass in its present form, perhaps change how permits are handed out."
		}
		run.Results = append(run.Results, r)
		return &run.Results[len(run.Results)-1]
	}
	for i := range 100 { // the published table
		name := fmt.Sprintf("must_cite_sources_%03d", i)
		if i%9 == 0 {
			name = fmt.Sprintf("an answer about housing policy names the bill, its author %03d", i)
		}
		add(a, "post generation", name, 1, i < 68, 1)
		add(b, "post generation", name, 1, i < 53 || i >= 68 && i < 71, 1.2)
	}
	for i := range 12 { // repeats
		for try := range 3 {
			add(a, "tool usage", fmt.Sprintf("calls search before it answers %d", i), try+1, i < 9 || try == i-9, 1)
			add(b, "tool usage", fmt.Sprintf("calls search before it answers %d", i), try+1, i < 7 || i < 10 && try > 0 || i == 11, 1)
		}
	}
	for i := range 40 {
		name := fmt.Sprintf("summary of article %02d", i)
		for _, run := range []*result.Run{a, b} {
			r := add(run, "summaries", name, 1, i%8 != 0, 0.5)
			accuracy, voice := 0.6+0.3*rng.Float64(), 0.5+0.4*rng.Float64()
			if run == b {
				accuracy -= 0.06
			}
			r.JudgeScores = map[string]float64{"accuracy": accuracy, "voice_fidelity": voice}
			if i < 10 {
				r.JudgeScores["clarity"] = 0.5
				if run == b {
					r.Scale, r.JudgeScores = "1-5", map[string]float64{"clarity": 3, "accuracy": 3}
				}
			}
		}
	}
	e := add(b, "tool usage", "calls search before it answers 0b", 1, false, 1)
	*e = result.Result{Name: e.Name, Suite: e.Suite, Error: "429 too many requests"}
	e.Set(result.Error)
	add(a, "tool usage", e.Name, 1, true, 1)
	add(b, "post generation", "a case that is new and fails", 1, false, 1)
	add(b, "post generation", "a case that is new and passes [variant]", 1, true, 1)
	add(a, "summaries", "a case that is gone", 1, true, 1)
	for _, run := range []*result.Run{a, b} {
		run.Derive()
	}
	return a, b
}

// With CAIRN_SAMPLE=DIR the sample is written there, to be looked at.
func TestWriteSample(t *testing.T) {
	dir := os.Getenv("CAIRN_SAMPLE")
	if dir == "" {
		t.Skip("no CAIRN_SAMPLE")
	}
	a, b := sample()
	for name, run := range map[string]*result.Run{"a.json": a, "b.json": b} {
		data, err := result.Encode(run)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/"+name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
