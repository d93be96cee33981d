package grade

import (
	"slices"
	"strings"
	"unicode"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

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
			x.fail("%s[%d] has no file name", l.at, i)
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
