package injection

import "unicode/utf8"

// unseen looks for text in characters that nobody can see in the word with bytes
// beyond ASCII at from, and for marks that reorder what is shown.
func (s *scanner) unseen(from, to int, see func(int)) {
	tags, selectors, zero := 0, 0, 0 // characters in a row
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
			if zero++; zero == 8 {
				s.hit(hiddenTags, 12, i, i+n)
				see(i)
			}
		default:
			tags, selectors, zero = 0, 0, 0
			flag = r == 0x1F3F4
			if r == 0x202D || r == 0x202E {
				s.hit(hiddenText, 7, i, i+n)
				see(i)
			}
		}
		i += n
	}
}
