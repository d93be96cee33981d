package evalcmd

import (
	"context"
	"errors"

	"cairn/internal/command"
	"cairn/internal/team/cases"
	"cairn/internal/team/cost"
	"cairn/internal/team/grade"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

// caseJudges ask the judges of the environment what cases leave to a judge.
type caseJudges struct {
	call   *command.Call
	panel  *judge.Panel
	prices cost.Table

	questions []judge.Question
	verdicts  []judge.Verdict
}

// newCaseJudges returns nil where nobody is to be asked.
func newCaseJudges(c *command.Call) (*caseJudges, error) {
	if !c.Bool("judge") {
		return nil, nil
	}
	j := &caseJudges{call: c}
	_, err := profileQuestion(c.Env, cases.Profile{}, nil, c.String("tier")) // is the tier known
	if err != nil {
		return nil, err
	}
	if j.prices, err = loadPrices(c.Env, c.String("prices")); err != nil {
		return nil, err
	}
	j.panel, err = newPanel(c)
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
	q.Input, q.Output = judge.OutputOf(&result.Result{Output: asked.Input}), judge.OutputOf(&result.Result{Output: asked.Output})
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
