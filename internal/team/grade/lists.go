package grade

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/team/cases"
)

func threadTypes() []Type {
	return []Type{
		{cases.Spec{Name: "has_tweets", Category: "Threads", Reads: tweets, Keys: []cases.Key{{Name: "min_count", Kind: cases.Count, Default: "1"}, {Name: "max_count", Kind: cases.Count}},
			About: "There are so many tweets, none of them empty."}, of((*exam).tweets, func(x *exam, texts []string) {
			x.count("tweets:", len(texts), "min_count", "max_count")
		})},
		{cases.Spec{Name: "char_limits", Category: "Threads", Reads: tweets, Keys: []cases.Key{{Name: "max_chars", Kind: cases.Count, Default: "280"}},
			About: "Every tweet is short enough, counted as X does: an http or https address is 23, characters of most alphabets 1, all others (Chinese, Japanese, Korean, …) 2, an emoji 2 whatever it is put together from."}, of((*exam).tweets, func(x *exam, texts []string) {
			for i, s := range texts {
				x.count(fmt.Sprintf("length of tweet %d:", i+1), tweetLength(s), "", "max_chars")
			}
		})},
		{cases.Spec{Name: "link_in_last_tweet", Category: "Threads", Reads: tweets,
			About: "The last tweet has an http or https address. Others may have one too."}, of((*exam).tweets, func(x *exam, texts []string) {
			if len(webLinks(texts[len(texts)-1])) == 0 {
				x.fail("the last tweet has no link")
			}
		})},
	}
}

// tweets reads the texts of a thread: texts, or objects with text, body or content.
func (x *exam) tweets() ([]string, bool) { return each(x, "text", asText, "text", "body", "content") }

func chunkTypes() []Type {
	return []Type{
		{cases.Spec{Name: "chunk_count_range", Category: "Chunks", Reads: chunks, Keys: minMaxCount, Needs: eitherEnd, About: "There are so many chunks."}, numberOf("chunks:", "min", "max")},
		{cases.Spec{Name: "lossless", Category: "Chunks", Reads: chunks,
			About: "The chunks one after the other are the original text: nothing lost, doubled or changed but blanks. The original is looked for as body_integrity does; without one the check fails."}, of((*exam).chunks, lossless)},
		{cases.Spec{Name: "word_bound", Category: "Chunks", Reads: chunks, Keys: need("max_words"),
			About: "No chunk has more words. A chunk is a text, or an object with text or content. No chunks at all fail."}, of((*exam).chunks, func(x *exam, texts []string) {
			for i, s := range texts {
				x.count(fmt.Sprintf("words of chunk %d:", i+1), words(s), "", "max_words")
			}
		})},
	}
}

func (x *exam) chunks() ([]string, bool) { return each(x, "text", asText, "text", "content") }

func lossless(x *exam, texts []string) {
	original, ok := x.original()
	if !ok {
		return
	}
	want, got := squeezed(original), squeezed(strings.Join(texts, ""))
	if want == got {
		return
	}
	i := 0
	for i < min(len(want), len(got)) && want[i] == got[i] {
		i++
	}
	for i > 0 && i < len(want) && !utf8.RuneStart(want[i]) {
		i--
	}
	switch {
	case i == len(got):
		x.fail("the chunks end %d characters before the original does, before %s", utf8.RuneCountInString(want[i:]), excerpt(want[i:]))
	case i == len(want):
		x.fail("the chunks go on after the end of the original, with %s", excerpt(got[i:]))
	default:
		f := x.fail("the chunks differ from the original after %d characters without blanks: %s instead of %s", utf8.RuneCountInString(want[:i]), excerpt(got[i:]), excerpt(want[i:]))
		f.Expected, f.Actual = encoded(chars(want)), encoded(chars(got))
	}
}

func excerpt(s string) string {
	s = strings.ToValidUTF8(s, "")
	if r := []rune(s[:min(len(s), 200)]); len(r) > 20 {
		s = string(r[:20]) + "…"
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(s, ""))
}

func memoryTypes() []Type {
	value := need("value")
	return []Type{
		{cases.Spec{Name: "has_category", Category: "Memory", Reads: memories, Keys: []cases.Key{{Name: "value", Kind: cases.Text, Required: true}},
			About: "At least one memory has this category."}, of((*exam).readList, hasCategory)},
		{cases.Spec{Name: "min_memories", Category: "Memory", Reads: memories, Keys: value, About: "There are at least so many memories."}, numberOf("memories:", "value", "")},
		{cases.Spec{Name: "max_memories", Category: "Memory", Reads: memories, Keys: value, About: "There are at most so many memories. An empty list passes; no list fails."}, numberOf("memories:", "", "value")},
	}
}

func hasCategory(x *exam, l entries) {
	var seen []string
	for _, m := range l.all {
		category, _ := member(m, asText, "category", "type")
		if _, isText := m.(string); isText {
			x.lacks = true
			continue // the memory itself, without a category
		}
		if strings.TrimSpace(category) == x.text("value") {
			return
		}
		x.lacks = x.lacks || category == ""
		seen = append(seen, category)
	}
	x.differ(x.text("value"), seen, "none of %d memories has the category %s", len(l.all), x.text("value"))
}

// tweetLength counts as X says that it counts (developer documentation,
// "Counting characters", configuration version 3): every http address is 23;
// characters from U+0000 to U+10FF and the common punctuation of U+2000 to
// U+200D, U+2010 to U+201F and U+2032 to U+2037 are 1; all others are 2; an
// emoji is 2 with everything that is joined to it. A combining accent counts
// with its letter, as it does in the composed form that X counts.
func tweetLength(s string) int {
	n := 0
	for _, link := range webLinkSpans(s) {
		n += 23 - runeWeights(s[link[0]:link[1]])
	}
	return n + runeWeights(s)
}

func runeWeights(s string) int {
	const joiner, keycap = 0x200d, 0x20e3
	runes := []rune(s)
	n := 0
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if !isEmoji(r) && !(i+1 < len(runes) && (runes[i+1] == keycap || runes[i+1] == 0xfe0f && i+2 < len(runes) && runes[i+2] == keycap)) {
			switch {
			case unicode.Is(unicode.Mn, r) && i > 0 && r < 0x370:
			case r <= 0x10ff, r >= 0x2000 && r <= 0x200d, r >= 0x2010 && r <= 0x201f, r >= 0x2032 && r <= 0x2037:
				n++
			default:
				n += 2
			}
			continue
		}
		n += 2
		if isFlagLetter(r) && i+1 < len(runes) && isFlagLetter(runes[i+1]) {
			i++
		}
		for i+1 < len(runes) { // what belongs to this emoji
			next := runes[i+1]
			if next == joiner && i+2 < len(runes) && isEmoji(runes[i+2]) {
				i += 2
				continue
			}
			if next != 0xfe0f && next != keycap && !(next >= 0x1f3fb && next <= 0x1f3ff) && !(next >= 0xe0020 && next <= 0xe007f) {
				break
			}
			i++
		}
	}
	return n
}

func isFlagLetter(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

func isEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2600 && r <= 0x27bf || r >= 0x2300 && r <= 0x23ff || r >= 0x2b00 && r <= 0x2bff
}
