package reader

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// trials puts a run together from trials of agents at tasks. One task tried several
// times is a case with attempts.
type trials struct {
	run      result.Run
	c        *collector
	variants []string // of each result: the agent and its model
}

// objects reads one object after another, as `cat JOB/*/result.json` has them.
func objects(data []byte, f func(row)) {
	dec := jsontext.NewDecoder(bytes.NewReader(data), foreign())
	if err := must.Catch(func() {
		for {
			var r row
			err := json.UnmarshalDecode(dec, &r, foreign())
			if err == io.EOF {
				return
			}
			must.OK(err)
			f(r)
		}
	}); err != nil {
		must.Fail(inJSON(data, err))
	}
}

// readHarbor reads the results of Harbor's trials, each a file of its own.
func readHarbor(data []byte, c *collector) *result.Run {
	t := trials{c: c, run: result.Run{Tool: "harbor", Kind: "e2e"}}
	objects(data, func(r row) {
		if r["trial_name"] == nil && r["n_total_trials"] != nil {
			if r["trial_results"].Kind() != '[' {
				must.Fail(errors.New("the summary of a Harbor job, without its trials; join those with cat JOB/*/result.json > trials.json"))
			}
			for _, one := range rows(r["trial_results"]) {
				t.harbor(one)
			}
			return
		}
		t.harbor(r)
	})
	return t.finish()
}

func (t *trials) harbor(r row) {
	agent, used, verdict, broken := r.part("agent_info"), r.part("agent_result"), r.part("verifier_result").part("rewards"), r.part("exception_info")
	model := agent.part("model_info").text("name")
	one := result.Result{Name: oneLine(r.text("task_name"), mostName), Suite: oneLine(r.text("source"), mostName), Model: model, CostUSD: max(0, used.figure("cost_usd"))}
	t.took(&one, r.text("started_at"), r.text("finished_at"))
	why := strings.Trim(message(broken.text("exception_type")+": "+broken.text("exception_message")), ": ")
	var other []member
	one.Set(result.Pass)
	_, whole := number(asText(verdict["reward"]))
	unread := ""
	for _, name := range slices.Sorted(maps.Keys(verdict)) {
		reward, ok := number(asText(verdict[name]))
		switch {
		case !ok:
			unread = cmp.Or(unread, "the reward "+oneLine(name, 40)+" is not a number")
			continue
		case reward < 0 || reward > 1:
			other = append(other, member{name, numeral(reward)})
		case name == "reward":
			one.Score = &reward
		default:
			addScore(&one, name, reward)
		}
		if (name == "reward" || !whole) && reward < 1 {
			fail(&one, message(strings.TrimSpace(fmt.Sprintf("%s %v\n%s", name, reward, why))))
		}
	}
	switch {
	case len(verdict) == 0:
		broke(&one, cmp.Or(why, "the trial has no reward"))
	case !whole && unread != "" && one.Status == result.Pass: // missing is not passed
		broke(&one, cmp.Or(why, unread))
	}
	input, cached := used.figure("n_input_tokens"), used.figure("n_cache_tokens") // the first has the second in it
	one.X = object(member{"trial", valid(r["trial_name"])}, member{"agent", valid(agent["name"])}, member{"agent_version", valid(agent["version"])},
		member{"exception", quoted(why)}, member{"other_scores", object(other...)}, tokensOf(max(0, input-cached), used.figure("n_output_tokens"), cached, 0))
	t.use(model, agent.text("name"), max(0, input-cached), used.figure("n_output_tokens"), cached, one.CostUSD)
	t.run.Results = append(t.run.Results, one)
}

// readTerminalBench reads the results of a Terminal-Bench run, or of one trial.
func readTerminalBench(data []byte, c *collector) *result.Run {
	t := trials{c: c, run: result.Run{Tool: "terminal-bench", Kind: "e2e"}}
	objects(data, func(r row) {
		list := []row{r}
		if r["results"].Kind() == '[' {
			list = rows(r["results"])
		}
		for _, one := range list {
			t.terminalBench(one)
		}
	})
	return t.finish()
}

func (t *trials) terminalBench(r row) {
	one := result.Result{Name: oneLine(r.text("task_id"), mostName)}
	t.took(&one, r.text("trial_started_at"), r.text("trial_ended_at"))
	tests := r.part("parser_results")
	var checks []jsontext.Value
	var failed []string
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		said := asText(tests[name])
		checks = append(checks, object(member{"type", quote(name)}, member{"passed", jsontext.Value(fmt.Sprint(said == "passed"))}, member{"reason", quote(said)}))
		if said != "passed" {
			failed = append(failed, name+": "+said)
		}
	}
	mode := r.text("failure_mode")
	if mode == "none" || mode == "unset" {
		mode = ""
	}
	switch solved := r["is_resolved"]; solved.Kind() {
	case 't':
		one.Set(result.Pass)
	case 'f':
		if mode != "" {
			failed = append([]string{mode}, failed...)
		}
		fail(&one, cmp.Or(message(strings.Join(failed, "\n")), "not resolved"))
	default:
		broke(&one, cmp.Or(mode, "not judged"))
	}
	input := cmp.Or(r.text("instruction"), r.text("task_description"))
	asks(&one, input)
	one.X = object(member{"input", quoted(beginning(input))}, member{"trial", valid(r["trial_name"])}, member{"failure_mode", quoted(mode)}, member{"checks", array(checks)},
		tokensOf(r.figure("total_input_tokens"), r.figure("total_output_tokens"), 0, 0))
	t.use("", "", r.figure("total_input_tokens"), r.figure("total_output_tokens"), 0, 0)
	t.run.Results = append(t.run.Results, one)
}

// took sets the duration of a trial. The run began with the first of them.
func (t *trials) took(r *result.Result, from, to string) {
	began, ended := stamp(from), stamp(to)
	if began.IsZero() {
		return
	}
	if t.run.Timestamp.IsZero() || began.Before(t.run.Timestamp.Time) {
		t.run.Timestamp = began
	}
	if !ended.IsZero() {
		r.DurationMS = max(0, ended.Sub(began.Time).Seconds()*1000)
	}
}

func (t *trials) use(model, agent string, input, output, cached, usd float64) {
	t.variants = append(t.variants, strings.Trim(agent+" · "+model, " ·"))
	if input > 0 || output > 0 || usd > 0 {
		t.run.Costs = result.AddCosts(t.run.Costs, []result.Cost{{Model: cmp.Or(model, agent, unknownModel), InputTokens: whole(max(0, input)), OutputTokens: whole(max(0, output)), CacheReadTokens: whole(max(0, cached)), CostUSD: usd}})
	}
}

// finish names the agents where there are several: a run of one agent is compared
// with a run of another.
func (t *trials) finish() *result.Run {
	if len(slices.Compact(slices.Sorted(slices.Values(t.variants)))) > 1 {
		for i := range t.run.Results {
			t.run.Results[i].Variant = t.variants[i]
		}
	}
	t.run.NumberAttempts()
	byModel(t.run.Costs)
	return &t.run
}
