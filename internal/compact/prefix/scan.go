package prefix

import "strings"

// A kind is a form that one field of a prefix has. No form is the name of a
// program: only what separates a field from what follows, and what times and
// numbers look like.
type kind uint8

const (
	stamp   kind = iota // 2026-03-04T10:00:00.123Z, [10:00:00], Mar  4 10:00:00
	number              // 0.123, [  12.345], 17s
	bracket             // [web], (1), <app>
	piped               // web-1  |
	tabbed              // job, then a tab
	colon               // @scope/app: , packages/app test:
	word                // 01O, stdout, INFO
)

// Bounds of one field, in bytes.
const (
	maxField = 80
	maxWord  = 24
	maxPad   = 12
)

// byteOrder is the mark that some files, and what was put together from files,
// have in front of a line.
const byteOrder = "\ufeff"

// scan reads a field of the kind k at the start of s: its value, and where it
// ends with its separator, the padding behind it not included.
func scan(k kind, s string) (value string, end int, ok bool) {
	from := spaces(s)
	if from > maxPad {
		return "", 0, false
	}
	if strings.HasPrefix(s[from:], byteOrder) {
		from += len(byteOrder)
	}
	at := s[from:]
	switch k {
	case stamp:
		end = bracketed(at, stampLen)
		value = at[:end]
	case number:
		end = bracketed(at, numberLen)
		value = at[:end]
	case bracket:
		end = bracketLen(at)
		value = at[:end]
	case piped:
		value, end = pipe(at)
	case tabbed:
		if i := strings.IndexByte(at[:min(len(at), maxField)], '\t'); i > digits(at) {
			value, end = at[:i], i+1
		}
	case colon:
		value, end = colonLen(at)
	case word:
		if i := wordLen(at); from == 0 && i > 0 {
			value, end = at[:i], i
		}
	}
	if end == 0 {
		return "", 0, false
	}
	if end < len(at) && k != tabbed && !(k == stamp && strings.IndexByte(value, '=') > 0) && !ends(at[end-1]) && at[end] != ' ' && at[end] != '\t' {
		return "", 0, false
	}
	return value, from + end, true
}

// Stamped reports whether s begins with a time.
func Stamped(s string) bool {
	_, _, ok := scan(stamp, s)
	return ok
}

// ends reports whether what follows a field that ends in c need not be apart.
func ends(c byte) bool { return c == ']' || c == ')' || c == '>' || c == '}' || c == ';' }

func spaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// digits returns how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return n
}

// bracketed is the length of what read finds at the start of s, brackets around
// it included.
func bracketed(s string, read func(string) int) int {
	if s == "" {
		return 0
	}
	shut := strings.IndexByte("])}>", closing(s[0]))
	if shut < 0 {
		n := read(s)
		if n > 0 && n < len(s) && (s[n] == ':' || s[n] == ',') {
			n++
		}
		return n
	}
	inner := s[1:]
	pad := spaces(inner)
	n := read(inner[pad:])
	if n == 0 {
		return 0
	}
	n += pad
	n += spaces(inner[n:])
	if n >= len(inner) || inner[n] != closing(s[0]) {
		return 0
	}
	return n + 2
}

// closing is the bracket that closes c, 0 for none.
func closing(c byte) byte {
	switch c {
	case '[':
		return ']'
	case '(':
		return ')'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return 0
}

// stampLen is the length of the date, the time or both that s begins with; a
// long number counts, since seconds since 1970 do.
func stampLen(s string) int {
	if i := strings.IndexByte(s[:min(len(s), maxWord)], '='); i > 0 && i+10 < len(s) && strings.IndexByte(s[:i], ' ') < 0 && digits(s[i+1:]) >= 10 {
		return i + 1 + digits(s[i+1:]) // t=1700000000000
	}
	if n := digits(s); n == 10 || n == 13 || n == 16 {
		return n + fraction(s[n:])
	}
	n := dateLen(s)
	if n > 0 {
		rest := s[n:]
		if rest == "" {
			return n
		}
		if gap := strings.IndexByte("T _:,", rest[0]); gap >= 0 {
			pad := max(1, spaces(rest))
			if t := timeLen(rest[pad:]); t > 0 {
				n += pad + t
			}
		}
	} else if n = timeLen(s); n == 0 {
		return 0
	}
	// The year of ctime stands at the end.
	if rest := s[n:]; len(rest) >= 5 && rest[0] == ' ' && digits(rest[1:]) == 4 && (rest[1:3] == "20" || rest[1:3] == "19") && (len(rest) == 5 || !digit(rest[5]) && !letter(rest[5])) && letter(s[0]) {
		n += 5
	}
	return n
}

// dateLen reads 2026-03-04, 04/03/2026, 04/Mar/2026, Mar  4, Wed Mar  4.
func dateLen(s string) int {
	if n := digits(s); n == 4 || n == 2 {
		if len(s) < n+6 || strings.IndexByte("-/.", s[n]) < 0 {
			return 0
		}
		sep := s[n]
		mid := digits(s[n+1:])
		if mid == 0 && monthAt(s[n+1:]) {
			mid = 3
		}
		if mid == 0 || mid > 3 || len(s) <= n+1+mid || s[n+1+mid] != sep {
			return 0
		}
		last := digits(s[n+2+mid:])
		if last != 2 && last != 4 || n == last && n == 4 {
			return 0
		}
		return n + 2 + mid + last
	}
	n := 0
	if len(s) > 4 && weekday(s[:3]) && (s[3] == ' ' || s[3] == ',') {
		n = 4 + spaces(s[4:])
	}
	if !monthAt(s[n:]) || len(s) < n+5 || s[n+3] != ' ' {
		return 0
	}
	pad := spaces(s[n+3:])
	d := digits(s[n+3+pad:])
	if d == 0 || d > 2 {
		return 0
	}
	return n + 3 + pad + d
}

func monthAt(s string) bool {
	return len(s) >= 3 && strings.Contains("JanFebMarAprMayJunJulAugSepOctNovDec", s[:3]) && s[0] >= 'A' && s[0] <= 'Z'
}

func weekday(s string) bool {
	return strings.Contains("MonTueWedThuFriSatSun", s) && s[0] >= 'A' && s[0] <= 'Z'
}

// timeLen reads 10:00:00, 10:00:00.123, 00:05, with its zone.
func timeLen(s string) int {
	n := digits(s)
	if n == 0 || n > 3 || len(s) < n+3 || s[n] != ':' || digits(s[n+1:]) != 2 {
		return 0
	}
	n += 3
	if n+2 < len(s) && s[n] == ':' && digits(s[n+1:]) == 2 {
		n += 3
	}
	n += fraction(s[n:])
	return n + zoneLen(s[n:])
}

// fraction reads .123 or ,123.
func fraction(s string) int {
	if len(s) > 1 && (s[0] == '.' || s[0] == ',' || s[0] == ':') {
		if n := digits(s[1:]); n > 0 {
			return n + 1
		}
	}
	return 0
}

// zoneLen reads Z, +00:00, UTC, AM.
func zoneLen(s string) int {
	n := 0
	if n < len(s) && s[n] == ' ' {
		n++
	}
	switch rest := s[n:]; {
	case strings.HasPrefix(rest, "UTC"), strings.HasPrefix(rest, "GMT"):
		return n + 3
	case strings.HasPrefix(rest, "AM"), strings.HasPrefix(rest, "PM"):
		return n + 2
	case strings.HasPrefix(rest, "Z") && (len(rest) == 1 || !letter(rest[1])):
		return n + 1
	case len(rest) >= 5 && (rest[0] == '+' || rest[0] == '-'):
		if d := digits(rest[1:]); d == 4 {
			return n + 5
		} else if d == 2 && len(rest) >= 6 && rest[3] == ':' && digits(rest[4:]) == 2 {
			return n + 6
		}
	}
	return 0
}

// numberLen reads a number, with a fraction and a unit perhaps.
func numberLen(s string) int {
	n := 0
	if n < len(s) && s[n] == '+' {
		n++
	}
	d := digits(s[n:])
	if d == 0 || d > 16 {
		return 0
	}
	n += d
	n += fraction(s[n:])
	for _, unit := range [...]string{"ms", "µs", "us", "s", "m", "h"} {
		if strings.HasPrefix(s[n:], unit) {
			return n + len(unit)
		}
	}
	return n
}

// bracketLen is the length of something short in brackets.
func bracketLen(s string) int {
	if s == "" || closing(s[0]) == 0 {
		return 0
	}
	shut := closing(s[0])
	for i := 1; i < min(len(s), maxField); i++ {
		switch s[i] {
		case shut:
			if i == 1 || strings.TrimSpace(s[1:i]) == "" {
				return 0
			}
			if i+1 < len(s) && s[i+1] == ':' {
				i++
			}
			return i + 1
		case s[0], '"', '\t':
			return 0
		}
	}
	return 0
}

// pipe reads a name and the bar behind it.
func pipe(s string) (value string, end int) {
	for i := 0; i < min(len(s), maxField); i++ {
		bar := 0
		switch c := s[i]; {
		case c == '|', c == '>':
			bar = 1
		case strings.HasPrefix(s[i:], "│"), strings.HasPrefix(s[i:], "┃"), strings.HasPrefix(s[i:], "›"), strings.HasPrefix(s[i:], "»"), strings.HasPrefix(s[i:], "❯"):
			bar = len("│")
			if c == 0xc2 {
				bar = len("»")
			}
		case strings.HasPrefix(s[i:], "::") && i > 0 && s[i-1] == ' ':
			bar = 2
		case c == '\t', c == '"', c == '(':
			return "", 0
		}
		if bar == 0 {
			continue
		}
		name := strings.TrimRight(s[:i], " ")
		if name == "" || digits(name) == len(name) || strings.Count(name, " ") > 2 || i+bar < len(s) && s[i+bar] != ' ' {
			return "", 0
		}
		return name, i + bar
	}
	return "", 0
}

// colonLen reads a name of one word or two and the colon behind it.
func colonLen(s string) (value string, end int) {
	if s == "" || !letter(s[0]) && !digit(s[0]) && strings.IndexByte("@./_#~", s[0]) < 0 {
		return "", 0
	}
	gaps := 0
	for i := 0; i < min(len(s), maxField); i++ {
		switch c := s[i]; {
		case c == ':' && (i+1 == len(s) || s[i+1] == ' '):
			return s[:i], i + 1
		case c == ' ':
			if gaps++; gaps > 1 {
				return "", 0
			}
		case letter(c), digit(c), c >= 0x80, strings.IndexByte("@./_#~+:-[]()", c) >= 0:
		default:
			return "", 0
		}
	}
	return "", 0
}

// wordLen is the length of a bare word.
func wordLen(s string) int {
	for i := 0; i < min(len(s), maxWord); i++ {
		switch c := s[i]; {
		case c == ' ', c == '\t':
			return i
		case letter(c), digit(c), strings.IndexByte("_.-+/:@#|>", c) >= 0:
		default:
			return 0
		}
	}
	if len(s) < maxWord {
		return len(s)
	}
	return 0
}
