package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"cairn/internal/team/cost"
	"cairn/internal/team/grade"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

// caseJudges ask the judges of the environment what cases leave to a judge.
type caseJudges struct {
	env    *Env
	panel  *judge.Panel
	prices cost.Table
	opts   judgeOptions
	tier   string // of a flag or the environment; "" leaves it to the profile

	questions []judge.Question
	verdicts  []judge.Verdict
}

// newCaseJudges returns nil where nobody is to be asked.
func newCaseJudges(env *Env, opts evalGradeOptions) (*caseJudges, error) {
	if !opts.judge {
		return nil, nil
	}
	j := &caseJudges{env: env, opts: opts.judgeOptions}
	if word := firstOf(opts.tier, env.Getenv("EVAL_JUDGE_TIER")); word != "" {
		tier, ok := judge.ParseTier(word)
		if !ok {
			return nil, withKind(errUsage, term.Hint(fmt.Errorf("the tier %q is not known", word), "fast, standard or full; haiku, sonnet and opus mean the same"))
		}
		j.tier = tier
	}
	var err error
	if j.prices, err = loadPrices(env, opts.prices); err != nil {
		return nil, err
	}
	j.panel, err = newPanel(env, opts.judgeOptions)
	return j, err
}

// Judge asks all questions at once. An output without content is not judged.
func (j *caseJudges) Judge(_ context.Context, questions []grade.Question) ([]grade.Verdict, error) {
	answers := make([]grade.Verdict, len(questions))
	var at []int
	for i := range questions {
		q := j.question(&questions[i])
		if q.Output == "" {
			answers[i].Err = errors.New("the output is empty")
			continue
		}
		at, j.questions = append(at, i), append(j.questions, q)
	}
	if len(at) == 0 {
		return answers, nil
	}
	verdicts, err := askJudges(j.env, j.panel, j.prices, j.questions, j.opts)
	if err != nil {
		return nil, err
	}
	j.verdicts = verdicts
	for i := range verdicts {
		answers[at[i]] = verdictOf(&j.questions[i], &verdicts[i])
	}
	if lost, first := countLost(verdicts); lost > 0 {
		term.Warn(j.env.Stderr, "%d of %d questions could not be judged: %v", lost, len(verdicts), first)
	}
	return answers, nil
}

// question is a case's question as judges are asked it.
func (j *caseJudges) question(q *grade.Question) judge.Question {
	p := &q.Profile
	out := judge.Question{CaseName: q.Case, Type: q.Type, Input: judge.OutputOf(&result.Result{Output: q.Input}), Output: judge.OutputOf(&result.Result{Output: q.Output}),
		System: p.System, Models: p.Models, Tier: firstOf(j.tier, p.Tier, "standard"), Judges: p.Judges, Combine: p.Combine, Scale: p.Scale, Temperature: p.Temperature}
	for _, name := range slices.Sorted(maps.Keys(q.Criteria)) {
		out.Criteria = append(out.Criteria, judge.Criterion{Name: name, Threshold: q.Criteria[name], Rubric: firstOf(q.Prompt, p.Criteria[name].Rubric)})
	}
	return out
}

func verdictOf(q *judge.Question, v *judge.Verdict) grade.Verdict {
	var told result.Result
	judge.Apply(&told, q, v)
	out := grade.Verdict{Scores: v.Scores, Reasoning: told.JudgeReasoning, Err: v.Err}
	for _, o := range v.PerJudge {
		one := grade.Opinion{Model: o.Model, Scores: o.Scores, Cached: o.Cached}
		if o.Err != nil {
			one.Scores, one.Error = nil, o.Err.Error()
		}
		out.Opinions = append(out.Opinions, one)
	}
	return out
}

// note adds to a run what judging it took.
func (j *caseJudges) note(run *result.Run) {
	if j == nil || len(j.questions) == 0 {
		return
	}
	addJudgeCosts(run, j.prices, j.verdicts)
	run.JudgeTier = judgedTier(j.questions[0])
	for _, q := range j.questions {
		if judgedTier(q) != run.JudgeTier {
			run.JudgeTier = ""
		}
	}
}
