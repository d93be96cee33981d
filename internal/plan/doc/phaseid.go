package doc

import (
	"cmp"
	"strconv"
	"strings"
)

// PhaseID is how a phase is called: an integer with an optional letter and
// decimals (2, 3A, 12.3.1), perhaps with a project's code before it (CK-03),
// or a custom id (PROJ-42). Ids are compared as whole tokens: 1 is not 10,
// and 1009 is not 1009A; 2, 02 and Phase 2's directory 02-api are the same.
type PhaseID struct {
	Code     string // "CK", upper case; "" for none
	Number   int    // -1 for a custom id
	Letter   string // "A", as it was written
	Decimals string // ".3.1"
	Custom   string // the whole of a custom id
}

// ParsePhaseID reads an id: "2", "02", "2.1", "3a", "CK-03", "PROJ-42". The
// zero PhaseID is phase 0.
func ParsePhaseID(s string) (PhaseID, bool) {
	s = strings.TrimSpace(s)
	id, rest, ok := cutPhaseID(s)
	if ok && rest == "" {
		return id, true
	}
	if code, number, found := strings.Cut(s, "-"); found { // ck-03
		if id, rest, ok := cutPhaseID(strings.ToUpper(code) + "-" + number); ok && rest == "" {
			return id, true
		}
	}
	if !isCustomID(s) {
		return PhaseID{}, false
	}
	return PhaseID{Number: -1, Custom: s}, true
}

// DirPhaseID reads the id and the slug of a phase directory's name: 02-api,
// 02.1-hotfix, 03A-x, CK-03-c, PROJ-42-name, 02.
func DirPhaseID(name string) (id PhaseID, slug string, ok bool) {
	if id, rest, ok := cutPhaseID(name); ok && (rest == "" || rest[0] == '-') {
		return id, strings.TrimPrefix(rest, "-"), true
	}
	// A custom id is upper case; the slug begins at the first part that is not.
	parts := strings.Split(name, "-")
	n := 0
	for n < len(parts) && parts[n] != "" && parts[n] == strings.ToUpper(parts[n]) && (n > 0 || isLetter(parts[n][0])) {
		n++
	}
	if n == 0 || !isCustomID(strings.Join(parts[:n], "-")) {
		return PhaseID{}, "", false
	}
	return PhaseID{Number: -1, Custom: strings.Join(parts[:n], "-")}, strings.Join(parts[n:], "-"), true
}

// cutPhaseID reads a numeric id at the start of s.
func cutPhaseID(s string) (id PhaseID, rest string, ok bool) {
	rest = s
	if code, after, found := strings.Cut(s, "-"); found && len(code) <= 6 && isUpper(code) && after != "" && isDigit(after[0]) {
		id.Code, rest = strings.ToUpper(code), after
	}
	digits := countDigits(rest)
	if digits == 0 || digits > 9 {
		return PhaseID{}, s, false
	}
	id.Number, _ = strconv.Atoi(rest[:digits])
	rest = rest[digits:]
	if rest != "" && isLetter(rest[0]) && (len(rest) == 1 || !isLetter(rest[1]) && !isDigit(rest[1])) {
		id.Letter, rest = rest[:1], rest[1:]
	}
	for len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
		n := 1 + countDigits(rest[1:])
		id.Decimals += rest[:n]
		rest = rest[n:]
	}
	if rest != "" && (isLetter(rest[0]) || isDigit(rest[0])) {
		return PhaseID{}, s, false
	}
	return id, rest, true
}

// String returns the id as people write it, without padding: 2, 3A, 12.3.1,
// CK-3, PROJ-42.
func (id PhaseID) String() string { return id.text("%d") }

// Padded returns the id as directories and files have it, the integer with
// at least two digits and without the code: 02, 03A, 12.3.1, PROJ-42.
func (id PhaseID) Padded() string {
	id.Code = ""
	return id.text("%02d")
}

func (id PhaseID) text(format string) string {
	if id.Number < 0 {
		return id.Custom
	}
	n := strconv.Itoa(id.Number)
	if format == "%02d" && len(n) < 2 {
		n = "0" + n
	}
	if id.Code != "" {
		n = id.Code + "-" + n
	}
	return n + id.Letter + id.Decimals
}

// Like returns the id as it replaces written, the spelling of another id: with
// its project's code or without, padded if that was. In the name of a file or
// directory two digits count as padded.
func (id PhaseID) Like(written string, name bool) string {
	old, _, ok := cutPhaseID(written)
	if !ok || id.Number < 0 {
		return id.String()
	}
	id.Code = old.Code
	digits := written
	if old.Code != "" {
		digits = written[len(old.Code)+1:]
	}
	if n := countDigits(digits); n > 1 && (name || digits[0] == '0') {
		return id.text("%02d")
	}
	return id.text("%d")
}

// Same reports whether two ids name the same phase: without case, and without
// the project's code where one of them has none.
func (id PhaseID) Same(other PhaseID) bool {
	if id.Number < 0 || other.Number < 0 {
		return id.Number == other.Number && strings.EqualFold(id.Custom, other.Custom)
	}
	return id.Number == other.Number && strings.EqualFold(id.Letter, other.Letter) && id.Decimals == other.Decimals &&
		(id.Code == other.Code || id.Code == "" || other.Code == "")
}

// Under reports whether the phase was inserted below another: 2.1 and 2.1.3
// are under 2, 2.1.3 under 2.1.
func (id PhaseID) Under(base PhaseID) bool {
	return id.Number >= 0 && id.Number == base.Number && strings.EqualFold(id.Letter, base.Letter) &&
		strings.HasPrefix(id.Decimals, base.Decimals+".")
}

// DecimalOf returns which decimal of base the phase is: 3 for 2.3 and 2.
func (id PhaseID) DecimalOf(base PhaseID) (int, bool) {
	if !id.Under(base) {
		return 0, false
	}
	n, err := strconv.Atoi(id.Decimals[len(base.Decimals)+1:])
	return n, err == nil
}

// Backlog reports whether the phase is an idea for later (999.x): it is not
// counted, numbered after, or next.
func (id PhaseID) Backlog() bool { return id.Number == 999 }

// Whole reports whether the id is an integer alone.
func (id PhaseID) Whole() bool { return id.Number >= 0 && id.Letter == "" && id.Decimals == "" }

// Compare orders ids: by integer, letter (none first), each decimal, and
// custom ids after all by text.
func (id PhaseID) Compare(other PhaseID) int {
	if id.Number < 0 || other.Number < 0 {
		if id.Number < 0 && other.Number < 0 {
			return strings.Compare(id.Custom, other.Custom)
		}
		return cmp.Compare(other.Number, id.Number) // -1 is last
	}
	return cmp.Or(
		cmp.Compare(id.Number, other.Number),
		strings.Compare(strings.ToUpper(id.Letter), strings.ToUpper(other.Letter)),
		compareDecimals(id.Decimals, other.Decimals),
		strings.Compare(id.Code, other.Code),
	)
}

func compareDecimals(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := 1; i < len(as) && i < len(bs); i++ {
		m, _ := strconv.Atoi(as[i])
		n, _ := strconv.Atoi(bs[i])
		if m != n {
			return cmp.Compare(m, n)
		}
	}
	return cmp.Compare(len(as), len(bs))
}

// isCustomID: letters, digits and . _ - with a letter first.
func isCustomID(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isLetter(s[i]) && !isDigit(s[i]) && strings.IndexByte("._-", s[i]) < 0 {
			return false
		}
	}
	return true
}

func countDigits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isUpper(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return s != ""
}
