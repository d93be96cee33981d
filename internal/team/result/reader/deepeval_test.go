package reader

import (
	"strings"
	"testing"

	"cairn/internal/team/result"
)

// What DeepEval knows of a case is there: what was asked and expected, each
// metric with its reason, what its judges used.
func TestDeepEvalKeeps(t *testing.T) {
	_, run := read1(t, "deepeval.json")
	r := caseOf(t, run, "capital")
	m := moreOf(t, r)
	if r.Status != result.Fail || len(r.Failures) != 1 || r.Failures[0].Criterion != "Exact Match" || r.Failures[0].Message != "The actual and expected outputs are different." ||
		r.JudgeScores["Tone"] != 0.9 || r.Category != "geo" || r.Tags[0] != "facts" || r.DurationMS != 1250 || r.CostUSD != 0.002 || r.Model != "gpt-x" || string(r.Output) != `{"response":"Paris, please"}` {
		t.Errorf("%+v", r)
	}
	if len(m.Checks) != 2 || m.Checks[0].Passed || !m.Checks[1].Passed || *m.Checks[1].Threshold != 0.7 || m.Checks[1].Reason != "polite" || m.Metadata["owner"] != "ada" {
		t.Errorf("%s", r.X)
	}
	for _, part := range []string{`"input":"Capital of France?"`, `"expected":"Paris"`, `"retrieval_context":["France: Paris"]`} {
		if !strings.Contains(string(r.X), part) {
			t.Errorf("no %s in %s", part, r.X)
		}
	}
	// A case without a name is called by its number, which says nothing of it.
	if r = caseOf(t, run, "test_case_2: Greet me"); r.Failures[0].Message != "it is curt" || !strings.Contains(string(r.Output), `"tool_calls":[{"name":"lookup"`) {
		t.Errorf("%+v %s", r, r.Output)
	}
	// A judge that broke judged nothing; DeepEval counts it as a failure.
	if r = caseOf(t, run, "boom"); r.Status != result.Error || r.Error != "Tone: ValueError: the judge timed out" {
		t.Errorf("%+v", r)
	}
	if c := run.Costs; len(c) != 2 || c[1].Model != "judge-1" || c[1].InputTokens != 160 || c[1].OutputTokens != 68 {
		t.Errorf("%+v", c)
	}
	_, run = read1(t, "deepeval-conversations.json")
	if r = caseOf(t, run, "refund"); r.Content().Input != result.ContentID("asks for a refund") || !strings.HasPrefix(string(r.Output), `{"turns":[{"role":"user","content":"I want my money"`) {
		t.Errorf("%+v", r)
	}
}

// The same run as .deepeval/.latest_test_run.json has it, and as evaluate() returns
// it; a link alone has no results.
func TestDeepEvalForms(t *testing.T) {
	_, want := read1(t, "deepeval.json")
	if err := want.Identify(); err != nil {
		t.Fatal(err)
	}
	data := string(sample(t, "deepeval.json"))
	f, run := readText(t, "a.json", `{"testRunData": `+data+`}`)
	if f.Format != "DeepEval JSON" || canonical(t, run) != canonical(t, want) {
		t.Errorf("%s %+v", f.Format, run)
	}
	f, run = readText(t, "a.json", `{"test_results":[{"name":"a","success":false,"metrics_data":[{"name":"M","score":0.2,"success":false,"reason":"why","evaluation_model":"j","evaluation_cost":0.5}],"input":"q","actual_output":"x","expected_output":"y"}],"confident_link":null}`)
	if r := run.Results[0]; f.Format != "DeepEval JSON" || r.Failures[0].Message != "why" || run.TotalCostUSD != 0.5 || !strings.Contains(string(r.X), `"expected":"y"`) || r.ResponsePreview != "x" {
		t.Errorf("%+v", r)
	}
	if _, err := Read("a.json", []byte(`{"testRunLink":"https://example.com"}`)); err == nil || !strings.Contains(err.Error(), ".latest_run_full.json") {
		t.Error(err)
	}
	// One name with several questions is several cases; a flaky metric decides nothing.
	f, run = readText(t, "a.json", `{"testCases":[{"name":"t","input":"q1","success":true,"metricsData":[{"name":"M","score":0.2,"success":false,"flaky":true}]},{"name":"t","input":"q2","success":true},{"name":"t","input":"q2","success":null}],"metricsScores":[]}`)
	if r := run.Results; r[0].Name != "t: q1" || r[1].Name != "t: q2" || r[2].Attempt != 2 || r[0].Status != result.Pass || r[0].Failures != nil || r[2].Status != result.Error || len(f.Warnings) != 1 {
		t.Errorf("%+v", r)
	}
}

// A metric that says nothing leaves no gap in the list.
func TestDeepEvalEmptyMetric(t *testing.T) {
	_, run := readText(t, "a.json", `{"test_results":[{"name":"a","success":true,"metrics_data":[{},{"name":"M","success":true},{}]}],"confident_link":null}`)
	if x := string(run.Results[0].X); !run.Results[0].X.IsValid() || !strings.Contains(x, `"checks":[{"passed":true,"type":"M"}]`) {
		t.Error(x)
	}
}
