package grade

import "unicode"

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
