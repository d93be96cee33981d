package grade

import (
	"fmt"

	"cairn/internal/team/cases"
)

func lengthTypes() []Type {
	return []Type{
		{cases.Spec{Name: "body_word_count", Category: "Length", Reads: bodies, Keys: minMaxWords, Needs: []string{"min_words", "max_words"},
			About: "The body has so many words."}, bodyWords},
		{cases.Spec{Name: "body_min_length", Category: "Length", Reads: bodies,
			Keys:  []cases.Key{{Name: "min_words", Kind: cases.Count, Required: true}},
			About: "The body has at least so many words."}, bodyWords},
		{cases.Spec{Name: "word_count_range", Category: "Length", Reads: []string{"body", "structured_content", "response", "text", "content", "word_count"}, Keys: minMaxCount, Needs: eitherEnd,
			About: "The text has so many words; where the output has no text, its word_count is."}, wordCount},
		{cases.Spec{Name: "commentary_length", Category: "Length", Reads: []string{"commentary", "commentaries", "items"}, Keys: minMaxChars, Needs: []string{"min_chars", "max_chars"},
			About: "The commentary, or of a list the commentary of every entry, has so many characters. An entry without one fails."}, commentaryLength},
	}
}

func bodyWords(x *exam) {
	if s, ok := x.readText(); ok {
		x.count("words:", words(s), "min_words", "max_words")
	}
}

func wordCount(x *exam) {
	n, ok := read(x, x.reads, "a text or a number of words", func(v any) (float64, bool) {
		if s, ok := asText(v); ok {
			return float64(words(s)), true
		}
		return asNumber(v)
	})
	if ok {
		x.between("words:", n, "min", "max")
	}
}

func commentaryLength(x *exam) {
	at, v, ok := readAt(x, x.reads, "a text or a list", func(v any) (any, bool) {
		if _, ok := asText(v); ok {
			return v, true
		}
		list, ok := asList(v)
		return v, ok && len(list) > 0
	})
	if !ok {
		return
	}
	list, isList := v.([]any)
	if !isList {
		x.count("characters of "+at+":", chars(v.(string)), "min_chars", "max_chars")
		return
	}
	for i, item := range list {
		where := fmt.Sprintf("%s[%d]", at, i)
		s, ok := member(item, asText, "commentary", "text")
		if !ok {
			x.fail("%s has no commentary", where)
			continue
		}
		x.count("characters of the commentary of "+where+":", chars(s), "min_chars", "max_chars")
	}
}
