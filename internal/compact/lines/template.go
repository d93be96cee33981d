package lines

// Template reduces a line to what repeats: times, numbers, hexadecimal and
// paths become placeholders, so that two log lines of the same statement are
// equal. Words stay as they are.
func Template(s string) string {
	// Most lines fit: the buffer then costs nothing.
	var room [256]byte
	return string(AppendTemplate(room[:0], s))
}

// AppendTemplate appends the template of s to b.
func AppendTemplate(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if class[c]&inTerm == 0 {
			if c != ' ' || len(b) == 0 || b[len(b)-1] != ' ' {
				b = append(b, c)
			}
			i++
			continue
		}
		j, digits, slash, hex := i, 0, false, true
		for ; j < len(s) && class[s[j]]&inTerm != 0; j++ {
			k := class[s[j]]
			if k&isDigit != 0 {
				digits++
			}
			slash = slash || s[j] == '/'
			hex = hex && k&isHex != 0
		}
		switch {
		case slash && j-i > 1:
			b = append(b, '/')
		case digits == 0:
			b = append(b, s[i:j]...)
		case hex || digits == j-i:
			b = append(b, '#')
		default:
			b = appendDigitless(b, s[i:j])
		}
		i = j
	}
	return b
}

// appendDigitless writes # for each run of digits: worker-12 and worker-3 are
// the same worker.
func appendDigitless(b []byte, word string) []byte {
	for i := 0; i < len(word); i++ {
		if class[word[i]]&isDigit == 0 {
			b = append(b, word[i])
		} else if i == 0 || class[word[i-1]]&isDigit == 0 {
			b = append(b, '#')
		}
	}
	return b
}

// Classes of bytes, as bits.
const (
	inWord  = 1 << iota // letters, digits, _ and everything that is not ASCII
	inTerm              // and / and .
	isDigit             // 0-9
	isHex               // hexadecimal digits and .
	control             // what Clean removes
)

// class has the bits of every byte.
var class = func() (t [256]uint8) {
	for i := range t {
		c := byte(i)
		switch {
		case c >= '0' && c <= '9':
			t[i] = inWord | inTerm | isDigit | isHex
		case c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
			t[i] = inWord | inTerm | isHex
		case c >= 'g' && c <= 'z', c >= 'G' && c <= 'Z', c == '_', c >= 0x80:
			t[i] = inWord | inTerm
		case c == '.':
			t[i] = inTerm | isHex
		case c == '/':
			t[i] = inTerm
		case c < ' ' && c != '\t', c == 0x7f:
			t[i] = control
		}
	}
	return t
}()

func isWord(c byte) bool { return class[c]&inWord != 0 }
