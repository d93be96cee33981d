package pushed

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/result"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
)

func aRun(results ...result.Result) *result.Run {
	run := &result.Run{SchemaVersion: 1, Label: "main", Timestamp: result.Time{Time: time.Date(2026, 3, 1, 10, 0, 0, 123_456_789, time.UTC)}, Results: results}
	for i := range run.Results {
		if run.Results[i].Status == "" {
			run.Results[i].Set(result.Pass)
		}
	}
	run.Derive()
	return run
}

func sent(t *testing.T, run *result.Run) wire.EvalRun {
	t.Helper()
	w, err := EvalRun(run, uuid.New(), "acme/app")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A long answer is cut, what failed is not.
func TestPayloadTooLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 500_000)
	r := result.Result{Name: "a", ResponsePreview: long, Output: jsontext.Value(`{"response": "` + long + `", "n": 7}`),
		Failures: []result.Failure{{Message: strings.Repeat("f", 100_000)}}}
	r.Set(result.Fail)
	w := sent(t, aRun(r))
	if n := len(w.Results[0].Payload); n > MostPayload || n < MostPayload/4 {
		t.Fatalf("the payload has %d bytes", n)
	}
	back, err := RunOf(w)
	if err != nil {
		t.Fatal(err)
	}
	got := back.Results[0]
	if got.Failures[0].Message != r.Failures[0].Message {
		t.Error("the failure was cut")
	}
	if !strings.HasSuffix(got.ResponsePreview, "… [cut, it had 1000000 bytes]") || !strings.Contains(string(got.Output), `"n":7`) {
		t.Errorf("preview ends in %q", got.ResponsePreview[max(0, len(got.ResponsePreview)-40):])
	}
}

func TestFailuresTooLong(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	r := result.Result{Name: "a", Output: jsontext.Value(`{"list": [` + strings.Repeat("1,", 400_000) + `1]}`)}
	for range 20 {
		r.Failures = append(r.Failures, result.Failure{Message: strings.Repeat("f", 100_000)})
	}
	r.Set(result.Fail)
	back, err := RunOf(sent(t, aRun(r)))
	if err != nil || len(back.Results[0].Failures) != 20 {
		t.Fatalf("%v, %+v", err, back)
	}
	if len(sent(t, aRun(r)).Results[0].Payload) > MostPayload {
		t.Error("still too long")
	}
}

func TestNothingToSay(t *testing.T) {
	t.Parallel()
	w := sent(t, aRun(result.Result{Name: "a", DurationMS: 12, CostUSD: 0.25, Model: "m"}, result.Result{Name: "b", DurationMS: 1200.4, Model: "m"}))
	for _, r := range w.Results {
		if r.Payload != nil {
			t.Errorf("a payload of nothing: %s", r.Payload)
		}
	}
	if !strings.Contains(string(w.Meta), `"model":"m"`) || w.RunAt.Nanosecond() != 123_456_000 {
		t.Errorf("%s, %v", w.Meta, w.RunAt)
	}
}

func TestCharacterZero(t *testing.T) {
	t.Parallel()
	w := sent(t, aRun(result.Result{Name: "a\x00b", Error: `\u0000 is written so`}))
	if w.Cases[0].Name != "a\ufffdb" || !strings.Contains(string(w.Results[0].Payload), `\\u0000 is`) {
		t.Errorf("%q, %s", w.Cases[0].Name, w.Results[0].Payload)
	}
}

// Two cases of one name are told apart by the runner's ids.
// A run that comes back from the server is matched by content as it was before.
func TestIdentityComesBack(t *testing.T) {
	t.Parallel()
	run := aRun(result.Result{Name: "a", CaseID: "1", Variant: "m · prompt 1", Identity: &result.Identity{Input: "f00", Prompt: "prompt 1"}}, result.Result{Name: "b"})
	run.Prompts = []result.Prompt{{Name: "prompt 1", ID: "b4", Text: "Say {{n}}"}}
	back, err := RunOf(sent(t, run))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Prompts, run.Prompts) || back.Results[0].Content() != run.Results[0].Content() || back.Results[1].Identity != nil {
		t.Errorf("%+v", back)
	}
}

func TestOwnIDs(t *testing.T) {
	t.Parallel()
	w := sent(t, aRun(result.Result{Name: "a", CaseID: "1"}, result.Result{Name: "a", CaseID: "2"}, result.Result{Name: "a"}))
	if len(w.Cases) != 3 {
		t.Errorf("%d cases, want 3", len(w.Cases))
	}
	again := sent(t, aRun(result.Result{Name: "renamed", CaseID: "1"}))
	if again.Cases[0].ID != w.Cases[0].ID {
		t.Error("a case with an id of its own is another one after it was renamed")
	}
}

func TestJudgeAverages(t *testing.T) {
	t.Parallel()
	failed := result.Result{Name: "b", Category: "mail", Status: result.Fail, JudgeScores: map[string]float64{"tone": 0.2}}
	w := sent(t, aRun(
		result.Result{Name: "a", Category: "posts", JudgeScores: map[string]float64{"tone": 0.8}}, failed,
		result.Result{Name: "c", Category: "posts", Scale: "1-5", JudgeScores: map[string]float64{"tone": 4}},
		result.Result{Name: "d", Status: result.Error, JudgeScores: map[string]float64{"tone": 0}}))
	if got, want := string(w.JudgeAverages), `{"tone":0.5,"tone (1-5)":4}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := string(w.ByCategory), `{"mail":{"total":1,"passed":0,"failed":1,"judge_averages":{"tone":0.2}},"posts":{"total":2,"passed":2,"failed":0,"judge_averages":{"tone":0.8,"tone (1-5)":4}}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What somebody estimated by a table of prices is not what the runner counted.
func TestEstimatedCosts(t *testing.T) {
	t.Parallel()
	run := aRun(result.Result{Name: "a"})
	run.Costs = []result.Cost{{Model: "claude-sonnet-4-6", InputTokens: 1_000_000}, {Model: "claude-haiku-4-5", InputTokens: 5, CostUSD: 7}}
	w := sent(t, run)
	if c := w.Costs; c[0].EstimatedCostUSD != 0 || c[1].EstimatedCostUSD != 7 {
		t.Errorf("%+v", c)
	}
	w.Costs[0].EstimatedCostUSD, w.Costs[0].PriceTable = 3, "own"
	back, err := RunOf(w)
	if err != nil || back.Costs[0].CostUSD != 0 || back.Costs[1].CostUSD != 7 {
		t.Errorf("an estimate comes back as what the runner counted: %+v, %v", back.Costs, err)
	}
}
