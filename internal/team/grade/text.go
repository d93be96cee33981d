package grade

import (
	"cairn/internal/team/cases"
)

func textTypes() []Type {
	return []Type{
		{text("response_contains", responses, "The response contains every pattern."), contains},
		{text("response_excludes", responses, "The response contains none of the patterns."), excludes},
		{text("response_contains_any", responses, "The response contains at least one of the patterns."), containsAny},
		{text("body_contains", bodies, "The body contains every pattern."), contains},
		{text("body_excludes", bodies, "The body contains none of the patterns."), excludes},
		{text("body_contains_any", bodies, "The body contains at least one of the patterns."), containsAny},
		{text("title_excludes", titles, "The title contains none of the patterns."), excludes},
		{text("tldr_excludes", tldrs, "The TL;DR contains none of the patterns."), excludes},
		{text("reasoning_contains", []string{"reasoning", "rationale"}, "The reasoning contains every pattern."), contains},
	}
}

func text(name string, reads []string, about string) cases.Spec {
	return cases.Spec{Name: name, Category: "Text matching", Reads: reads, About: about, Keys: patterns}
}

func contains(x *exam) {
	s, ok := x.readText()
	if !ok {
		return
	}
	for _, p := range x.want.Patterns("patterns") {
		if !p.In(s) {
			x.fail("pattern not found in output: %s", short(p.Given)).Pattern = p.Given
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
			x.fail("excluded pattern found in output: %s", short(p.Given)).Pattern = p.Given
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
