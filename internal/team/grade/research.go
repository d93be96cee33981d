package grade

import (
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func researchTypes() []Type {
	const category = "Research"
	return []Type{
		{cases.Spec{Name: "min_sections", Category: category, Reads: []string{"sections", "structured_content.sections", "outline.sections", "outline"},
			Keys: []cases.Key{{Name: "count", Kind: cases.Count, Required: true}}, About: "There are at least so many sections that say something."}, minSections},
		{cases.Spec{Name: "has_commentaries", Category: category, Reads: []string{"commentaries", "items", "sections"},
			Keys: []cases.Key{{Name: "min", Kind: cases.Count, Default: "1"}}, About: "At least so many entries have a commentary: texts, or objects with commentary or text (of items and sections: commentary)."}, hasCommentaries},
		{cases.Spec{Name: "title_changed", Category: category, Reads: titles,
			About: "The title is not the original one; case and blanks make no difference. The original is original_title or original.title of the output, the runner's original (or its title), or of the case original_title, title or content.title. Without one the check fails."}, titleChanged},
	}
}

func minSections(x *exam) {
	_, list, ok := x.readList()
	if !ok {
		return
	}
	n := 0
	for _, v := range list {
		if _, ok := filled(v); ok {
			n++
		}
	}
	x.count("sections:", n, "count", "")
}

func hasCommentaries(x *exam) {
	at, list, ok := x.readList()
	if !ok {
		return
	}
	names := []string{"commentary", "text"}
	if at == "items" || at == "sections" {
		names = names[:1]
	}
	n := 0
	for _, v := range list {
		if _, isText := v.(string); isText && len(names) == 1 {
			continue // an item, not a commentary
		}
		if _, ok := member(v, asText, names...); ok {
			n++
		}
	}
	x.count("commentaries:", n, "min", "")
}

func titleChanged(x *exam) {
	title, ok := x.readText()
	if !ok {
		return
	}
	original := ""
	as := func(v any) (ok bool) { original, ok = asText(v); return ok }
	found := x.given(as, []string{"original_title", "original.title"}, nil)
	if !found {
		original, found = member(x.out.Original, asText, "title")
	}
	if !found && !x.given(as, nil, []string{"original_title", "title", "content.title"}) {
		x.fail("no original title to compare with (looked at original_title, original.title of the output, original beside it, and original_title, title, content.title of the case)")
		return
	}
	if strings.EqualFold(squeezed(title), squeezed(original)) {
		x.differ("not "+original, title, "the title is still %q", text.First(original, mostShort))
	}
}
