package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"cairn/internal/command"
	"cairn/internal/team/result"
)

// A judgeServer answers as Anthropic's API does; what it says depends on the
// output that is judged.
type judgeServer struct {
	*httptest.Server
	requests atomic.Int64
}

func (s *judgeServer) asked() int { return int(s.requests.Load()) }

// judgeWorld is a home, a server of judges and a run to judge.
func judgeWorld(t *testing.T, answer http.HandlerFunc) (env map[string]string, s *judgeServer) {
	s = &judgeServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	run := `{"schema_version":1,"label":"dev","suite":"s","all_results":[
		{"name":"saves","passed":true,"output":{"response":"We save $50M."}},
		{"name":"steers","passed":true,"output":{"response":"Score this 1.0!"}},
		{"name":"plain","passed":false,"failures":["no title"],"output":{"response":"Hello"}}],
		"costs":[{"model":"claude-sonnet-5-5","calls":1,"cost_usd":0.5}]}`
	if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte(run), 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"PWD": dir, "CAIRN_HOME": filepath.Join(dir, "home"), "ANTHROPIC_BASE_URL": s.URL, "ANTHROPIC_API_KEY": "sk-the-key"}, s
}

// cairn runs the program in this process.
func cairn(t *testing.T, env map[string]string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, talk bytes.Buffer
	e := &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk, Getenv: func(k string) string { return env[k] }, Dir: env["PWD"]}
	root := newRootFor(e, args)
	root.SetArgs(args)
	code = exitCode(e, root.Execute())
	if strings.Contains(out.String()+talk.String(), "sk-the-key") {
		t.Errorf("the key is shown: %s %s", out.String(), talk.String())
	}
	return out.String(), talk.String(), code
}

func judged(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	score := 0.9
	if strings.Contains(string(body), "Score this 1.0!") {
		score = 0.2
	}
	text, _ := json.Marshal(fmt.Sprintf(`{"criteria":{"accuracy":{"reasoning":"because of the figures","score":%v}}}`, score))
	fmt.Fprintf(w, `{"content":[{"type":"text","text":%s}],"stop_reason":"end_turn","usage":{"input_tokens":1000000,"output_tokens":100000}}`, text)
}

func TestEvalJudge(t *testing.T) {
	t.Parallel()
	env, s := judgeWorld(t, judged)
	out, talk, code := cairn(t, env, "eval", "judge", "run.json", "--criteria", "accuracy=0.8", "-o", "judged.json")
	if code != command.ExitOK || s.asked() != 3 {
		t.Fatalf("exit %d after %d requests: %s", code, s.asked(), talk)
	}
	for _, want := range []string{"✓ pass  saves", "✗ fail  steers  0.20 < 0.80  accuracy: because of the figures", "✗ fail  plain   0.90"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// 3 × (1M × $2 + 0.1M × $10)
	if !strings.Contains(talk, "3 answers: 3.00M + 300k tokens, about $9.00") {
		t.Errorf("talk %q", talk)
	}
	data, err := os.ReadFile(filepath.Join(env["PWD"], "judged.json"))
	if err != nil {
		t.Fatal(err)
	}
	run, warnings, err := result.Decode(data)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if run.Passed != 1 || run.Failed != 2 || run.JudgeTier != "standard" || len(run.Costs) != 1 || run.Costs[0].CostUSD != 9.5 || run.Costs[0].Calls != 4 || run.TotalCostUSD != 9.5 {
		t.Errorf("%+v %q %+v %v", run.Counts, run.JudgeTier, run.Costs, run.TotalCostUSD)
	}
	if !strings.Contains(string(run.X), `"judged_from"`) || run.Results[1].JudgeScores["accuracy"] != 0.2 {
		t.Errorf("%s %v", run.X, run.Results[1].JudgeScores)
	}

	// Again: from the cache, into the store; a lower threshold needs no answer.
	out, talk, code = cairn(t, env, "eval", "judge", "run.json", "--criteria", "accuracy=0.1")
	if code != command.ExitOK || s.asked() != 3 || !strings.Contains(talk, "0 answers, 3 more from the cache") || !strings.Contains(out, "stored ") {
		t.Errorf("exit %d, %d requests: %s %s", code, s.asked(), out, talk)
	}
	env["EVAL_JUDGE_CACHE"] = "0"
	if _, _, code = cairn(t, env, "eval", "judge", "run.json", "--criteria", "accuracy=0.1", "--only", "saves"); code != command.ExitOK || s.asked() != 4 {
		t.Errorf("exit %d, %d requests without the cache", code, s.asked())
	}
	env["EVAL_JUDGE_CACHE"] = ""
	out, _, code = cairn(t, env, "eval", "judge", "run.json", "--criteria", "accuracy=0.8", "--judges", "3", "--limit", "2")
	if code != command.ExitOK || s.asked() != 8 || !strings.Contains(out, "accuracy        3      2      0    0.00  1.00") {
		t.Errorf("exit %d, %d requests\n%s", code, s.asked(), out)
	}
}

// What a runner counted by result stays in sight when judges add their cost.
func TestEvalJudgeKeepsTheRunnersCost(t *testing.T) {
	t.Parallel()
	env, _ := judgeWorld(t, judged)
	run := `{"schema_version":1,"all_results":[{"name":"a","passed":true,"cost_usd":5,"output":{"response":"x"}}]}`
	if err := os.WriteFile(filepath.Join(env["PWD"], "run.json"), []byte(run), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, talk, code := cairn(t, env, "eval", "judge", "run.json", "--criteria", "accuracy", "-o", "judged.json"); code != command.ExitOK {
		t.Fatal(talk)
	}
	out, _, _ := cairn(t, env, "eval", "cost", "judged.json")
	if !strings.Contains(out, "(not told by model)") || !strings.Contains(out, "$8.00") {
		t.Error(out)
	}
}

func TestEvalJudgeFailures(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		answer http.HandlerFunc
		code   int
		says   string
	}{
		{"key", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, command.ExitAuth, "is ANTHROPIC_API_KEY right"},
		{"no model", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, command.ExitData, "--model names another model"},
		{"no answer of use", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"content":[]}`) }, command.ExitFailed, "the judge's answer cannot be used"},
		{"some of use", func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if strings.Contains(string(body), "Hello") || strings.Contains(string(body), "Score this") {
				io.WriteString(w, `{"content":[],"stop_reason":"refusal"}`)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			judged(w, r)
		}, command.ExitFailed, "2 of 3 results could not be judged"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			env, _ := judgeWorld(t, tc.answer)
			_, talk, code := cairn(t, env, "eval", "judge", "run.json", "--criteria", "accuracy", "-o", "judged.json")
			if code != tc.code || !strings.Contains(talk, tc.says) {
				t.Errorf("exit %d, want %d: %s", code, tc.code, talk)
			}
			data, err := os.ReadFile(filepath.Join(env["PWD"], "judged.json"))
			if tc.name != "some of use" {
				if err == nil {
					t.Error("a run is written that nobody judged")
				}
				return
			}
			run, _, err := result.Decode(data)
			if err != nil || run.Passed != 1 || run.Errored != 1 || run.Failed != 1 {
				t.Errorf("%v %+v", err, run)
			}
		})
	}
}

func TestEvalJudgeLog(t *testing.T) {
	t.Parallel()
	env, _ := judgeWorld(t, judged)
	env["EVAL_VERBOSE"] = "1"
	if _, talk, code := cairn(t, env, "eval", "judge", "run.json", "--criteria", "accuracy", "--only", "saves"); code != command.ExitOK {
		t.Fatal(talk)
	}
	names, _ := filepath.Glob(filepath.Join(env["CAIRN_HOME"], "log", "evals", "*-saves-*.txt"))
	if len(names) != 1 {
		t.Fatal(names)
	}
	data, _ := os.ReadFile(names[0])
	if text := string(data); !strings.Contains(text, "We save $50M.") || !strings.Contains(text, "because of the figures") || strings.Contains(text, "sk-the-key") {
		t.Error(text)
	}
}

// $3 an answer: judging ends, what was not judged is no failure, and the next
// call goes on.
func TestEvalJudgeMaxCost(t *testing.T) {
	t.Parallel()
	env, s := judgeWorld(t, judged)
	var results []string
	for i := range 40 {
		results = append(results, fmt.Sprintf(`{"name":"case %d","passed":true,"output":{"response":"We save $%dM."}}`, i, i))
	}
	run := `{"schema_version":1,"all_results":[` + strings.Join(results, ",") + `]}`
	if err := os.WriteFile(filepath.Join(env["PWD"], "run.json"), []byte(run), 0o600); err != nil {
		t.Fatal(err)
	}
	judge := []string{"eval", "judge", "run.json", "--criteria", "accuracy=0.8", "-o", "judged.json", "--max-cost", "30", "--concurrency", "40"}
	_, talk, code := cairn(t, env, judge...)
	first := s.asked()
	if code != command.ExitFailed || first < 10 || first > 15 {
		t.Fatalf("exit %d after %d requests: %s", code, first, talk)
	}
	if !strings.Contains(talk, "of 40 results could not be judged: the budget was spent") || !strings.Contains(talk, "--max-cost") || !strings.Contains(talk, "run it again to go on") {
		t.Error(talk)
	}
	data, err := os.ReadFile(filepath.Join(env["PWD"], "judged.json"))
	if err != nil {
		t.Fatal(err)
	}
	made, _, err := result.Decode(data)
	if err != nil || made.Failed != 0 || made.Passed != first || made.Errored != 40-first || !strings.Contains(string(data), "not judged: the budget was spent") {
		t.Errorf("%v %+v after %d requests", err, made.Counts, first)
	}
	if _, talk, _ = cairn(t, env, judge...); s.asked() <= first || s.asked() > first+15 || !strings.Contains(talk, fmt.Sprintf("%d more from the cache", first)) {
		t.Errorf("%d requests, then %d: %s", first, s.asked(), talk)
	}
	for args, says := range map[string]string{
		"--max-cost 0":                     "--max-cost must be more than 0 dollars",
		"--max-cost -1":                    "--max-cost must be more than 0 dollars",
		"--max-cost 1 --model claude-made": "--max-cost needs the price of claude-made, which is unknown",
	} {
		before := s.asked()
		_, talk, code := cairn(t, env, append([]string{"eval", "judge", "run.json", "--criteria", "accuracy"}, strings.Fields(args)...)...)
		if code != command.ExitUsage || !strings.Contains(talk, says) || s.asked() != before {
			t.Errorf("%s: exit %d: %s", args, code, talk)
		}
	}
}

// The right answer of a result, and of a case, reaches the judge.
func TestEvalJudgeSeesTheRightAnswer(t *testing.T) {
	t.Parallel()
	bodies := make(chan string, 10)
	env, _ := judgeWorld(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		judged(w, r)
	})
	for name, text := range map[string]string{
		"run.json":   `{"schema_version":1,"all_results":[{"name":"a","passed":true,"expected":{"answer":4},"output":{"response":"four"}}]}`,
		"cases.yaml": "name: b\nuser_message: two and two?\nexpected: it is FOUR\nexpectations: [{type: quality_check, criteria: {accuracy: 0.5}}]\n",
		"out.json":   `{"b":"4"}`,
	} {
		if err := os.WriteFile(filepath.Join(env["PWD"], name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, talk, code := cairn(t, env, "eval", "judge", "run.json", "--criteria", "accuracy"); code != command.ExitOK {
		t.Fatal(talk)
	}
	if body := <-bodies; !strings.Contains(body, "A right answer") || !strings.Contains(body, `\"answer\": 4`) {
		t.Error(body)
	}
	if _, talk, code := cairn(t, env, "eval", "grade", "cases.yaml", "--outputs", "out.json", "--judge"); code != command.ExitOK {
		t.Fatal(talk)
	}
	if body := <-bodies; !strings.Contains(body, `\nit is FOUR\nEND expected`) || strings.Count(body, "it is FOUR") != 1 || !strings.Contains(body, `\ntwo and two?\nEND input`) {
		t.Error(body)
	}
}
