package injection

import "strings"

// firstThree are the first three letters of every word of the anchor classes, in
// lower case and without accents (those words are looked at in full anyway).
const firstThree = "abo aci ade adm afo age ago aho ai_ aim ais ali amo ano ant anw any app arr asi ass auf aut bef ben bis " +
	"bot bou bov byp ceb cen cha chm cir cla cod com con cop cov cra cur cus dan deb dec dee deo des dev dim " +
	"dir dis dot dra dro dud ear eer ein era ero esq eth evi fil for fre fru gem glo goa god goo gpt gra gro " +
	"gua gui hei hen her hum ia_ id_ ide ign igo ind ing ins int inv ist jai jet job ki_ lan lim llm mai mem " +
	"mis mod nc_ neg net nob now npm nsl nul nut obi obj olv omi omn onc onw opd ope ord ori oub ove own peo " +
	"per pol pop pre pri pro pur qui qvf ref res rev ric rog rol saf sam san sec sil ski sno sta ste sud sum " +
	"sur sys tac tal tar tas the tid tpm tra tru ube una unb unc une unf unl unr uns unu urs use usu ute uti " +
	"vaf ver vio vor vta wcz wge whi win yok zap zig zus"

// letter gives each byte that can be a letter its number: a is 1, digits and signs
// that stand for letters are those letters.
var letter = [256]uint8{
	'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6, 'g': 7, 'h': 8, 'i': 9, 'j': 10, 'k': 11, 'l': 12, 'm': 13,
	'n': 14, 'o': 15, 'p': 16, 'q': 17, 'r': 18, 's': 19, 't': 20, 'u': 21, 'v': 22, 'w': 23, 'x': 24, 'y': 25, 'z': 26,
	'A': 1, 'B': 2, 'C': 3, 'D': 4, 'E': 5, 'F': 6, 'G': 7, 'H': 8, 'I': 9, 'J': 10, 'K': 11, 'L': 12, 'M': 13,
	'N': 14, 'O': 15, 'P': 16, 'Q': 17, 'R': 18, 'S': 19, 'T': 20, 'U': 21, 'V': 22, 'W': 23, 'X': 24, 'Y': 25, 'Z': 26,
	'0': 15, '1': 9, '2': 30, '3': 5, '4': 1, '5': 19, '6': 30, '7': 20, '8': 30, '9': 30, '_': 31,
}

// A starts is a set of three letters: which words are worth a look.
type starts [1 << 15 / 64]uint64

func (s *starts) fill() {
	for w := range strings.FieldsSeq(firstThree) {
		k := startKey(w)
		s[k/64] |= 1 << (k % 64)
	}
}

func (s *starts) has(k uint) bool { return s[k/64]&(1<<(k%64)) != 0 }

// startKey packs the first three letters of w; what is not there counts as _.
func startKey(w string) uint {
	k, n := uint(0), 0
	for ; n < 3 && n < len(w) && letter[w[n]] != 0; n++ {
		k = k<<5 | uint(letter[w[n]])
	}
	for ; n < 3; n++ {
		k = k<<5 | 31
	}
	return k
}

const (
	windowBefore = 400 // bytes that are read with an anchor
	windowAfter  = 700
	minSpaced    = 6  // single letters in a row that may be a word,
	maxSpelled   = 14 // and how many one word may have
	minEncoded   = 20
)

// scan looks for anchors and reads the words around them. Depth is how often the
// text was decoded.
func (s *scanner) scan(depth int) {
	var set starts
	set.fill()
	text := s.text
	from, to := -1, -1 // the window that is open
	see := func(at int) {
		if from < 0 || at-windowBefore > to {
			if from >= 0 {
				s.read(from, to)
			}
			from = max(at-windowBefore, 0)
		}
		to = min(at+windowAfter, len(text))
	}
	single := 0
	for i := 0; i < len(text); {
		c := text[i]
		if letter[c] == 0 && c < 0x80 {
			if c == '<' || c == '[' || c == '!' || c == '(' {
				s.markup(i, see)
			}
			i++
			continue
		}
		start, wide := i, false
		for i < len(text) && (letter[text[i]] != 0 || text[i] >= 0x80) {
			wide = wide || text[i] >= 0x80
			i++
		}
		n := i - start
		switch {
		case wide:
			s.unseen(start, i, see)
			if s.wideAnchor(start, i) {
				see(start)
			}
		case n == 1:
			if single++; single >= minSpaced {
				see(start)
			}
			continue
		case n >= minEncoded:
			i = s.encoded(start, depth, see)
		case set.has(startKey(text[start:i])):
			var buf wordBuf
			if buf.lookup(text[start:i])&anchors != 0 {
				see(start)
			}
		}
		single = 0
	}
	if from >= 0 {
		s.read(from, to)
	}
}

// wideAnchor says whether a word with bytes beyond ASCII is one to look at.
func (s *scanner) wideAnchor(from, to int) bool {
	if to-from > 4<<10 {
		return true
	}
	s.words = s.words[:0]
	s.split(from, to)
	for _, w := range s.words {
		if w.class&anchors != 0 || w.odd {
			return true
		}
	}
	return false
}
