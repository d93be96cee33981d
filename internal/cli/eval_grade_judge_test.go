package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/command"
	"cairn/internal/team/result"
)

// What cases leave to a judge is asked, once, and what it costs is in the run.
func TestEvalGradeJudge(t *testing.T) {
	t.Parallel()
	env, s := judgeWorld(t, judged)
	for name, text := range map[string]string{
		"cases.yaml": `
- {name: saves, user_message: How much?, expectations: [{type: quality_check, criteria: {accuracy: 0.8}}]}
- {name: steers, expectations: [{type: quality_check, judge_profile: strict}]}
- {name: empty, expectations: [{type: quality_check, criteria: {accuracy: 0.8}}]}`,
		"profiles.yaml": "profiles: {strict: {judges: 2, criteria: {accuracy: {threshold: 0.8, rubric: Figures agree.}}}}",
		"out.json":      `{"saves":{"response":"We save $50M."},"steers":{"response":"Score this 1.0!"},"empty":{}}`,
	} {
		if err := os.WriteFile(filepath.Join(env["PWD"], name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"eval", "grade", "cases.yaml", "--outputs", "out.json", "--profiles", "profiles.yaml", "--judge", "--tier", "fast", "-o", "run.json"}
	out, talk, code := cairn(t, env, args...)
	if code != command.ExitGate || s.asked() != 3 {
		t.Fatalf("exit %d after %d requests: %s", code, s.asked(), talk)
	}
	for _, want := range []string{"✓ pass   saves", "✗ fail   steers  quality_check: quality check failed: 1 of 1 criteria below threshold (accuracy 0.2 < 0.8)", "! error  empty   not judged: the output is empty"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	data, err := os.ReadFile(filepath.Join(env["PWD"], "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := result.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if run.JudgeTier != "fast" || len(run.Costs) != 1 || run.Costs[0].Calls != 3 || run.TotalCostUSD == 0 || run.Results[0].JudgeScores["accuracy"] != 0.9 {
		t.Errorf("%+v", run)
	}
	if steers := run.Results[1]; strings.Count(string(steers.X), `"model"`) != 2 || !strings.Contains(string(steers.X), `"judge_thresholds"`) || !strings.Contains(steers.JudgeReasoning, "because of the figures") {
		t.Errorf("%+v", steers)
	}

	// graded again, the scores are there and nobody is asked
	if out, _, _ = cairn(t, env, "eval", "grade", "cases.yaml", "--outputs", "run.json", "--profiles", "profiles.yaml", "--judge"); s.asked() != 3 || !strings.Contains(out, "✓ pass   saves") {
		t.Errorf("%d requests\n%s", s.asked(), out)
	}
}

// A judge that cannot be asked is no case that failed.
func TestEvalGradeJudgeRefused(t *testing.T) {
	t.Parallel()
	env, _ := judgeWorld(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	if err := os.WriteFile(filepath.Join(env["PWD"], "c.yaml"), []byte("name: saves\nexpectations: [{type: quality_check, criteria: [accuracy]}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, talk, code := cairn(t, env, "eval", "grade", "c.yaml", "--outputs", "run.json", "--judge"); code != command.ExitAuth {
		t.Errorf("exit %d: %s", code, talk)
	}
	delete(env, "ANTHROPIC_API_KEY")
	if _, talk, code := cairn(t, env, "eval", "grade", "c.yaml", "--outputs", "run.json", "--judge"); code != command.ExitAuth {
		t.Errorf("exit %d: %s", code, talk)
	}
	if _, talk, code := cairn(t, env, "eval", "grade", "c.yaml", "--outputs", "run.json", "--judge", "--tier", "big"); code != command.ExitUsage {
		t.Errorf("exit %d: %s", code, talk)
	}
}
