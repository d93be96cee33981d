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
			About: "The channel is this one. Upper and lower case count, blanks at the ends do not."}, channelIs},
		{cases.Spec{Name: "channel_not", Category: "Classification", Reads: channels, Keys: []cases.Key{{Name: "channel", Kind: cases.Text, Required: true}},
			About: "The channel is another one. An output without a channel fails."}, channelNot},
		{cases.Spec{Name: "content_type_in", Category: "Classification", Reads: contentTypes, Keys: []cases.Key{{Name: "values", Kind: cases.Texts, Required: true}},
			About: "The type of content is one of the values."}, contentTypeIn},
		{cases.Spec{Name: "worthy", Category: "Classification", Reads: worths, About: "The output says true: it is worth it."}, func(x *exam) { isWorthy(x, true) }},
		{cases.Spec{Name: "not_worthy", Category: "Classification", Reads: worths, About: "The output says false. Saying nothing fails."}, func(x *exam) { isWorthy(x, false) }},
		{cases.Spec{Name: "expected_pass", Category: "Classification", Reads: append(verdicts[:len(verdicts):len(verdicts)], commentTypes...),
			Keys:  []cases.Key{{Name: "value", Kind: cases.Bool, Default: "true"}, {Name: "expected_comment_type", Kind: cases.Text}},
			About: "The model's own verdict (pass, passed or moderation.pass) is value; with expected_comment_type its comment_type is that too. path is about the verdict."}, expectedPass},
	}
}

func channelIs(x *exam) {
	if s, ok := x.readText(); ok && strings.TrimSpace(s) != strings.TrimSpace(x.text("channel")) {
		x.differ(x.text("channel"), s, "channel %q, %q wanted", text.First(s, mostShort), x.text("channel"))
	}
}

func channelNot(x *exam) {
	if s, ok := x.readText(); ok && strings.TrimSpace(s) == strings.TrimSpace(x.text("channel")) {
		x.differ("not "+x.text("channel"), s, "channel is %q", x.text("channel"))
	}
}

func contentTypeIn(x *exam) {
	s, ok := x.readText()
	if values := x.want.Texts("values"); ok && !slices.Contains(values, strings.TrimSpace(s)) {
		x.differ(values, s, "content type %q, one of %s wanted", text.First(s, mostShort), text.First(strings.Join(values, ", "), mostShort))
	}
}

func isWorthy(x *exam, want bool) {
	if b, ok := x.readBool(); ok && b != want {
		x.differ(want, b, "worthy is %v, %v wanted", b, want)
	}
}

func expectedPass(x *exam) {
	want := x.want.Bool("value")
	if b, ok := read(x, verdicts, "true or false", asBool); ok && b != want {
		x.differ(want, b, "pass is %v, %v wanted", b, want)
	}
	kind, asked := x.want.Text("expected_comment_type")
	if !asked {
		return
	}
	for _, path := range commentTypes {
		if v, ok := lookup(x.out.Value, path); ok {
			if v != kind {
				x.differ(kind, v, "comment type %s, %q wanted", spoken(v), kind)
			}
			return
		}
	}
	x.fail("output has no comment type (looked at %s)", strings.Join(commentTypes, ", "))
}
