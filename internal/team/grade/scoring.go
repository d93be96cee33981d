package grade

import "cairn/internal/team/cases"

func scoringTypes() []Type {
	return []Type{
		{cases.Spec{Name: "score_range", Category: "Scoring", Reads: []string{"score"}, Keys: minMax, Needs: eitherEnd,
			About: "The score is from min to max, both included."}, numberRange},
		{cases.Spec{Name: "expect_score_above", Category: "Scoring", Reads: []string{"score"}, Keys: []cases.Key{{Name: "value", Kind: cases.Number, Required: true}},
			About: "The score is above value, not equal to it."}, scoreAbove},
		{cases.Spec{Name: "expect_score_below", Category: "Scoring", Reads: []string{"score"}, Keys: []cases.Key{{Name: "value", Kind: cases.Number, Required: true}},
			About: "The score is below value, not equal to it."}, scoreBelow},
		{cases.Spec{Name: "bias_score_range", Category: "Scoring", Reads: []string{"bias_score", "bias.score", "scores.bias"}, Keys: minMax, Needs: eitherEnd,
			About: "The score for bias is from min to max."}, numberRange},
		{cases.Spec{Name: "quality_score_range", Category: "Scoring", Reads: []string{"quality_score", "quality.score", "scores.quality"}, Keys: minMax, Needs: eitherEnd,
			About: "The score for quality is from min to max."}, numberRange},
	}
}

func numberRange(x *exam) {
	if n, ok := x.readNumber(); ok {
		x.between("score", n, "min", "max")
	}
}

func scoreAbove(x *exam) {
	if n, ok := x.readNumber(); ok && !(n > x.number("value")) {
		x.differ(x.number("value"), n, "score %s, above %s wanted", plain(n), plain(x.number("value")))
	}
}

func scoreBelow(x *exam) {
	if n, ok := x.readNumber(); ok && !(n < x.number("value")) {
		x.differ(x.number("value"), n, "score %s, below %s wanted", plain(n), plain(x.number("value")))
	}
}
