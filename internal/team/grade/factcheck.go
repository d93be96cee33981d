package grade

import (
	"slices"
	"strings"
	"unicode"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func factTypes() []Type {
	const category = "Fact-check"
	return []Type{
		{cases.Spec{Name: "item_count_range", Category: category, Reads: items, Keys: minMaxCount, Needs: eitherEnd, About: "There are so many items."}, numberOf("items:", "min", "max")},
		{cases.Spec{Name: "no_false_positives", Category: category, Reads: items, Keys: []cases.Key{{Name: "max_actionable", Kind: cases.Count, Default: "0"}},
			About: "At most so many items ask for something to be done. An item says so with actionable, or else its severity does: every one but green, info, note, none, ok and pass. An item with neither, or with an unknown severity, fails. An empty list passes."}, of((*exam).readList, noFalsePositives)},
		{cases.Spec{Name: "has_severity", Category: category, Reads: items, Keys: []cases.Key{{Name: "severity", Kind: cases.Text, Required: true}, {Name: "min", Kind: cases.Count, Default: "1"}},
			About: "At least min items have this severity, written just so (case does not matter)."}, of((*exam).readList, hasSeverity)},
		{cases.Spec{Name: "violation_severity_at_least", Category: category, Reads: []string{"violations", "items"},
			Keys: []cases.Key{{Name: "violation", Kind: cases.Text, Required: true}, {Name: "severity", Kind: cases.Grade, Required: true}},
			About: "The violation was found (an entry whose violation, type, code, id, name, category or rule it is, or a member of that name) with this severity or a worse one. From harmless to worst: " +
				cases.Severities() + "."}, violationSeverity},
	}
}

// severityOf returns an item's severity as it is written.
func severityOf(v any) (string, bool) { return inObject(v, asText, "severity", "level") }

func noFalsePositives(x *exam, l entries) {
	n := 0
	for i, v := range l.all {
		if b, ok := inObject(v, as[bool], "actionable"); ok {
			if b {
				n++
			}
			continue
		}
		word, ok := severityOf(v)
		if !ok {
			x.absent("%s[%d] has neither actionable nor a severity", l.at, i)
			return
		}
		rank, known := cases.Severity(word)
		if !known {
			x.absent("%s[%d] has an unknown severity: %q", l.at, i, text.First(word, mostShort))
			return
		}
		if rank > 1 {
			n++
		}
	}
	x.count("items to act on:", n, "", "max_actionable")
}

func hasSeverity(x *exam, l entries) {
	n := howMany(l.all, func(v any) bool {
		word, ok := severityOf(v)
		x.lacks = x.lacks || !ok
		return ok && strings.EqualFold(strings.TrimSpace(word), x.text("severity"))
	})
	if least := x.number("min"); float64(n) < least {
		x.differ(least, n, "%s with severity %s, at least %s wanted", text.Count(n, "item"), x.text("severity"), plain(least))
	}
}

func violationSeverity(x *exam) {
	found, ok := read(x, x.reads, "a list or an object", func(v any) (any, bool) {
		switch v.(type) {
		case []any, map[string]any:
			return v, true
		}
		return nil, false
	})
	if !ok {
		return
	}
	name, least := x.text("violation"), x.text("severity")
	var words []string
	if object, isObject := found.(map[string]any); isObject {
		if v, ok := object[name]; ok {
			word, _ := member(v, asText, "severity", "level")
			words = append(words, word)
		}
	}
	list, _ := found.([]any)
	for _, v := range list {
		object, _ := v.(map[string]any)
		for _, key := range []string{"violation", "type", "code", "id", "name", "category", "rule"} {
			if object[key] == name {
				word, _ := severityOf(v)
				words = append(words, word)
				break
			}
		}
	}
	if len(words) == 0 {
		x.fail("violation %s was not found", name)
		return
	}
	want, _ := cases.Severity(least)
	for _, word := range words {
		if rank, known := cases.Severity(word); known && rank >= want {
			return
		}
	}
	x.lacks = slices.ContainsFunc(words, func(word string) bool { _, known := cases.Severity(word); return !known })
	x.differ(least, words, "violation %s has severity %s, at least %s wanted", name, spoken(words[0]), least)
}

func mediaTypes() []Type {
	const category = "Media"
	return []Type{
		{cases.Spec{Name: "selects_expected_images", Category: category, Reads: []string{"selected_images", "images", "media"},
			Keys:  []cases.Key{{Name: "expected_filenames", Kind: cases.Texts, Required: true}, {Name: "min_selected", Kind: cases.Count, About: "default: all of them"}},
			About: "At least min_selected of the expected files were selected. Compared are the last parts of file names; an image is a text, or an object with filename, file, name, path, url or src. Other images may be selected too."}, of((*exam).readList, expectedImages)},
		{cases.Spec{Name: "extracts_clean_content", Category: category, Reads: []string{"content", "extracted_content", "markdown", "text", "body"},
			Keys:  []cases.Key{{Name: "min_length", Kind: cases.Count, Default: "1", About: "characters"}},
			About: "The content is long enough and clean: outside of blocks of code no HTML tag, no entity such as &nbsp;, and nowhere a replacement character, a control character or [object Object]."}, of((*exam).readText, cleanContent)},
		{cases.Spec{Name: "min_concepts", Category: category, Reads: []string{"concepts", "key_concepts"}, Keys: need("count"),
			About: "There are at least so many different concepts: texts, or objects with name, concept, term or title; case does not matter."}, of((*exam).readList, minConcepts)},
	}
}

func fileName(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "?")
	return s[strings.LastIndexAny(s, `/\`)+1:]
}

func expectedImages(x *exam, l entries) {
	selected := map[string]bool{}
	for i, v := range l.all {
		s, ok := member(v, asText, "filename", "file", "name", "path", "url", "src")
		if !ok {
			x.absent("%s[%d] has no file name", l.at, i)
			return
		}
		selected[fileName(s)] = true
	}
	expected := x.want.Texts("expected_filenames")
	missed := slices.DeleteFunc(slices.Clone(expected), func(name string) bool { return selected[fileName(name)] })
	least, given := x.want.Number("min_selected")
	if !given {
		least = float64(len(expected))
	}
	if n := len(expected) - len(missed); float64(n) < least {
		x.differ(least, n, "%d of %d expected images selected, at least %s wanted; missing: %s", n, len(expected), plain(least), text.First(strings.Join(missed, ", "), mostShort))
	}
}

func cleanContent(x *exam, s string) {
	x.count("characters:", chars(s), "min_length", "")
	if i := strings.IndexFunc(s, func(r rune) bool {
		return r == unicode.ReplacementChar || unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
	}); i >= 0 {
		x.fail("the content holds the character %q", []rune(s[i:])[0])
	}
	if strings.Contains(s, "[object Object]") {
		x.fail("the content holds [object Object]")
	}
	prose := strings.Join(proseLines(s), "\n")
	if tag := firstTag(prose); tag != "" {
		x.fail("the content holds the HTML tag %s", text.First(tag, mostShort))
	}
	if entity := firstEntity(prose); entity != "" {
		x.fail("the content holds the entity %s", text.First(entity, mostShort))
	}
}

// firstTag returns the first HTML tag or comment. An address in <…> and a
// smaller-than sign are none, and neither is what stands in `…`.
func firstTag(s string) string {
	code := false
	for i := range len(s) {
		switch {
		case s[i] == '`':
			code = !code
		case s[i] == '\n':
			code = false
		case s[i] == '<' && !code:
			inner, _, ok := strings.Cut(s[i+1:min(len(s), i+2000)], ">")
			if strings.HasPrefix(inner, "!--") || strings.HasPrefix(strings.ToLower(inner), "!doctype") {
				return "<" + inner + ">"
			}
			name := strings.TrimPrefix(inner, "/")
			end := strings.IndexFunc(name, func(r rune) bool {
				return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-')
			})
			if end < 0 {
				end = len(name)
			}
			if ok && end > 0 && !(name[0] >= '0' && name[0] <= '9' || name[0] == '-') && (end == len(name) || strings.IndexByte(" \t\n/", name[end]) >= 0) && !strings.ContainsRune(inner, '<') {
				return "<" + inner + ">"
			}
		}
	}
	return ""
}

// firstEntity returns the first &name; or &#number;.
func firstEntity(s string) string {
	for rest := s; ; {
		_, after, ok := strings.Cut(rest, "&")
		if !ok {
			return ""
		}
		name, _, ok := strings.Cut(after[:min(len(after), 12)], ";")
		if ok && isEntity(name) {
			return "&" + name + ";"
		}
		rest = after
	}
}

func isEntity(name string) bool {
	const letters, digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	if number, ok := strings.CutPrefix(name, "#"); ok {
		return number != "" && strings.Trim(strings.TrimLeft(number, "xX"), digits+"abcdefABCDEF") == ""
	}
	return len(name) > 1 && name != strings.ToUpper(name) && strings.Trim(name, letters+digits) == ""
}

func minConcepts(x *exam, l entries) {
	different := map[string]bool{}
	for _, v := range l.all {
		if s, ok := member(v, asText, "name", "concept", "term", "title"); ok {
			different[strings.ToLower(strings.TrimSpace(s))] = true
		}
	}
	x.count("concepts:", len(different), "count", "")
}

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
		x.absent("no original title to compare with (looked at original_title, original.title of the output, original beside it, and original_title, title, content.title of the case)")
		return
	}
	if strings.EqualFold(squeezed(title), squeezed(original)) {
		x.differ("not "+original, title, "the title is still %q", text.First(original, mostShort))
	}
}
