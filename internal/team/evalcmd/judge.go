package evalcmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/cost"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
)

var judging = command.Command{
	Path: "eval judge", Short: "Have language models score the outputs of a run",
	Long: "Asks judges how well each output of a run meets the criteria, from 0 to 1, and\n" +
		"stores a run with their scores, reasoning, failures and cost. A criterion fails\n" +
		"below its threshold: the one given, the profile's, or 0.7.\n\n" +
		"Judges are models of Anthropic (" + anthropicKey + ") or of any server that speaks\n" +
		"OpenAI's chat completions (" + openaiKey + ", " + openaiURL + ": also vLLM, Ollama,\n" +
		"LM Studio, which need no key on this machine). --tier picks fast, standard or\n" +
		"full (also haiku, sonnet, opus; EVAL_JUDGE_TIER); --model names models, with\n" +
		"anthropic: or openai: before a name that does not say it by itself.\n\n" +
		"With several judges, --judges 3 or --model twice, the median counts, and the\n" +
		"table below the results says how far they agree: cases that split them, and\n" +
		"Fleiss' κ. A judge whose answer is unusable twice is left out; where half of\n" +
		"them are, the case is an error, not a failure.\n\n" +
		"The judge sees the right answer of a result, if it has one (expected,\n" +
		"expected_output, ideal or target). --type reference_check asks whether the output\n" +
		"agrees with it; --type similar compares embeddings of both (the server's\n" +
		"/embeddings, model EVAL_EMBEDDING_MODEL). --type pairwise_check --versus RUN asks\n" +
		"which of two outputs of a case is better, in both orders: the score is 1 for this\n" +
		"run, 0 for the other, 0.5 for a tie or a judge who always takes the same place.\n\n" +
		"--max-cost stops asking once the answers have cost that much; at most five requests\n" +
		"under way are still paid. Results that were not judged by then become errors, not\n" +
		"failures, and the next call goes on from there.\n\n" +
		"Answers are kept in ~/.cairn/judge-cache, and another threshold needs no new\n" +
		"ones. EVAL_JUDGE_CACHE=0 asks again. EVAL_VERBOSE=1 writes every request and\n" +
		"answer to ~/.cairn/log/evals. What is judged is sent to the judge's server.",
	Args: []command.Arg{needRun}, Local: true,
	Flags: []command.Flag{
		{Name: "profile", Default: "", Help: "a judge profile: who judges, by what criteria"},
		profilesFlag,
		{Name: "criteria", Default: []string(nil), Commas: true, Help: "what to score, each with the lowest score that passes: accuracy=0.8,tone (default: the profile's)"},
		{Name: "type", Default: "quality_check", Help: "the kind of judging: quality_check, voice_check, question_quality, reference_check, pairwise_check, similar", Values: judgings},
		{Name: "versus", Default: "", Help: "the `RUN` to compare with, for --type pairwise_check", Values: runs.Refs},
		{Name: "rubric", Default: "", Help: "a file with instructions for the judges, such as a description of the voice"},
		{Name: "model", Default: []string(nil), Help: "who judges, instead of the tier's model; may be repeated"},
		{Name: "judges", Default: 0, Help: "how many answers to ask for, of the models in turn"},
		{Name: "combine", Default: "", Help: "what several scores become: median, mean or min (default: the profile's, or median)", Values: combinations},
		tierFlag,
		{Name: "only", Default: []string(nil), Help: "judge only the case of this name; may be repeated"},
		{Name: "limit", Default: 0, Help: "judge at most so many results"},
		{Name: "dry-run", Default: false, Help: "print what would be asked and what it costs at most; ask nothing"},
		outputFlag, noPushFlag, concurrencyFlag, timeoutFlag, maxCostFlag, pricesFlag},
	Examples: []string{"cairn eval judge results.json --criteria accuracy=0.8,no_filler --dry-run",
		"cairn eval judge latest --criteria accuracy --max-cost 2.50",
		"cairn eval judge latest --criteria direct_tone --type voice_check --rubric voice.md --judges 3"},
	Effect: command.Writes, Run: runJudge,
}

func judgings(*command.Call) []string { return judge.Kinds[:] }

func combinations(*command.Call) []string { return []string{"median", "mean", "min"} }

func runJudge(c *command.Call) (*answer.Answer, error) {
	like := commonQuestion(c)
	prices := must.Get(loadPrices(c.Env, c.String("prices")))
	panel := newPanel(c, prices)
	sel := find(c, c.Arg("RUN"))
	run := sel.Run
	at, questions := questionsOf(c, run, like)
	if c.Bool("dry-run") {
		return judgePlan(panel, prices, questions), nil
	}
	verdicts := must.Get(askJudges(c, panel, prices, questions))
	from := run.Timestamp
	for i, v := range verdicts {
		judge.Apply(&run.Results[at[i]], &questions[i], &v)
	}
	addJudgeCosts(run, prices, verdicts)
	run.JudgeTier = questions[0].JudgedTier()
	run.Timestamp = result.Time{Time: time.Now().UTC().Truncate(time.Millisecond)}
	run.X = judgedFrom(run.X, sel.Entry().ID, from)
	run.ID, run.IngestKey = "", ""
	run.Recount()
	must.OK(command.Data(run.Check()))
	lost, lostErr := judge.Lost(verdicts)
	if lost == len(verdicts) {
		return nil, judgeError(lostErr, 0, lost)
	}
	var pairing answer.View
	if questions[0].Type == judge.Pairwise {
		pairing = notePairs(run, questions, verdicts)
	}
	view := apart(pairing, judgedTable(run, at, questions, verdicts), agreementView(judge.Agree(questions, verdicts)))
	a, err := keepMade(c, run, runs.Keeper{Env: c.Env, NoPush: c.Bool("no-push")}, view)
	if err == nil && a.Err == nil && lost > 0 {
		a.Err = judgeError(fmt.Errorf("%d of %d results could not be judged: %w", lost, len(verdicts), lostErr), len(verdicts)-lost, len(verdicts))
	}
	return a, err
}

// judgedFrom notes which run was judged.
func judgedFrom(object jsontext.Value, id string, at result.Time) jsontext.Value {
	data, err := json.Marshal(struct {
		ID        string      `json:"id,omitzero"`
		Timestamp result.Time `json:"timestamp,omitzero"`
	}{id, at})
	if err != nil {
		return object
	}
	return judge.WithMember(object, "judged_from", data)
}

// judgedTable has the scores of each result.
func judgedTable(run *result.Run, at []int, questions []judge.Question, verdicts []judge.Verdict) answer.View {
	columns := []string{"status:name", "case:name"}
	for _, c := range questions[0].Criteria {
		columns = append(columns, "score:name="+c.Name)
	}
	t := answer.NewTable(append(columns, "why")...)
	for i, v := range verdicts {
		r := &run.Results[at[i]]
		row := []any{status(r.Status), title(run, r)}
		for _, c := range questions[i].Criteria {
			row = append(row, score(v, c))
		}
		t.Add(append(row, text.Shorten(whyJudged(&v, &questions[i]), 160))...)
	}
	return t
}

func score(v judge.Verdict, c judge.Criterion) answer.Cell {
	s, ok := v.Scores[c.Name]
	switch {
	case !ok:
		return answer.Cell{}
	case s < c.Threshold:
		return answer.Marked(fmt.Sprintf("%.2f < %.2f", s, c.Threshold), "bad")
	}
	return answer.Of(fmt.Sprintf("%.2f", s))
}

// whyJudged is why there is no verdict, or the judge's words on the worst
// criterion that failed.
func whyJudged(v *judge.Verdict, q *judge.Question) string {
	if v.Err != nil {
		return v.Err.Error()
	}
	worst, by := "", 0.0
	for _, c := range q.Criteria {
		if d := c.Threshold - v.Scores[c.Name]; d > by {
			worst, by = c.Name, d
		}
	}
	for _, o := range v.PerJudge {
		if o.Err == nil && worst != "" {
			return worst + ": " + o.Reason[worst]
		}
	}
	return ""
}

// judgePlan says what would be asked, and the first question in full.
func judgePlan(p *judge.Panel, prices cost.Table, questions []judge.Question) *answer.Answer {
	planned := p.Plan(questions)
	var most []result.Cost
	cached := 0
	t := answer.NewTable("case:name", "judge:name", "tokens_sent:tokens")
	for _, one := range planned {
		tokens := answer.Of(one.InputTokens)
		if one.Cached {
			cached++
			tokens = answer.Of("– (in the cache)")
		} else {
			most = result.AddCosts(most, []result.Cost{{Model: one.Model, Calls: 1, InputTokens: one.InputTokens, OutputTokens: one.OutputTokens}})
		}
		t.Add(one.Case, one.Model, tokens)
	}
	system, ask := p.Ask(&questions[0])
	return &answer.Answer{Data: struct {
		Answers []judge.Planned `json:"answers"`
		Cached  int             `json:"cached"`
		AtMost  cost.Summary    `json:"at_most"`
	}{planned, cached, cost.Sum(&result.Run{Costs: most}, prices)}, View: apart(t, answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%d answers of %d cases, %d of them in the cache", len(planned), len(questions), cached)
		if len(most) > 0 {
			atMost := strings.Replace(moneyText(prices, most), "about ", "at most ", 1)
			fmt.Fprintf(w, "; %s, if every answer is as long as it may be (%s tokens)", atMost, text.Approx(judge.AnswerLimit))
		}
		fmt.Fprintf(w, "\n\nthe first question in full:\n\n%s\n%s", indented(system), indented(ask))
	}))}
}

// indented is a text of strangers, moved to the right.
func indented(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight("    "+term.Printable(line), " ") + "\n")
	}
	return b.String()
}
