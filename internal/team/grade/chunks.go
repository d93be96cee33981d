package grade

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cairn/internal/team/cases"
)

func chunkTypes() []Type {
	return []Type{
		{cases.Spec{Name: "chunk_count_range", Category: "Chunks", Reads: chunks, Keys: minMaxCount, Needs: eitherEnd, About: "There are so many chunks."}, countList("chunks:")},
		{cases.Spec{Name: "lossless", Category: "Chunks", Reads: chunks,
			About: "The chunks one after the other are the original text: nothing lost, doubled or changed but blanks. The original is looked for as body_integrity does; without one the check fails."}, lossless},
		{cases.Spec{Name: "word_bound", Category: "Chunks", Reads: chunks, Keys: []cases.Key{{Name: "max_words", Kind: cases.Count, Required: true}},
			About: "No chunk has more words. A chunk is a text, or an object with text or content. No chunks at all fail."}, wordBound},
	}
}

func (x *exam) chunks() (texts []string, ok bool) {
	at, list, ok := x.readSome()
	if !ok {
		return nil, false
	}
	for i, v := range list {
		s, found := member(v, asText, "text", "content")
		if !found {
			x.fail("%s[%d] has no text", at, i)
			ok = false
		}
		texts = append(texts, s)
	}
	return texts, ok
}

func lossless(x *exam) {
	texts, ok := x.chunks()
	if !ok {
		return
	}
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

func wordBound(x *exam) {
	texts, ok := x.chunks()
	if !ok {
		return
	}
	for i, s := range texts {
		x.count(fmt.Sprintf("words of chunk %d:", i+1), words(s), "", "max_words")
	}
}
