package grade

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words counts the words of a text: stretches without blanks that hold a letter
// or a digit. A character of a script that puts no blanks between words (Han,
// Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) is a word of its own.
func words(text string) int {
	n, inWord := 0, false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			inWord = false
		case spaceless(r):
			n++
			inWord = false
		case !inWord && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			n++
			inWord = true
		}
	}
	return n
}

// spaceless reports whether a letter is of a script without blanks between words.
func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(r)
}

// chars counts characters (code points) without blanks at the ends.
func chars(text string) int { return utf8.RuneCountInString(strings.TrimSpace(text)) }

// squeezed is a text without any blank: what is left when layout does not count.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// proseLines are the lines of Markdown that are not in a fenced block of code.
func proseLines(text string) []string {
	var out []string
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			continue
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
			continue
		}
		out = append(out, line)
	}
	return out
}

// headers counts headers of Markdown (# to ######, and lines underlined with
// = or -) and of HTML (<h1> to <h6>).
func headers(text string) int {
	n := 0
	before := ""
	for _, line := range proseLines(text) {
		trimmed := strings.TrimSpace(line)
		level := len(trimmed) - len(strings.TrimLeft(trimmed, "#"))
		switch {
		case level >= 1 && level <= 6 && len(trimmed) > level && (trimmed[level] == ' ' || trimmed[level] == '\t') && strings.Trim(trimmed[level:], " \t#") != "":
			n++
		case before != "" && len(trimmed) >= 2 && (strings.Trim(trimmed, "=") == "" || strings.Trim(trimmed, "-") == "") && !strings.HasPrefix(before, "- ") && !strings.HasPrefix(before, "|"):
			n++
			trimmed = ""
		}
		lower := strings.ToLower(trimmed)
		for i := range len(lower) - 3 {
			if lower[i] == '<' && lower[i+1] == 'h' && lower[i+2] >= '1' && lower[i+2] <= '6' && (lower[i+3] == '>' || lower[i+3] == ' ') {
				n++
			}
		}
		before = trimmed
	}
	return n
}

// webLinkSpans returns where in a text its http and https addresses begin and
// end. Punctuation at the end belongs to the sentence, a closing bracket to the
// address only if it was opened in it.
func webLinkSpans(s string) (spans [][2]int) {
	for from := 0; ; {
		i := strings.Index(s[from:], "http")
		if i < 0 {
			return spans
		}
		start := from + i
		from = start + 4
		rest := strings.TrimPrefix(s[from:], "s")
		if !strings.HasPrefix(rest, "://") {
			continue
		}
		head := len(s) - len(rest) + 3
		end := head
		if stop := strings.IndexFunc(s[head:], func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("<>\"`{}|\\^，。、）」", r)
		}); stop >= 0 {
			end += stop
		} else {
			end = len(s)
		}
		end = min(end, head+maxAddress)
		for end > head {
			last := s[end-1]
			closing := last == ')' && strings.Count(s[start:end], "(") < strings.Count(s[start:end], ")") ||
				last == ']' && strings.Count(s[start:end], "[") < strings.Count(s[start:end], "]")
			if !closing && strings.IndexByte(".,;:!?'*_~", last) < 0 {
				break
			}
			end--
		}
		if cut := strings.Index(s[head:end], "]("); cut >= 0 { // [http://a](http://b)
			end = head + cut
		}
		if end > head && isHostStart(s[head]) {
			spans = append(spans, [2]int{start, end})
			from = end
		}
	}
}

// maxAddress is the most bytes that an address has after its scheme.
const maxAddress = 4096

func isHostStart(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '[' || b >= 0x80
}

func webLinks(s string) (links []string) {
	for _, span := range webLinkSpans(s) {
		links = append(links, s[span[0]:span[1]])
	}
	return links
}

// links returns the different addresses of a text, and the targets of its
// Markdown and HTML links, which may be relative.
func links(s string) []string {
	all := webLinks(s)
	for rest := s; ; {
		_, after, ok := strings.Cut(rest, "](")
		if !ok {
			break
		}
		target, _, ok := strings.Cut(after, ")")
		if target, _, _ = strings.Cut(strings.TrimSpace(target), " "); ok && target != "" && !strings.HasPrefix(target, "http") {
			all = append(all, strings.Trim(target, "<>"))
		}
		rest = after
	}
	for rest := s; ; {
		_, after, ok := strings.Cut(rest, "href=")
		if !ok {
			break
		}
		if rest = after; len(rest) > 1 && (rest[0] == '"' || rest[0] == '\'') {
			if target, _, ok := strings.Cut(rest[1:], rest[:1]); ok && target != "" && !strings.HasPrefix(target, "http") {
				all = append(all, target)
			}
		}
	}
	seen := map[string]bool{}
	var different []string
	for _, l := range all {
		if key := address(l); !seen[key] {
			seen[key] = true
			different = append(different, l)
		}
	}
	return different
}

// address is what two spellings of the same place have in common: no scheme,
// no www., no fragment, no slash at the end, no parameters that only count
// visitors, the host in lower case.
func address(link string) string {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil || u.Host == "" {
		return link
	}
	q := u.Query()
	for name := range q {
		if strings.HasPrefix(name, "utm_") || name == "fbclid" || name == "gclid" || name == "ref" {
			q.Del(name)
		}
	}
	out := host(link) + strings.TrimRight(u.EscapedPath(), "/")
	if query := q.Encode(); query != "" {
		out += "?" + query
	}
	return out
}

// host is the host of an address, without www., "" of a relative one.
func host(link string) string {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Host), "www.")
}
