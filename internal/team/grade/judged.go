package grade

import "cairn/internal/team/cases"

func judgedTypes() []Type {
	judged := func(name, about string) Type {
		return Type{cases.Spec{Name: name, Category: "LLM judge", Judged: true, Reads: []string{"judge_scores"}, About: about,
			Keys: []cases.Key{{Name: "criteria", Kind: cases.Marks, About: "an object criterion → lowest score that passes, a list of names, one name, or a question in words"},
				{Name: "judge_profile", Kind: cases.Text, About: "who judges, by the name in judge-profiles.yaml"}}}, nil}
	}
	return []Type{
		judged("quality_check", "A judge gives every criterion its score or a higher one. Scores that the outputs bring (judge_scores) are taken and nobody is asked."),
		judged("voice_check", "Likewise, about how the text sounds. criteria may be a question in words, which is then scored as voice."),
		judged("question_quality", "Likewise, about the question that the text asks. A question in words is scored as question."),
	}
}
