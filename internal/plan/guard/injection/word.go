package injection

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A word of the text with what it can mean.
type word struct {
	from, to int32
	class    class
	sentence bool // it begins a sentence
	clause   bool // it begins a sentence, a line, or something after a comma or quote
	odd      bool // its letters were disguised
}

// split appends the words of text[from:to].
func (s *scanner) split(from, to int) {
	text := s.text
	s.spelled = 0
	sentence, clause := true, true
	for i := from; i < to; {
		c := text[i]
		if c < 0x80 && !isWord(c) {
			switch c {
			case '.', '!', '?':
				if i+1 >= to || text[i+1] <= ' ' || text[i+1] == '"' || text[i+1] == '\'' || text[i+1] == '<' {
					sentence, clause = true, true
				}
			case '\n':
				if blankAfter(text[i+1:to]) || bullet(text[i+1:to]) {
					sentence, clause = true, true
				}
				clause = clause || lineBegins(text[i+1:to])
			case '\\': // a line break inside a literal, or a command of TeX
				clause = true
				i += s.escape(i, to)
			case ' ', '\t', '\r':
			case ';', '{', '}', '[', ']', '|', '=', '<':
				sentence, clause = true, true
			default:
				clause = true
			}
			i++
			continue
		}
		if r, n := utf8.DecodeRuneInString(text[i:]); r >= 0x80 {
			if ideographic(r) {
				w := word{from: int32(i), sentence: sentence, clause: clause}
				class, size := ideograph(text[:to], i)
				if size == 0 {
					i += n
					continue
				}
				i += size
				w.to, w.class = int32(i), class
				s.words = append(s.words, w)
				sentence, clause = false, false
				continue
			}
			if f, _ := fold(r); f == 0 && !invisible(r) && !unicode.IsLetter(r) {
				switch r {
				case '。', '！', '？', '…':
					sentence = true
				}
				clause = true
				i += n
				continue
			}
		}
		if n := s.spaced(i, to); n > i {
			sentence, clause = false, false
			i = n
			continue
		}
		w, next := s.word(i, to)
		if next <= i { // invisible letters alone
			next = i + 1
			for next < to && !utf8.RuneStart(text[next]) {
				next++
			}
		} else {
			w.sentence, w.clause = sentence, clause
			s.words = append(s.words, w)
			sentence, clause = false, false
		}
		i = next
	}
}

// word reads the word at from, which begins with a letter or a letter in disguise.
func (s *scanner) word(from, to int) (word, int) {
	text := s.text
	if w, end := s.address(from, to); end > from {
		return w, end
	}
	var buf wordBuf
	w := word{from: int32(from)}
	letters, wide, digits, i := 0, false, false, from
	for i < to {
		c := text[i]
		if c < 0x80 {
			if c == '\'' && letters > 0 && i+1 < to && isLetter(text[i+1]) {
				i++
				continue
			}
			if (c == '@' || c == '$' || c == '!') && letters > 0 && i+1 < to && isLetter(text[i+1]) {
				digits = true
			} else if !isWord(c) {
				break
			}
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			if isLetter(c) {
				letters++
			} else {
				digits = true
			}
			buf.add(rune(c))
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '’' && letters > 0 {
			i += n
			continue
		}
		if invisible(r) {
			w.odd = w.odd || letters > 0 && i+n < to && isLetter(text[i+n])
			i += n
			continue
		}
		f, odd := fold(r)
		if f == 0 {
			if !unicode.IsLetter(r) || ideographic(r) {
				break
			}
			f, wide = unicode.ToLower(r), true
		}
		w.odd = w.odd || odd
		buf.add(f)
		letters++
		i += n
	}
	if letters == 0 && !digits {
		return w, from
	}
	w.to = int32(i)
	if wide && letters > 0 {
		w.odd = buf.unmask() || w.odd
	}
	if digits && letters > 2 && buf.n <= maxWord {
		w.odd = buf.unleet() || w.odd
	}
	if buf.n <= maxWord {
		w.class = lexicon(string(buf.b[:buf.n]))
	}
	w.odd = w.odd && w.class != 0
	return w, i
}

// escape returns how many letters after the backslash at i belong to it.
func (s *scanner) escape(i, to int) int {
	n := i + 1
	for n < to && isLetter(s.text[n]) {
		n++
	}
	if n == i+1 || !strings.ContainsRune("ntr", rune(s.text[i+1])) {
		return n - i - 1
	}
	var buf wordBuf
	if rest := s.text[i+2 : n]; rest == "" || rest[0] < 'a' || buf.lookup(rest) != 0 {
		return 1
	}
	return n - i - 1
}

// address reads an address of the net or of a mailbox at from.
func (s *scanner) address(from, to int) (word, int) {
	rest := s.text[from:min(to, from+512)]
	end := strings.IndexAny(rest, " \t\r\n\"'`<>)")
	if end < 0 {
		end = len(rest)
	}
	rest = rest[:end]
	at := strings.IndexByte(rest, '@')
	if strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://") || strings.HasPrefix(rest, "hxxp") ||
		at > 0 && strings.IndexByte(rest[at:], '.') > 1 {
		return word{from: int32(from), to: int32(from + end), class: cURL}, from + end
	}
	return word{}, from
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '_' }

// blankAfter says whether the line that begins here is blank or only a comment sign.
func blankAfter(s string) bool {
	for i := range min(len(s), 12) {
		switch s[i] {
		case '\n':
			return true
		case ' ', '\t', '\r', '#', '*', '/', '>', '-', '=', ';':
		default:
			return false
		}
	}
	return false
}

// bullet says whether the line that begins here is an entry of a list.
func bullet(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), 12)], " \t")
	return strings.HasPrefix(s, "- ") || len(s) > 2 && '0' <= s[0] && s[0] <= '9' && (s[1] == '.' || s[1] == ')')
}

// lineBegins says whether the line that begins here begins something new: with a
// capital letter or a sign of a list.
func lineBegins(s string) bool {
	for i := range min(len(s), 12) {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '/' || c == '#' || c == '*' && i > 0:
		default:
			return c < 'a' || c > 'z'
		}
	}
	return true
}
