package evalcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/cache"
	"cairn/internal/team/cases"
	"cairn/internal/team/cost"
	"cairn/internal/team/grade"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

// The variables of the judges' servers, as the vendors name them.
const (
	anthropicKey = "ANTHROPIC_API_KEY"
	anthropicURL = "ANTHROPIC_BASE_URL"
	openaiKey    = "OPENAI_API_KEY"
	openaiURL    = "OPENAI_BASE_URL"
)

// newPanel is the judges of the environment.
func newPanel(c *command.Call, prices cost.Table) *judge.Panel {
	switch n := c.Int("concurrency"); {
	case c.Given("max-cost") && !(c.Float("max-cost") > 0):
		must.Fail(command.Usagef("--max-cost must be more than 0 dollars"))
	case n < 1 || n > 64:
		must.Fail(command.Usagef("--concurrency must be 1 to 64, not %d", n))
	case c.Duration("timeout") <= 0:
		must.Fail(command.Usagef("--timeout must be more than 0"))
	}
	h := home.Find(c.Getenv)
	policy, err := cache.ParsePolicy(c.Getenv("EVAL_JUDGE_CACHE"), "")
	if err != nil {
		term.Warn(c.Stderr, "EVAL_JUDGE_CACHE: %v", err)
	}
	p := &judge.Panel{
		Client: &judge.Client{
			Anthropic: judge.Endpoint{URL: c.Getenv(anthropicURL), Key: c.Getenv(anthropicKey), Variable: anthropicKey},
			OpenAI:    judge.Endpoint{URL: c.Getenv(openaiURL), Key: c.Getenv(openaiKey), Variable: openaiKey},
		},
		Cache:       judgeCache{cache.Cache{Root: h.JudgeCache(), Policy: cache.Policy{Fresh: policy.Off}}}, // off: judged anew, and kept
		Concurrency: c.Int("concurrency"),
	}
	if most := c.Float("max-cost"); most > 0 {
		p.Budget = &judge.Budget{USD: most, Price: prices.Estimate}
	}
	if v := c.Getenv("EVAL_VERBOSE"); v != "" && v != "0" {
		p.Log = &judge.Log{Dir: h.EvalLogs(), Now: time.Now}
	}
	return p
}

// embeddingModel is the model of --type similar.
func embeddingModel(env *command.Env) string {
	return cmp.Or(env.Getenv("EVAL_EMBEDDING_MODEL"), judge.EmbeddingModel)
}

// profileQuestion is what all questions of a profile have in common. criteria
// are the least scores that pass; tier is that of a flag, the environment's
// counts where neither that nor the profile says one.
func profileQuestion(env *command.Env, profile cases.Profile, criteria map[string]float64, tier string) (judge.Question, error) {
	word := cmp.Or(tier, profile.Tier, env.Getenv("EVAL_JUDGE_TIER"))
	tier, ok := judge.ParseTier(word)
	if !ok {
		return judge.Question{}, command.Usage(term.Hint(fmt.Errorf("the tier must be fast, standard or full, not %q", word), "haiku, sonnet and opus mean the same"))
	}
	q := judge.Question{Tier: tier, Models: profile.Models, Judges: profile.Judges, Combine: profile.Combine, Scale: profile.Scale, System: profile.System, Temperature: profile.Temperature}
	for _, name := range slices.Sorted(maps.Keys(criteria)) {
		q.Criteria = append(q.Criteria, judge.Criterion{Name: name, Threshold: criteria[name], Rubric: profile.Criteria[name].Rubric})
	}
	return q, nil
}

// judgeCache keeps answers in the cache's files, all of one suite: a key says
// everything that an answer depends on.
type judgeCache struct{ files cache.Cache }

const judgeSuite = "answers"

func (c judgeCache) Get(key string) ([]byte, bool) {
	e, err := c.files.Read(judgeSuite, key)
	return e.Data, err == nil
}

func (c judgeCache) Put(key, caseName string, data []byte) {
	_ = c.files.Write(judgeSuite, key, caseName, data, time.Now()) // asked again then
}

// checkJudges says before anything is asked whether it can be.
func checkJudges(p *judge.Panel, planned []judge.Planned) error {
	checked := map[string]bool{}
	for _, one := range planned {
		vendor, _ := judge.VendorOf(one.Model)
		if one.Cached || checked[vendor] {
			continue
		}
		if err := p.Client.Check(vendor); err != nil {
			return judgeError(err, 0, 0)
		}
		checked[vendor] = true
	}
	if p.Budget == nil {
		return nil
	}
	for _, one := range planned {
		if _, known := p.Budget.Price(result.Cost{Model: one.Model, InputTokens: 1}); !known && !one.Cached {
			return command.Usage(term.Hint(fmt.Errorf("--max-cost needs the price of %s, which is unknown", command.Shown(one.Model)),
				"set it in a file with --prices; a model that you host may cost 0"))
		}
	}
	return nil
}

// askJudges has questions judged, with a bar on a terminal, and says on stderr
// what that cost. An error means that it was given up.
func askJudges(c *command.Call, p *judge.Panel, prices cost.Table, questions []judge.Question) ([]judge.Verdict, error) {
	planned := p.Plan(questions)
	if err := checkJudges(p, planned); err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, c.Duration("timeout"))
	defer cancel()
	bar := term.NewProgress(c.Stderr)
	bar.BeginCount("judging", int64(len(planned)))
	var used []result.Cost
	answered, cached := 0, 0
	p.Progress = func(o *judge.Opinion) {
		switch {
		case o.Cached:
			cached++
		case o.Err == nil:
			answered++
		}
		if o.Usage.Calls > 0 {
			used = result.AddCosts(used, []result.Cost{o.Usage})
		}
		bar.Note(moneyText(prices, used))
		bar.Add(1)
	}
	verdicts, err := p.Judge(ctx, questions)
	bar.End()
	if answered+cached > 0 || len(used) > 0 {
		sayJudged(c.Env, prices, used, answered, cached)
	}
	if p.Log != nil {
		fmt.Fprintf(c.Stderr, "cairn: requests and answers are in %s\n", p.Log.Dir)
	}
	if err != nil {
		return nil, judgeError(err, answered+cached, len(planned))
	}
	return verdicts, nil
}

// sayJudged is "cairn: 40 answers, 12 more from the cache: 120.3k + 8.0k tokens, about $0.32".
func sayJudged(env *command.Env, prices cost.Table, used []result.Cost, answered, cached int) {
	shown := fmt.Sprintf("%d answers", answered)
	if cached > 0 {
		shown += fmt.Sprintf(", %d more from the cache", cached)
	}
	if len(used) > 0 {
		s := cost.Sum(&result.Run{Costs: used}, prices)
		in := s.Total.InputTokens + s.Total.CacheReadTokens + s.Total.CacheWriteTokens
		shown += fmt.Sprintf(": %s + %s tokens, %s", text.Approx(int(in)), text.Approx(int(s.Total.OutputTokens)), moneyText(prices, used))
	}
	fmt.Fprintln(env.Stderr, "cairn: "+shown)
}

// moneyText is "about $0.32", or what is not known of it.
func moneyText(prices cost.Table, used []result.Cost) string {
	s := cost.Sum(&result.Run{Costs: used}, prices)
	switch {
	case len(s.Unknown) == 0:
		return "about " + text.Dollars(s.Total.USD)
	case !s.Total.Known:
		return "no price is known for " + term.Printable(strings.Join(s.Unknown, ", "))
	}
	return fmt.Sprintf("at least %s, no price is known for %s", text.Dollars(s.Total.USD), term.Printable(strings.Join(s.Unknown, ", ")))
}

// judgeError gives an error of the judges its exit code and what to do.
func judgeError(err error, answered, wanted int) error {
	var key *judge.KeyError
	var reach *judge.ReachError
	var no *judge.RefusedError
	kept := fmt.Sprintf("%d of %d answers are kept; run it again to go on from there", answered, wanted)
	switch {
	case errors.As(err, &key) && key.Status == "":
		return command.Auth(term.Hint(err, "export %s=…, or ask a server of your own with %s and --model", key.Variable, openaiURL))
	case errors.As(err, &key):
		return command.Auth(term.Hint(err, "is %s right, and allowed to use this model?", key.Variable))
	case errors.As(err, &reach):
		return command.Net(term.Hint(err, "%s", kept))
	case errors.As(err, &no):
		return command.Data(term.Hint(err, "--model names another model"))
	case errors.Is(err, judge.ErrBudget):
		return term.Hint(err, "run it again to go on, or with a higher --max-cost; answers are kept and not paid twice")
	case errors.Is(err, context.Canceled):
		return term.Hint(errors.New("stopped"), "%s", kept)
	case errors.Is(err, context.DeadlineExceeded):
		return command.Net(term.Hint(errors.New("the judges took longer than --timeout allows"), "%s", kept))
	}
	return err
}

// addJudgeCosts adds what judging used. Where the runner counted dollars of the
// same model, ours are added to them, or they would be lost.
func addJudgeCosts(run *result.Run, prices cost.Table, verdicts []judge.Verdict) {
	if len(run.Costs) == 0 && run.TotalCostUSD > 0 { // or ours would look like all there was
		run.Costs = []result.Cost{{Model: cost.Untold, CostUSD: run.TotalCostUSD}}
	}
	for _, v := range verdicts {
		for _, c := range v.Usage {
			usd, _ := prices.Of(c)
			for _, had := range run.Costs {
				if had.Model == c.Model && had.CostUSD > 0 {
					c.CostUSD = usd
				}
			}
			run.TotalCostUSD += usd
			run.Costs = result.AddCosts(run.Costs, []result.Cost{c})
		}
	}
}

// caseJudges ask the judges of the environment what cases leave to a judge.
type caseJudges struct {
	call   *command.Call
	panel  *judge.Panel
	prices cost.Table

	questions []judge.Question
	verdicts  []judge.Verdict
}

// newCaseJudges returns nil where nobody is to be asked.
func newCaseJudges(c *command.Call) *caseJudges {
	if !c.Bool("judge") {
		return nil
	}
	j := &caseJudges{call: c}
	must.Get(profileQuestion(c.Env, cases.Profile{}, nil, c.String("tier"))) // is the tier known
	j.prices = must.Get(loadPrices(c.Env, c.String("prices")))
	j.panel = newPanel(c, j.prices)
	return j
}

// Judge asks all questions at once. An output without content is not judged.
func (j *caseJudges) Judge(_ context.Context, questions []grade.Question) ([]grade.Verdict, error) {
	answers := make([]grade.Verdict, len(questions))
	var at []int
	for i := range questions {
		q, err := j.question(&questions[i])
		if err != nil {
			return nil, err
		}
		switch what := q.Lacks(); {
		case q.Output == "":
			answers[i].Err = errors.New("the output is empty")
			continue
		case q.Type == judge.Pairwise && what != "":
			answers[i].Err = errors.New("no other answer to compare with")
			continue
		case what != "":
			answers[i].Err = errors.New("no " + what)
			continue
		}
		at, j.questions = append(at, i), append(j.questions, q)
	}
	if len(at) == 0 {
		return answers, nil
	}
	verdicts, err := askJudges(j.call, j.panel, j.prices, j.questions)
	if err != nil {
		return nil, err
	}
	j.verdicts = verdicts
	for i := range verdicts {
		answers[at[i]] = verdictOf(&j.questions[i], &verdicts[i])
	}
	if lost, first := judge.Lost(verdicts); lost > 0 {
		term.Warn(j.call.Stderr, "%d of %d questions could not be judged: %v", lost, len(verdicts), first)
	}
	return answers, nil
}

// question is a case's question as judges are asked it.
func (j *caseJudges) question(asked *grade.Question) (judge.Question, error) {
	q, err := profileQuestion(j.call.Env, asked.Profile, asked.Criteria, j.call.String("tier"))
	q.CaseName, q.Type = asked.Case, asked.Type
	q.Input, q.Expected, q.Output, q.Other = judge.TextOf(asked.Input), asked.Expected, judge.TextOf(asked.Output), judge.TextOf(asked.Other)
	if asked.Type == judge.Similar {
		q.Models, q.Judges = []string{embeddingModel(j.call.Env)}, 1
	}
	if asked.Prompt != "" {
		q.Criteria[0].Rubric = asked.Prompt // the only one
	}
	return q, err
}

func verdictOf(q *judge.Question, v *judge.Verdict) grade.Verdict {
	var told result.Result
	judge.Apply(&told, q, v)
	return grade.Verdict{Scores: v.Scores, Reasoning: told.JudgeReasoning, Opinions: v.Said(), Err: v.Err}
}

// note adds to a run what judging it took.
func (j *caseJudges) note(run *result.Run) {
	if j == nil || len(j.questions) == 0 {
		return
	}
	addJudgeCosts(run, j.prices, j.verdicts)
	run.JudgeTier = j.questions[0].JudgedTier()
	for _, q := range j.questions {
		if q.JudgedTier() != run.JudgeTier {
			run.JudgeTier = ""
		}
	}
}
