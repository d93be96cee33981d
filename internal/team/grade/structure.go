package grade

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cairn/internal/team/cases"
)

func structureTypes() []Type {
	return []Type{
		{cases.Spec{Name: "has_title", Category: "Structure", Reads: titles, Keys: minMaxWords,
			About: "There is a title, of so many words."}, of((*exam).readText, inWords)},
		{cases.Spec{Name: "has_tldr", Category: "Structure", Reads: tldrs, Keys: minMaxChars,
			About: "There is a TL;DR, of so many characters."}, of((*exam).readText, inChars)},
		{cases.Spec{Name: "has_subtitle", Category: "Structure", Reads: []string{"subtitle", "structured_content.subtitle"}, Keys: minMaxChars,
			About: "There is a subtitle, of so many characters."}, of((*exam).readText, inChars)},
		{cases.Spec{Name: "has_read_time", Category: "Structure", Reads: []string{"read_time", "read_time_minutes", "reading_time", "structured_content.read_time"}, Keys: minMax,
			About: "There is a reading time of so many minutes: a number, or the first number of a text such as \"5 min read\"."}, hasReadTime},
		{cases.Spec{Name: "has_signoff", Category: "Structure", Reads: []string{"signoff", "body", "structured_content", "structured_content.body", "content", "response"},
			Keys: []cases.Key{{Name: "patterns", Kind: cases.Patterns, About: "what a sign-off says, instead of the known words"}},
			About: "There is a signoff, or one of the last four lines of the text is one: at most eight words that begin with a known one (Best, Regards, Sincerely, Thanks, Cheers, Yours, Warmly, Take care, …), " +
				"or a name behind a dash. With patterns, one of these is found in the last four lines."}, hasSignoff},
		{cases.Spec{Name: "has_links", Category: "Structure", Reads: []string{"links", "body", "structured_content", "structured_content.body", "content", "response"},
			Keys:  []cases.Key{{Name: "min_count", Kind: cases.Count, Default: "1"}},
			About: "The list of links, or the text, has at least so many different links: http and https addresses, and targets of Markdown and HTML links."}, hasLinks},
		{cases.Spec{Name: "has_media_embeds", Category: "Structure", Reads: []string{"media_embeds", "embeds", "body", "structured_content", "structured_content.body", "content"},
			Keys: []cases.Key{{Name: "min_count", Kind: cases.Count, Default: "1"}, {Name: "max_count", Kind: cases.Count}, {Name: "pattern", Kind: cases.OneOf, About: "what an embed looks like in the text"}},
			About: "The list of embeds, or the text, has so many embeds: Markdown images, HTML img, iframe, video, audio, embed and object, and lines that are only an address. " +
				"With pattern, what it finds is counted instead."}, hasMediaEmbeds},
		{cases.Spec{Name: "body_has_headers", Category: "Structure", Reads: bodies, Keys: []cases.Key{{Name: "min_count", Kind: cases.Count, Default: "1"}},
			About: "The body has at least so many headers of Markdown or HTML, outside of blocks of code."}, of((*exam).readText, func(x *exam, s string) {
			x.count("headers:", headers(s), "min_count", "max_count")
		})},
		{cases.Spec{Name: "subject_not_empty", Category: "Structure", Reads: []string{"subject", "email.subject"},
			About: "There is a subject and it is not blank."}, func(x *exam) { x.readText() }},
		{cases.Spec{Name: "ends_with_question", Category: "Structure", Reads: []string{"response", "text", "answer", "body"},
			About: "The text ends with a question mark (?, ？ or ؟); quotes, brackets, emphasis and emoji after it do not count."}, of((*exam).readText, endsWithQuestion)},
		{cases.Spec{Name: "body_integrity", Category: "Structure", Reads: bodies,
			Keys: []cases.Key{{Name: "max_shrinkage_pct", Kind: cases.Percent, Default: "10"}},
			About: "The body is at most so many percent shorter than the original, in characters without blanks. The original is original, original_body or original_text of the output, " +
				"the runner's original beside it, or of the case original, text, body, content.raw_content, content.body or content. Without an original the check fails."}, of((*exam).readText, bodyIntegrity)},
	}
}

func inWords(x *exam, s string) { x.count("words:", words(s), "min_words", "max_words") }

func inChars(x *exam, s string) { x.count("characters:", chars(s), "min_chars", "max_chars") }

func hasReadTime(x *exam) {
	n, ok := read(x, x.reads, "a number of minutes", func(v any) (float64, bool) {
		s, isText := v.(string)
		if !isText {
			return asNumber(v)
		}
		from := strings.IndexFunc(s, unicode.IsDigit)
		if from < 0 {
			return 0, false
		}
		digits := s[from:]
		if end := strings.IndexFunc(digits, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }); end >= 0 {
			digits = digits[:end]
		}
		n, err := strconv.ParseFloat(strings.TrimRight(digits, "."), 64)
		return n, err == nil
	})
	if ok {
		x.between("minutes:", n, "min", "max")
	}
}

// closings are how letters end, as their first words.
var closings = [...]string{
	"best", "regards", "kind regards", "warm regards", "with regards", "sincerely", "thanks", "thank you", "many thanks", "with thanks", "cheers", "yours", "warmly",
	"take care", "with gratitude", "gratefully", "respectfully", "cordially", "love", "talk soon", "see you", "until next time", "all the best", "in solidarity", "onward", "signed",
}

func hasSignoff(x *exam) {
	at, s, ok := readAt(x, x.reads, "a text", asText)
	all := x.want.Patterns("patterns")
	if !ok || at == "signoff" && all == nil {
		return
	}
	var last []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			last = append(last, line)
		}
	}
	last = last[max(0, len(last)-4):]
	found := slices.ContainsFunc(all, func(p cases.Pattern) bool { return p.In(strings.Join(last, "\n")) })
	if !found && !(all == nil && slices.ContainsFunc(last, isSignoff)) {
		x.fail("no sign-off in the last lines of %s", at)
	}
}

func isSignoff(line string) bool {
	bare := strings.ToLower(strings.Trim(line, "*_ \t"))
	if words(bare) > 8 || strings.HasSuffix(bare, "?") {
		return false
	}
	for _, dash := range []string{"—", "–", "--", "- "} {
		name, ok := strings.CutPrefix(strings.Trim(line, "*_ \t"), dash)
		if name = strings.TrimSpace(name); ok && name != "" && words(name) <= 4 && unicode.IsUpper([]rune(name)[0]) {
			return true
		}
	}
	return slices.ContainsFunc(closings[:], func(c string) bool {
		rest, ok := strings.CutPrefix(bare, c)
		return ok && (rest == "" || !unicode.IsLetter([]rune(rest)[0]))
	})
}

func hasLinks(x *exam) {
	n, ok := read(x, x.reads, "a text or a list", func(v any) (int, bool) {
		if list, ok := asList(v); ok {
			return len(list), true
		}
		s, ok := asText(v)
		return len(links(s)), ok
	})
	if ok {
		x.count("links:", n, "min_count", "max_count")
	}
}

func hasMediaEmbeds(x *exam) {
	pattern := x.want.Patterns("pattern")
	n, ok := read(x, x.reads, "a text or a list", func(v any) (int, bool) {
		if list, ok := asList(v); ok {
			return howMany(list, func(item any) bool {
				s, _ := member(item, asText, "html", "embed", "url", "src")
				return pattern == nil || x.finds(pattern[0], s)
			}), true
		}
		s, ok := asText(v)
		if pattern != nil {
			if !x.finds(pattern[0], s) {
				return 0, ok
			}
			return pattern[0].Count(s), ok
		}
		return embeds(s), ok
	})
	if ok {
		x.count("embeds:", n, "min_count", "max_count")
	}
}

var embedTags = [...]string{"<img", "<iframe", "<video", "<audio", "<embed", "<object"}

func embeds(s string) int {
	n := 0
	for _, line := range proseLines(s) {
		lower := strings.ToLower(line)
		for rest := line; ; n++ {
			_, after, ok := strings.Cut(rest, "![")
			_, target, closed := strings.Cut(after, "](")
			if !ok || !closed {
				break
			}
			rest = target
		}
		for _, tag := range embedTags {
			n += strings.Count(lower, tag+" ") + strings.Count(lower, tag+">")
		}
		if bare := strings.TrimSpace(line); strings.HasPrefix(bare, "http") && len(links(bare)) == 1 && !strings.ContainsAny(bare, " \t") {
			n++
		}
	}
	return n
}

func endsWithQuestion(x *exam, s string) {
	bare := strings.TrimRightFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'”’»)]}*_`", r) || unicode.In(r, unicode.So, unicode.Sk, unicode.Mn, unicode.Cf)
	})
	r := []rune(bare)
	if len(r) == 0 || !strings.ContainsRune("?？؟", r[len(r)-1]) {
		x.fail("the text does not end with a question but with %s", spoken(string(r[max(0, len(r)-30):])))
	}
}

var (
	originalsInOutput = []string{"original", "original_body", "original_text", "original.body"}
	originalsInCase   = []string{"original", "original.body", "text", "body", "content.raw_content", "content.body", "content"}
)

// original returns the text that the output was made from.
func (x *exam) original() (string, bool) {
	s, ok := first(x.out.Value, originalsInOutput, asText)
	if !ok {
		s, ok = member(x.out.Original, asText, "body", "text", "content")
	}
	if !ok {
		s, ok = first(x.input(), originalsInCase, asText)
	}
	if !ok {
		x.absent("no original to compare with (looked at %s of the output, original beside it, and %s of the case)",
			strings.Join(originalsInOutput, ", "), strings.Join(originalsInCase, ", "))
	}
	return s, ok
}

func bodyIntegrity(x *exam, s string) {
	original, ok := x.original()
	if !ok {
		return
	}
	before, now := chars(squeezed(original)), chars(squeezed(s))
	shrunk := 100 * (1 - float64(now)/float64(before))
	if most := x.number("max_shrinkage_pct"); shrunk > most {
		x.differ(most, shrunk, "the body is %s %% shorter than the original (%d of %d characters), at most %s %% wanted", plain(shrunk), now, before, plain(most))
	}
}
