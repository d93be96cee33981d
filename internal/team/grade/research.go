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
			Keys: need("count"), About: "There are at least so many sections that say something."}, of((*exam).readList, func(x *exam, l entries) {
			x.count("sections:", howMany(l.all, isFilled), "count", "")
		})},
		{cases.Spec{Name: "has_commentaries", Category: category, Reads: []string{"commentaries", "items", "sections"},
			Keys: []cases.Key{{Name: "min", Kind: cases.Count, Default: "1"}}, About: "At least so many entries have a commentary: texts, or objects with commentary or text (of items and sections: commentary)."}, of((*exam).readList, hasCommentaries)},
		{cases.Spec{Name: "title_changed", Category: category, Reads: titles,
			About: "The title is not the original one; case and blanks make no difference. The original is original_title or original.title of the output, the runner's original (or its title), or of the case original_title, title or content.title. Without one the check fails."}, of((*exam).readText, titleChanged)},
	}
}

func hasCommentaries(x *exam, l entries) {
	x.count("commentaries:", howMany(l.all, func(v any) (ok bool) {
		if l.at == "items" || l.at == "sections" { // a text there is an item, not a commentary
			_, ok = inObject(v, asText, "commentary")
		} else {
			_, ok = member(v, asText, "commentary", "text")
		}
		return ok
	}), "min", "")
}

func titleChanged(x *exam, title string) {
	original, found := first(x.out.Value, []string{"original_title", "original.title"}, asText)
	if !found {
		original, found = member(x.out.Original, asText, "title")
	}
	if !found {
		original, found = first(x.input(), []string{"original_title", "title", "content.title"}, asText)
	}
	if !found {
		x.fail("no original title to compare with (looked at original_title, original.title of the output, original beside it, and original_title, title, content.title of the case)")
		return
	}
	if strings.EqualFold(squeezed(title), squeezed(original)) {
		x.differ("not "+original, title, "the title is still %q", text.First(original, mostShort))
	}
}
