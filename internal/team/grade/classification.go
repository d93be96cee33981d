package grade

import (
	"slices"
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

var (
	channels     = []string{"channel", "classification.channel"}
	contentTypes = []string{"content_type", "classification.content_type"}
	worths       = []string{"worthy", "is_worthy", "classification.worthy"}
	verdicts     = []string{"pass", "passed", "moderation.pass"}
	commentTypes = []string{"comment_type", "moderation.comment_type"}
)

func classificationTypes() []Type {
	return []Type{
		{cases.Spec{Name: "channel_is", Category: "Classification", Reads: channels, Keys: []cases.Key{{Name: "channel", Kind: cases.Text, Required: true}},
			About: "The channel is this one. Upper and lower case count, blanks at the ends do not."}, of((*exam).readText, channelIs)},
		{cases.Spec{Name: "channel_not", Category: "Classification", Reads: channels, Keys: []cases.Key{{Name: "channel", Kind: cases.Text, Required: true}},
			About: "The channel is another one. An output without a channel fails."}, of((*exam).readText, channelNot)},
		{cases.Spec{Name: "content_type_in", Category: "Classification", Reads: contentTypes, Keys: []cases.Key{{Name: "values", Kind: cases.Texts, Required: true}},
			About: "The type of content is one of the values."}, of((*exam).readText, contentTypeIn)},
		{cases.Spec{Name: "worthy", Category: "Classification", Reads: worths, About: "The output says true: it is worth it."}, isWorthy(true)},
		{cases.Spec{Name: "not_worthy", Category: "Classification", Reads: worths, About: "The output says false. Saying nothing fails."}, isWorthy(false)},
		{cases.Spec{Name: "expected_pass", Category: "Classification", Reads: append(verdicts[:len(verdicts):len(verdicts)], commentTypes...),
			Keys:  []cases.Key{{Name: "value", Kind: cases.Bool, Default: "true"}, {Name: "expected_comment_type", Kind: cases.Text}},
			About: "The model's own verdict (pass, passed or moderation.pass) is value; with expected_comment_type its comment_type is that too. path is about the verdict."}, expectedPass},
	}
}

func channelIs(x *exam, s string) {
	if strings.TrimSpace(s) != strings.TrimSpace(x.text("channel")) {
		x.differ(x.text("channel"), s, "channel %q, %q wanted", text.First(s, mostShort), x.text("channel"))
	}
}

func channelNot(x *exam, s string) {
	if strings.TrimSpace(s) == strings.TrimSpace(x.text("channel")) {
		x.differ("not "+x.text("channel"), s, "channel is %q", x.text("channel"))
	}
}

func contentTypeIn(x *exam, s string) {
	if values := x.want.Texts("values"); !slices.Contains(values, strings.TrimSpace(s)) {
		x.differ(values, s, "content type %q, one of %s wanted", text.First(s, mostShort), text.First(strings.Join(values, ", "), mostShort))
	}
}

func isWorthy(want bool) func(*exam) {
	return of((*exam).readBool, func(x *exam, b bool) {
		if b != want {
			x.differ(want, b, "worthy is %v, %v wanted", b, want)
		}
	})
}

func expectedPass(x *exam) {
	want := x.want.Bool("value")
	if b, ok := read(x, verdicts, "true or false", as[bool]); ok && b != want {
		x.differ(want, b, "pass is %v, %v wanted", b, want)
	}
	kind, asked := x.want.Text("expected_comment_type")
	v, there := first(x.out.Value, commentTypes, func(v any) (any, bool) { return v, true })
	switch {
	case asked && !there:
		x.absent("output has no comment type (looked at %s)", strings.Join(commentTypes, ", "))
	case asked && v != kind:
		x.differ(kind, v, "comment type %s, %q wanted", spoken(v), kind)
	}
}

func scoringTypes() []Type {
	return []Type{
		{cases.Spec{Name: "score_range", Category: "Scoring", Reads: []string{"score"}, Keys: minMax, Needs: eitherEnd,
			About: "The score is from min to max, both included."}, of((*exam).readNumber, numberRange)},
		{cases.Spec{Name: "expect_score_above", Category: "Scoring", Reads: []string{"score"}, Keys: []cases.Key{{Name: "value", Kind: cases.Number, Required: true}},
			About: "The score is above value, not equal to it."}, beyond("above", func(n, value float64) bool { return n > value })},
		{cases.Spec{Name: "expect_score_below", Category: "Scoring", Reads: []string{"score"}, Keys: []cases.Key{{Name: "value", Kind: cases.Number, Required: true}},
			About: "The score is below value, not equal to it."}, beyond("below", func(n, value float64) bool { return n < value })},
		{cases.Spec{Name: "bias_score_range", Category: "Scoring", Reads: []string{"bias_score", "bias.score", "scores.bias"}, Keys: minMax, Needs: eitherEnd,
			About: "The score for bias is from min to max."}, of((*exam).readNumber, numberRange)},
		{cases.Spec{Name: "quality_score_range", Category: "Scoring", Reads: []string{"quality_score", "quality.score", "scores.quality"}, Keys: minMax, Needs: eitherEnd,
			About: "The score for quality is from min to max."}, of((*exam).readNumber, numberRange)},
	}
}

func numberRange(x *exam, n float64) { x.between("score", n, "min", "max") }

func beyond(side string, is func(n, value float64) bool) func(*exam) {
	return of((*exam).readNumber, func(x *exam, n float64) {
		if value := x.number("value"); !is(n, value) {
			x.differ(value, n, "score %s, %s %s wanted", plain(n), side, plain(value))
		}
	})
}
