package cli

import (
	"context"
	"errors"

	"cairn/internal/team/cases"
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
	tier   string // of a flag

	questions []judge.Question
	verdicts  []judge.Verdict
}

// newCaseJudges returns nil where nobody is to be asked.
func newCaseJudges(env *Env, opts evalGradeOptions) (*caseJudges, error) {
	if !opts.judge {
		return nil, nil
	}
	j := &caseJudges{env: env, opts: opts.judgeOptions, tier: opts.tier}
	_, err := profileQuestion(env, cases.Profile{}, nil, opts.tier) // is the tier known
	if err != nil {
		return nil, err
	}
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
		q, err := j.question(&questions[i])
		if err != nil {
			return nil, err
		}
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
func (j *caseJudges) question(asked *grade.Question) (judge.Question, error) {
	q, err := profileQuestion(j.env, asked.Profile, asked.Criteria, j.tier)
	q.CaseName, q.Type = asked.Case, asked.Type
	q.Input, q.Output = judge.OutputOf(&result.Result{Output: asked.Input}), judge.OutputOf(&result.Result{Output: asked.Output})
	if asked.Prompt != "" {
		q.Criteria[0].Rubric = asked.Prompt // the only one
	}
	return q, err
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
