package injection

import (
	"strings"
	"unicode/utf8"
)

const maxWord = 40 // bytes; no word of the lexicon is longer

// A wordBuf holds a word while it is folded.
type wordBuf struct {
	b [maxWord + utf8.UTFMax]byte
	n int
}

func (w *wordBuf) add(r rune) {
	if w.n <= maxWord {
		w.n += utf8.EncodeRune(w.b[w.n:], r)
	}
}

// lookup returns the class of an ASCII word; digits among its letters count as letters.
func (w *wordBuf) lookup(s string) class {
	if len(s) > maxWord {
		return 0
	}
	letters, digits := 0, 0
	for i := range len(s) {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
			letters++
		case 'a' <= c && c <= 'z':
			letters++
		default:
			digits++
		}
		w.b[i] = c
	}
	w.n = len(s)
	if letters > 2 && digits > 0 {
		w.unleet()
	}
	return lexicon(string(w.b[:w.n]))
}

// unleet turns digits and signs into the letters they look like, unless the word
// means something as it is: base64, gpt4.
func (w *wordBuf) unleet() bool {
	if lexicon(string(w.b[:w.n])) != 0 {
		return false
	}
	changed, inner := false, false
	for i := range w.n - 1 {
		inner = inner || !isLetter(w.b[i]) && isLetter(w.b[i+1])
	}
	if !inner { // utf8, agent5
		return false
	}
	for i := range w.n {
		c := w.b[i]
		switch c {
		case '0':
			c = 'o'
		case '1', '!', '|':
			c = 'i'
		case '3':
			c = 'e'
		case '4', '@':
			c = 'a'
		case '5', '$':
			c = 's'
		case '7', '+':
			c = 't'
		}
		changed = changed || c != w.b[i]
		w.b[i] = c
	}
	return changed
}

// accents gives the base letter of U+00C0 to U+017F.
const accents = "aaaaaaaceeeeiiiidnooooo*ouuuuypsaaaaaaaceeeeiiiidnooooo*ouuuuypy" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

// smallCaps are letters of the phonetic blocks that look like small capitals, each
// followed by what it looks like.
const smallCaps = "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzɑaɡgıi"

// fold returns the plain letter that r is a form of, or 0. Odd says that nobody
// writes it so without wanting to hide or to decorate the word.
func fold(r rune) (f rune, odd bool) {
	switch {
	case 0xC0 <= r && r <= 0x17F:
		if f := rune(accents[r-0xC0]); f != '*' {
			return f, false
		}
	case 0x300 <= r && r <= 0x36F:
		return 0, false
	case 0xFF21 <= r && r <= 0xFF5A: // full width
		return plain(r - 0xFEE0), true
	case 0x1D400 <= r && r <= 0x1D6A3: // mathematical
		n := (r - 0x1D400) % 52
		return 'a' + n%26, true
	case 0x24B6 <= r && r <= 0x24E9: // circled
		return 'a' + (r-0x24B6)%26, true
	case 0x1F130 <= r && r <= 0x1F149, 0x1F150 <= r && r <= 0x1F169, 0x1F170 <= r && r <= 0x1F189: // boxed
		return 'a' + (r-0x1F130)%32, true
	case 0x250 <= r && r <= 0x2AF, 0x1D00 <= r && r <= 0x1D7F, 0xA730 <= r && r <= 0xA731, r == 0x131:
		if i := strings.IndexRune(smallCaps, r); i >= 0 {
			return rune(smallCaps[i+len(string(r))]), true
		}
	}
	return 0, false
}

func plain(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case 'a' <= r && r <= 'z':
		return r
	}
	return 0
}

// lookalikes are Cyrillic and Greek letters, each followed by the Latin one.
const lookalikes = "аaвbсcԁdеeғfһhіiјjкkӏlмmоoрpԛqгrѕsтtυuѵvѡwхxуyпnиnԍgігвbαaβbεeηnιiκkνvοoρpτtυuχxγyωwσoςcհhոnսuօoցgіi"

// unmask turns the letters of a word that mixes scripts into the Latin ones they
// look like and says whether it did.
func (w *wordBuf) unmask() bool {
	latin := false
	for i := range w.n {
		latin = latin || w.b[i] < 0x80 && isLetter(w.b[i])
	}
	if !latin {
		return false
	}
	var out wordBuf
	for _, r := range string(w.b[:w.n]) {
		if r >= 0x80 {
			if i := strings.IndexRune(lookalikes, r); i >= 0 {
				r = rune(lookalikes[i+len(string(r))])
			}
		}
		out.add(r)
	}
	*w = out
	return true
}

// invisible are the letters that take no room: zero width, joiners, soft hyphen,
// marks of direction, variation selectors, tags, and accents on their own.
func invisible(r rune) bool {
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x180E, r == 0x3164, r == 0xFEFF, r == 0xFFA0,
		0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F,
		0xFE00 <= r && r <= 0xFE0F, 0xE0000 <= r && r <= 0xE01EF, 0x300 <= r && r <= 0x36F:
		return true
	}
	return false
}
