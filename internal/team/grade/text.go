package grade

import (
	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func textTypes() []Type {
	return []Type{
		{textCheck("response_contains", responses, "The response contains every pattern."), contains},
		{textCheck("response_excludes", responses, "The response contains none of the patterns."), excludes},
		{textCheck("response_contains_any", responses, "The response contains at least one of the patterns."), containsAny},
		{textCheck("body_contains", bodies, "The body contains every pattern."), contains},
		{textCheck("body_excludes", bodies, "The body contains none of the patterns."), excludes},
		{textCheck("body_contains_any", bodies, "The body contains at least one of the patterns."), containsAny},
		{textCheck("title_excludes", titles, "The title contains none of the patterns."), excludes},
		{textCheck("tldr_excludes", tldrs, "The TL;DR contains none of the patterns."), excludes},
		{textCheck("reasoning_contains", []string{"reasoning", "rationale"}, "The reasoning contains every pattern."), contains},
	}
}

func textCheck(name string, reads []string, about string) cases.Spec {
	return cases.Spec{Name: name, Category: "Text matching", Reads: reads, About: about, Keys: patterns}
}

func contains(x *exam) {
	s, ok := x.readText()
	if !ok {
		return
	}
	for _, p := range x.want.Patterns("patterns") {
		if !p.In(s) {
			x.fail("pattern not found in output: %s", text.First(p.Given, mostShort)).Pattern = p.Given
		}
	}
}

func excludes(x *exam) {
	s, ok := x.readText()
	if !ok {
		return
	}
	for _, p := range x.want.Patterns("patterns") {
		if p.In(s) {
			x.fail("excluded pattern found in output: %s", text.First(p.Given, mostShort)).Pattern = p.Given
		}
	}
}

func containsAny(x *exam) {
	s, ok := x.readText()
	if !ok {
		return
	}
	all := x.want.Patterns("patterns")
	given := make([]string, len(all))
	for i, p := range all {
		if p.In(s) {
			return
		}
		given[i] = p.Given
	}
	x.fail("none of the %d patterns found in output", len(all)).Expected = encoded(given)
}
