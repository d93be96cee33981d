package reader

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// deepEval puts a run together from DeepEval's test cases.
type deepEval struct {
	run    result.Run
	c      *collector
	inputs map[string]map[string]bool // name → what was asked under it
}

// readDeepEval reads a test run of DeepEval, as it writes it into .deepeval and
// into DEEPEVAL_RESULTS_FOLDER, or the result of its evaluate().
func readDeepEval(data []byte, c *collector) *result.Run {
	var all row
	decode(withoutNaN(data), &all)
	if inner := all["testRunData"]; inner != nil {
		if inner.Kind() == '"' { // a text of JSON
			inner = jsontext.Value(asText(inner))
		}
		all = nil
		decode(inner, &all)
	} else if all["testRunLink"] != nil {
		must.Fail(errors.New("a link to a test run of DeepEval; its results are in .deepeval/.latest_run_full.json, or in the directory that DEEPEVAL_RESULTS_FOLDER names"))
	}
	d := deepEval{c: c, inputs: map[string]map[string]bool{}}
	d.run = result.Run{Tool: "DeepEval", Kind: "eval", Suite: all.text("testFile"), WallClockMS: max(0, all.figure("runDuration")*1000)}
	d.run.X = object(member{"identifier", valid(all["identifier"])}, member{"hyperparameters", valid(all["hyperparameters"])},
		member{"dataset", valid(all["datasetAlias"])}, member{"prompts", some(all["prompts"])})
	model := all.part("hyperparameters").text("model")
	var cases []row
	for _, name := range [...]string{"testCases", "conversationalTestCases", "test_results"} {
		cases = append(cases, rows(all[name])...)
	}
	for _, k := range cases {
		name := k.text("name")
		if d.inputs[name] == nil {
			d.inputs[name] = map[string]bool{}
		}
		d.inputs[name][asked(k)] = true
	}
	for i, k := range cases {
		d.add(i, k, model)
	}
	c.repeats(&d.run, 0)
	byModel(d.run.Costs)
	return &d.run
}

// some is a list or an object that is not empty.
func some(v jsontext.Value) jsontext.Value {
	if (v.Kind() == '[' || v.Kind() == '{') && len(bytes.Trim(v, "[]{} \n")) == 0 {
		return nil
	}
	return valid(v)
}

// asked is the input of a case; of a conversation its scenario, or how it began.
func asked(k row) string {
	if input := cmp.Or(k.text("input"), k.text("scenario")); input != "" {
		return input
	}
	var turns []struct {
		Content string `json:"content"`
	}
	if json.Unmarshal(k["turns"], &turns, foreign()) == nil && len(turns) > 0 {
		return turns[0].Content
	}
	return ""
}

// byNumber matches the names that DeepEval gives to cases without one.
var byNumber = regexp.MustCompile(`^(conversational_)?test_case_\d+$`)

func (d *deepEval) add(i int, k row, model string) {
	name, input := k.text("name"), asked(k)
	r := result.Result{Name: oneLine(name, mostName), Model: model, DurationMS: max(0, cmp.Or(k.figure("completionTime"), k.figure("runDuration"))*1000), CostUSD: max(0, k.figure("tokenCost"))}
	asks(&r, input)
	if byNumber.MatchString(name) || len(d.inputs[name]) > 1 || name == "" {
		whole := strings.TrimSuffix(name+": "+input, ": ")
		if r.Name = oneLine(whole, mostName); r.Name != whole {
			r.CaseID = result.ContentID(whole)
		}
		r.Name = cmp.Or(strings.TrimPrefix(r.Name, ": "), fmt.Sprintf("case %d", i+1))
	}
	d.answer(&r, k)
	r.Category, r.Tags = oneLine(k.part("metadata").text("category"), mostName), texts(k["tags"])
	metrics := rows(k.either("metricsData"))
	if metrics == nil {
		metrics = rows(k.either("metricsMetadata")) // before version 1
	}
	checks, others := d.judge(&r, k, metrics)
	r.X = object(member{"input", quoted(input)}, member{"expected", some(k.either("expectedOutput"))}, member{"context", some(k["context"])},
		member{"retrieval_context", some(k.either("retrievalContext"))}, member{"expected_tools", some(k.either("expectedTools"))}, member{"expected_outcome", some(k.either("expectedOutcome"))},
		member{"user_description", some(k.either("userDescription"))}, member{"metadata", some(k["metadata"])}, member{"comments", some(k["comments"])},
		member{"checks", checks}, member{"other_scores", others})
	if model != "" && r.CostUSD > 0 {
		d.run.Costs = result.AddCosts(d.run.Costs, []result.Cost{{Model: model, CostUSD: r.CostUSD}})
	}
	d.run.TotalCostUSD += r.CostUSD
	d.run.Results = append(d.run.Results, r)
}

// answer keeps what came back: a text, with the tools that were called, or a
// conversation.
func (d *deepEval) answer(r *result.Result, k row) {
	said, tools, turns := k.either("actualOutput"), some(k.either("toolsCalled")), some(k["turns"])
	respond(r, said)
	if tools != nil || turns != nil {
		if said.Kind() == 'n' {
			said = nil
		}
		r.Output = object(member{"response", valid(said)}, member{"tool_calls", tools}, member{"turns", turns})
	}
}

// judge sets the status, which is DeepEval's, except that a case is an error if a
// metric could not judge it and no other failed.
func (d *deepEval) judge(r *result.Result, k row, metrics []row) (checks, others jsontext.Value) {
	var list, other []member
	var all []jsontext.Value
	var errs, reasons []string
	for _, m := range metrics {
		name := oneLine(cmp.Or(m.text("name"), m.text("metric")), mostName)
		passed, reason, failed := m["success"], message(m.text("reason")), message(m.text("error"))
		score, scored := number(m.text("score"))
		list = []member{{"passed", valid(passed)}, {"type", quoted(name)}, {"reason", quoted(reason)}, {"error", quoted(failed)}, {"threshold", valid(m["threshold"])},
			{"model", valid(m.either("evaluationModel"))}, {"logs", quoted(message(m.text("verboseLogs")))}}
		if scored {
			list = append(list, member{"score", numeral(score)})
			if score >= 0 && score <= 1 {
				addScore(r, name, score)
			} else {
				other = append(other, member{name, numeral(score)})
				d.c.warn("%s: its score of %s, %v, is outside 0 to 1: it is kept in other_scores and not compared", oneLine(r.Name, 60), oneLine(name, 40), score)
			}
		}
		flaky := m.text("flaky") == "true"
		if flaky {
			list = append(list, member{"flaky", jsontext.Value("true")})
		}
		all = append(all, object(list...))
		if reason != "" {
			reasons = append(reasons, name+": "+reason)
		}
		switch {
		case flaky: // decides nothing
		case failed != "":
			errs = append(errs, name+": "+failed)
		case passed.Kind() == 'f':
			r.Failures = append(r.Failures, result.Failure{Type: "threshold", ExpectationType: name, Criterion: name, Message: cmp.Or(reason, "below its threshold"), Expected: valid(m["threshold"]), Actual: valid(m["score"])})
		}
		d.usage(m)
	}
	r.JudgeReasoning = message(strings.Join(reasons, "\n"))
	switch success := k["success"]; {
	case success.Kind() == 't':
		r.Set(result.Pass)
		r.Failures = nil
	case len(r.Failures) > 0:
		r.Set(result.Fail)
	case len(errs) > 0:
		broke(r, message(strings.Join(errs, "\n")))
	case success.Kind() == 'f':
		fail(r, "failed without a metric that says why")
	default:
		broke(r, "not judged: no metric decided it")
	}
	return array(all), object(other...)
}

// usage counts what a metric's judge used.
func (d *deepEval) usage(m row) {
	usd, model := max(0, m.figure("evaluationCost")), oneLine(m.text("evaluationModel"), mostName)
	input, output := m.figure("inputTokenCount"), m.figure("outputTokenCount")
	if d.run.TotalCostUSD += usd; model == "" && usd == 0 {
		return
	}
	d.run.Costs = result.AddCosts(d.run.Costs, []result.Cost{{Model: cmp.Or(model, "grading"), Calls: 1, InputTokens: whole(max(0, input)), OutputTokens: whole(max(0, output)), CostUSD: usd}})
}
