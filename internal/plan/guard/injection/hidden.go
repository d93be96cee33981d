package injection

import "unicode/utf8"

// unseen looks for text in characters that nobody can see in the word with bytes
// beyond ASCII at from, for a word that such a character cuts, and for marks that
// reorder what is shown.
func (s *scanner) unseen(from, to int, see func(int)) {
	tags, selectors, zero := 0, 0, 0 // characters in a row
	cut := 0                         // where zero began
	flag := false                    // the black flag, which tags may follow
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(s.text[i:to])
		switch {
		case 0xE0020 <= r && r <= 0xE007F:
			if tags++; tags == 4 && !flag {
				s.hit(hiddenTags, 12, i, min(to, i+n))
				see(i)
			}
		case 0xE0100 <= r && r <= 0xE01EF || 0xFE00 <= r && r <= 0xFE0F:
			if selectors++; selectors == 4 {
				s.hit(hiddenTags, 12, i, i+n)
				see(i)
			}
		case 0x200B <= r && r <= 0x200D || 0x2060 <= r && r <= 0x2064 || r == 0xFEFF || r == 0x180E:
			if zero++; zero == 1 {
				cut = i
			}
			if zero == 8 {
				s.hit(hiddenTags, 12, i, i+n)
				see(i)
			}
		default:
			if zero > 0 && zero < 8 && cut > from && isLetter(s.text[cut-1]) && isLetter(s.text[i]) { // other scripts need them
				s.hit(Characters, 8, cut, i)
				see(cut)
			}
			tags, selectors, zero = 0, 0, 0
			flag = r == 0x1F3F4
			if r == 0x202D || r == 0x202E || turnsLeft(r) && !s.leftwards(i) {
				s.hit(Characters, 10, i, i+n)
				see(i)
			}
		}
		i += n
	}
}

// turnsLeft reports whether a mark begins a passage with a direction of its own,
// which a line in a script that is written from left to right has no use for.
func turnsLeft(r rune) bool { return r == 0x202A || r == 0x202B || 0x2066 <= r && r <= 0x2068 }

// leftwards reports whether near i, in its line, a script is written from right to left.
func (s *scanner) leftwards(i int) bool {
	for _, r := range s.text[s.lineStart(i):s.lineEnd(i)] {
		if 0x0590 <= r && r <= 0x08FF || 0xFB1D <= r && r <= 0xFDFF || 0xFE70 <= r && r <= 0xFEFC {
			return true
		}
	}
	return false
}

// spaced reads letters that stand apart, as in i g n o r e or i-g-n-o-r-e, and
// appends the words they spell. It returns where they end, or from.
func (s *scanner) spaced(from, to int) int {
	text := s.text
	if from < s.spelled || from+2*minSpaced > to || !isLetter(text[from]) || isWord(text[from+1]) || text[from+1] >= 0x80 || from > 0 && isWord(text[from-1]) {
		return from
	}
	var letters [64]byte
	n, i, sep, again := 0, from, text[from+1], from
	for n < len(letters) && i < to && isLetter(text[i]) && (i+1 >= to || !isWord(text[i+1]) && text[i+1] < 0x80) {
		letters[n] = text[i] | 0x20
		if n <= len(letters)-maxSpelled {
			again = i // from here a word may go on after the last of letters
		}
		n++
		i++
		if i >= to || text[i] == '\n' {
			break
		}
		for k := 0; k < 4 && i < to && (text[i] == sep || text[i] == ' '); k++ {
			i++
		}
	}
	if n < minSpaced {
		return from
	}
	known := false
	for at := 0; at < n; {
		size, class := 1, class(0)
		for l := min(maxSpelled, n-at); l > 2; l-- {
			if c := lexicon(string(letters[at : at+l])); c != 0 {
				size, class = l, c
				break
			}
		}
		if class != 0 {
			known = true
			s.words = append(s.words, word{from: int32(from), to: int32(i), class: class, clause: at == 0, odd: true})
		}
		at += size
	}
	if !known {
		s.spelled = again
		return from
	}
	return i
}
