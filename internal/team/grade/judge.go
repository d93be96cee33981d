package grade

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
)

// A Judge scores what no function can check. It answers every question, in
// their order; its error means that it gave up, and no verdict counts.
type Judge interface {
	Judge(ctx context.Context, questions []Question) ([]Verdict, error)
}

// A Question is one expectation of a judged type, held against one output.
type Question struct {
	Suite, Case, Description string
	Type                     string             // quality_check, voice_check or question_quality
	Criteria                 map[string]float64 // criterion → the lowest score that passes
	Prompt                   string             // what is asked, in words; "" asks by the names of the criteria
	Profile                  cases.Profile
	Input                    jsontext.Value // what the runner was given, an object without the right answer
	Expected                 string         // the right answer, or ""
	Other                    jsontext.Value // the other output of a pairwise question, or nil
	Output                   jsontext.Value // what came out, an object
}

// A Verdict is the answer: a score for every criterion, on the profile's scale.
type Verdict struct {
	Scores    map[string]float64
	Reasoning string
	Opinions  []result.Opinion // of each judge
	Err       error            // there is no verdict on this question
}

// question is one that is still open.
type question struct {
	paper *paper
	want  *cases.Expectation
	q     Question
	of    *part // nil: the expectation stands for itself
}

// ask puts all questions before the judge and marks the papers with the answers.
func ask(ctx context.Context, judge Judge, open []question) error {
	if len(open) == 0 {
		return nil
	}
	questions := make([]Question, len(open))
	for i := range open {
		questions[i] = open[i].q
	}
	verdicts, err := judge.Judge(ctx, questions)
	if err != nil {
		return err
	}
	if len(verdicts) != len(questions) {
		return fmt.Errorf("the judge answered %d of %d questions", len(verdicts), len(questions))
	}
	for i := range open {
		v := &verdicts[i]
		if v.Err == nil {
			v.Err = v.check(&questions[i])
		}
		open[i].paper.answered(open[i].want, open[i].of, v)
	}
	return nil
}

// check makes sure that every criterion has a score, and one on the scale.
func (v *Verdict) check(q *Question) error {
	lo, hi, err := q.Profile.Scale.Bounds()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(q.Criteria)) {
		s, ok := v.Scores[name]
		switch {
		case !ok:
			return fmt.Errorf("the judge gave no score for %s", name)
		case !(s >= lo && s <= hi):
			return fmt.Errorf("the judge gave %v for %s; %v to %v is the scale", s, name, lo, hi)
		}
	}
	return nil
}

// brought returns the scores that came with the output.
func (x *exam) brought() map[string]float64 {
	if x.want.Path == nil && x.out.JudgeScores != nil {
		return x.out.JudgeScores
	}
	object, _ := first(x.out.Value, x.places([]string{"judge_scores"}), as[map[string]any])
	return numbers(object)
}

// threshold compares scores with what they have to be, as far as there are any.
func (x *exam) threshold(scores map[string]float64) {
	const slack = 1e-9 // 0.7 from a sum of floats is 0.7
	var low []result.Detail
	shown := map[string]float64{}
	for _, name := range slices.Sorted(maps.Keys(x.want.Judged.Criteria)) {
		s, ok := scores[name]
		if !ok {
			continue
		}
		shown[name] = s
		if t := x.want.Judged.Criteria[name]; s < t-slack {
			low = append(low, result.Detail{Criterion: name, Score: s, Threshold: t})
		}
	}
	if len(low) == 0 {
		return
	}
	worst := slices.MinFunc(low, func(a, b result.Detail) int { return cmp.Compare(a.Score-a.Threshold, b.Score-b.Threshold) })
	f := x.fail("%s failed: %d of %d criteria below threshold", strings.ReplaceAll(x.want.Type, "_", " "), len(low), len(shown))
	f.Type, f.Criterion = "threshold", worst.Criterion
	f.Expected, f.Actual = encoded(worst.Threshold), encoded(worst.Score)
	f.Details, f.Scores = low, shown
}

// pairwise is the type that compares an output with another one.
const pairwise = "pairwise_check"

func judgedTypes() []Type {
	value := cases.Key{Name: "value", Kind: cases.Text, Expected: true, About: "default: the case's expected"}
	judged := func(name, about string, names ...cases.Also) Type {
		return Type{cases.Spec{Name: name, Category: "LLM judge", Judged: true, Reads: []string{"judge_scores"}, About: about, Also: names,
			Keys: []cases.Key{{Name: "criteria", Kind: cases.Marks, About: "an object criterion → lowest score that passes, a list of names, one name, or a question in words"},
				{Name: "threshold", Kind: cases.Share, About: "for criteria in words: the share of the scale that passes, instead of the profile's threshold"},
				{Name: "judge_profile", Kind: cases.Text, About: "who judges, by the name in judge-profiles.yaml"}}}, nil}
	}
	return []Type{
		judged("quality_check", "A judge gives every criterion its score or a higher one. Scores that the outputs bring (judge_scores) are taken and nobody is asked.",
			cases.Also{Name: "llm-rubric", How: "criteria in words"}, cases.Also{Name: "g-eval", How: "criteria in words"}, cases.Also{Name: "model-graded-closedqa", How: "criteria in words"}),
		judged("voice_check", "Likewise, about how the text sounds. criteria may be a question in words, which is then scored as voice."),
		judged("question_quality", "Likewise, about the question that the text asks. A question in words is scored as question."),
		compared(judged("reference_check", "A judge finds that the output agrees with the right answer: value, or the case's expected. Without criteria the judge scores agreement.",
			cases.Also{Name: "factuality"}, cases.Also{Name: "model-graded-factuality"}), "agreement", 0, value),
		compared(judged(pairwise, "A judge, asked in both orders, does not prefer the other answer: value, or else the control of an A/B test, or the case's expected. "+
			"The score is 1 if the output is preferred, 0 if the other is, 0.5 for a tie or a judge who always takes the same place. Without criteria the judge scores preference, and 0.5 passes.",
			cases.Also{Name: "select-best"}), "preference", 0.5, cases.Key{Name: "value", Kind: cases.Text, About: "the other answer"}),
		{cases.Spec{Name: "similar", Category: "LLM judge", Judged: true, Reads: []string{"judge_scores"}, Scored: "similarity", Least: 0.75,
			Keys:  []cases.Key{value, {Name: "threshold", Kind: cases.Share, Default: "0.75"}},
			About: "The cosine of the embeddings of the output and of value, or the case's expected, is at least threshold; the score is called similarity. The embeddings server is asked only with --judge."}, nil},
	}
}

// compared is a judged type that compares the output with another text.
func compared(t Type, scored string, least float64, key cases.Key) Type {
	t.Scored, t.Least, t.Keys = scored, least, append([]cases.Key{key}, t.Keys...)
	return t
}
