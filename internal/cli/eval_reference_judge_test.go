package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/command"
	"cairn/internal/team/result"
)

// allKinds answers as chat and embeddings do. A judge of pairs takes the output
// with the most letters x; texts that begin alike have like embeddings.
func allKinds(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	said := string(body)
	if strings.HasSuffix(r.URL.Path, "/embeddings") {
		var in struct{ Input []string }
		_ = json.Unmarshal(body, &in)
		angle := `[0,1]`
		if in.Input[0][:1] == in.Input[1][:1] {
			angle = `[1,0.1]`
		}
		fmt.Fprintf(w, `{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":%s}],"usage":{"prompt_tokens":4}}`, angle)
		return
	}
	name, score := "agreement", 0.9
	if first, second, ok := strings.Cut(said, "BEGIN second"); ok {
		_, first, _ = strings.Cut(first, "BEGIN first")
		second, _, _ = strings.Cut(second, "END second")
		name, score = "preference", 0.5
		switch a, b := strings.Count(first, "xx"), strings.Count(second, "xx"); {
		case a > b:
			score = 1
		case a < b:
			score = 0
		}
	} else if strings.Contains(said, "Lyon") {
		score = 0.1
	}
	text, _ := json.Marshal(fmt.Sprintf(`{"criteria":{%q:{"reasoning":"so","score":%v}}}`, name, score))
	fmt.Fprintf(w, `{"choices":[{"message":{"content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`, text)
}

func referenceWorld(t *testing.T, files map[string]string) (map[string]string, *judgeServer) {
	env, s := judgeWorld(t, allKinds)
	delete(env, "ANTHROPIC_API_KEY")
	env["OPENAI_BASE_URL"] = s.URL + "/v1"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(env["PWD"], name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return env, s
}

func TestEvalJudgeCompares(t *testing.T) {
	t.Parallel()
	env, s := referenceWorld(t, map[string]string{
		"new.json": `{"schema_version":1,"all_results":[
			{"name":"a","passed":true,"expected":"Paris","output":{"response":"Paris xxxx"}},
			{"name":"b","passed":true,"expected":"Paris","output":{"response":"Lyon"}},
			{"name":"c","passed":true,"output":{"response":"same"}},
			{"name":"d","passed":true,"output":{"response":"alone"}}]}`,
		"old.json": `{"schema_version":1,"all_results":[{"name":"a","passed":true,"output":{"response":"xx"}},{"name":"b","passed":true,"variant":"v","output":{"response":"xx"}},{"name":"c","passed":true,"output":{"response":"same"}}]}`,
	})
	out, talk, code := cairn(t, env, "eval", "judge", "new.json", "--type", "reference_check")
	if code != command.ExitOK || s.asked() != 2 || !strings.Contains(out, "✓ pass  a") || !strings.Contains(out, "✗ fail  b     0.10 < 0.70") || !strings.Contains(talk, "2 results have no right answer (expected) and are not judged") {
		t.Errorf("exit %d after %d requests\n%s%s", code, s.asked(), out, talk)
	}
	out, talk, code = cairn(t, env, "eval", "judge", "new.json", "--type", "similar", "-o", "judged.json")
	if code != command.ExitOK || s.asked() != 4 || !strings.Contains(out, "✓ pass  a     1.00") || !strings.Contains(out, "✗ fail  b     0.00 < 0.75") {
		t.Errorf("exit %d after %d requests\n%s%s", code, s.asked(), out, talk)
	}
	out, talk, code = cairn(t, env, "eval", "judge", "new.json", "--type", "pairwise_check", "--versus", "old.json", "-o", "judged.json")
	if code != command.ExitOK || s.asked() != 10 || !strings.Contains(talk, "6 answers") || !strings.Contains(talk, "1 results have no counterpart in the other run and are not judged") {
		t.Errorf("exit %d after %d requests\n%s%s", code, s.asked(), out, talk)
	}
	for _, want := range []string{"preference          1          1     1  1\n", "✓ pass  a     1.00", "✗ fail  b     0.00 < 0.50", "✓ pass  c     0.50"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	data, _ := os.ReadFile(filepath.Join(env["PWD"], "judged.json"))
	if !strings.Contains(strings.Join(strings.Fields(string(data)), ""), `"pairwise":[{"criterion":"preference","preferred":1,"other":1,"ties":1,"p":1}]`) {
		t.Errorf("%s", data)
	}
	for args, says := range map[string]string{
		"--type pairwise_check":                            "name it with --versus RUN",
		"--versus old.json --criteria accuracy":            "--versus needs --type pairwise_check",
		"--type similar --criteria accuracy":               "similar takes no criterion but similarity",
		"--type similar --max-cost 1":                      "--max-cost needs the price of text-embedding-3-small",
		"--type reference_check --only c":                  "no result has both an output and a right answer (expected)",
		"--type pairwise_check --versus old.json --only d": "a counterpart in the other run",
	} {
		before := s.asked()
		env["EVAL_JUDGE_CACHE"] = "0"
		_, talk, code := cairn(t, env, append([]string{"eval", "judge", "new.json"}, strings.Fields(args)...)...)
		if args == "--type similar --max-cost 1" {
			env["EVAL_JUDGE_CACHE"] = ""
		}
		if code == command.ExitOK || !strings.Contains(talk, says) || s.asked() != before {
			t.Errorf("%s: exit %d: %s", args, code, talk)
		}
	}
}

// grade asks none of them without --judge, also no server of embeddings.
func TestEvalGradeCompares(t *testing.T) {
	t.Parallel()
	env, s := referenceWorld(t, map[string]string{
		"cases.yaml": `
- {name: agrees, expected: Paris, expectations: [{type: reference_check}, {type: similar}]}
- {name: differs, expectations: [{type: reference_check, value: Paris}]}
- {name: unlike, expectations: [{type: not, expectation: {type: similar, value: Rome}}]}
- {name: better, comparison: {type: ab_test}, expectations: [{type: pairwise_check, criteria: {preference: 1}}]}
- {name: worse, comparison: {type: ab_test}, expectations: [{type: pairwise_check}]}
- {name: given, expected: xx, expectations: [{type: pairwise_check}]}
`,
		"out.json": `{"agrees":"Paris","differs":"Lyon","unlike":"Oslo","better@treatment":"xxxx","better@control":"xx","worse@treatment":"x","worse@control":"xx","given":"nothing"}`,
	})
	out, talk, _ := cairn(t, env, "eval", "grade", "cases.yaml", "--outputs", "out.json", "--no-fail")
	if s.asked() != 0 || strings.Count(out, "– skip") != 6 || !strings.Contains(talk, "not judged: 7 expectations") {
		t.Errorf("asked %d times\n%s%s", s.asked(), out, talk)
	}
	out, talk, code := cairn(t, env, "eval", "grade", "cases.yaml", "--outputs", "out.json", "--judge", "-o", "run.json")
	for _, want := range []string{"✓ pass  agrees", "✗ fail  differs", "✓ pass  unlike", "✓ pass  better", "✗ fail  worse", "✗ fail  given"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s%s", want, out, talk)
		}
	}
	if code != command.ExitGate || s.asked() != 2+1+1+2+2+2 {
		t.Errorf("exit %d after %d requests", code, s.asked())
	}
	data, _ := os.ReadFile(filepath.Join(env["PWD"], "run.json"))
	run, _, err := result.Decode(data)
	if err != nil || run.Results[3].JudgeScores["preference"] != 1 || run.Results[0].JudgeScores["similarity"] != 0.995037 || run.Results[0].JudgeScores["agreement"] != 0.9 {
		t.Errorf("%v %s", err, data)
	}
}
