package grade

import (
	"fmt"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func textTypes() []Type {
	contains, excludes := matching(true, "pattern not found in output"), matching(false, "excluded pattern found in output")
	anyOf := of((*exam).readText, containsAny)
	return []Type{
		{also(textCheck("response_contains", responses, "The response contains every pattern."), cases.Also{Name: "contains"}, cases.Also{Name: "contains_all"}, cases.Also{Name: "icontains", How: "patterns as /…/i"},
			cases.Also{Name: "icontains_all", How: "patterns as /…/i"}, cases.Also{Name: "regex", How: "patterns as /…/"}, cases.Also{Name: "starts_with", How: "patterns as /^…/"}), contains},
		{textCheck("response_excludes", responses, "The response contains none of the patterns."), excludes},
		{also(textCheck("response_contains_any", responses, "The response contains at least one of the patterns."), cases.Also{Name: "contains_any"}, cases.Also{Name: "icontains_any", How: "patterns as /…/i"}), anyOf},
		{textCheck("body_contains", bodies, "The body contains every pattern."), contains},
		{textCheck("body_excludes", bodies, "The body contains none of the patterns."), excludes},
		{textCheck("body_contains_any", bodies, "The body contains at least one of the patterns."), anyOf},
		{textCheck("title_excludes", titles, "The title contains none of the patterns."), excludes},
		{textCheck("tldr_excludes", tldrs, "The TL;DR contains none of the patterns."), excludes},
		{textCheck("reasoning_contains", []string{"reasoning", "rationale"}, "The reasoning contains every pattern."), contains},
	}
}

func textCheck(name string, reads []string, about string) cases.Spec {
	return cases.Spec{Name: name, Category: "Text matching", Reads: reads, About: about, Keys: patterns}
}

// also says what other tools call a type.
func also(s cases.Spec, names ...cases.Also) cases.Spec {
	s.Also = names
	return s
}

// matching is a check that each pattern is found, or that none is.
func matching(found bool, otherwise string) func(*exam) {
	return of((*exam).readText, func(x *exam, s string) {
		for _, p := range x.want.Patterns("patterns") {
			if x.finds(p, s) != found && x.err == "" {
				x.fail("%s: %s", otherwise, text.First(p.Given, mostShort)).Pattern = p.Given
			}
		}
	})
}

func containsAny(x *exam, s string) {
	all := x.want.Patterns("patterns")
	given := make([]string, len(all))
	for i, p := range all {
		if x.finds(p, s) {
			return
		}
		given[i] = p.Given
	}
	x.fail("none of the %d patterns found in output", len(all)).Expected = encoded(given)
}

func lengthTypes() []Type {
	return []Type{
		{cases.Spec{Name: "body_word_count", Category: "Length", Reads: bodies, Keys: minMaxWords, Needs: []string{"min_words", "max_words"},
			About: "The body has so many words."}, of((*exam).readText, inWords)},
		{cases.Spec{Name: "body_min_length", Category: "Length", Reads: bodies, Keys: need("min_words"),
			About: "The body has at least so many words."}, of((*exam).readText, inWords)},
		{cases.Spec{Name: "word_count_range", Category: "Length", Also: []cases.Also{{Name: "word_count"}}, Reads: []string{"body", "structured_content", "response", "text", "content", "word_count"}, Keys: minMaxCount, Needs: eitherEnd,
			About: "The text has so many words; where the output has no text, its word_count is."}, wordCount},
		{cases.Spec{Name: "commentary_length", Category: "Length", Reads: []string{"commentary", "commentaries", "items"}, Keys: minMaxChars, Needs: []string{"min_chars", "max_chars"},
			About: "The commentary, or of a list the commentary of every entry, has so many characters. An entry without one fails."}, commentaryLength},
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
		_, ok := asSome(v)
		return v, ok
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
			x.absent("%s has no commentary", where)
			continue
		}
		x.count("characters of the commentary of "+where+":", chars(s), "min_chars", "max_chars")
	}
}
