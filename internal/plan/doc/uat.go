package doc

import (
	"strconv"
	"strings"
)

// UAT is an NN-UAT.md: tests that a person carries out, and what came of them.
type UAT struct {
	Status string // of the frontmatter: testing, partial, complete, diagnosed; "" without one
	Tests  []UATTest
}

// UATTest is a section such as `### 2. Login` with its lines `expected:` and
// `result:`.
type UATTest struct {
	Line     int
	Number   int
	Name     string
	Expected string
	Result   string // pending, pass, issue, skipped, blocked; without brackets, lower case
	Reported string
	Severity string
	Reason   string
	Blocked  string // what by
}

// Issues returns the tests that found something which is not settled.
func (u UAT) Issues() (out []UATTest) {
	for _, t := range u.Tests {
		if t.Failed() && u.Status != "resolved" {
			out = append(out, t)
		}
	}
	return out
}

// Waiting returns the tests without a verdict; one that was skipped for a reason has
// one.
func (u UAT) Waiting() (out []UATTest) {
	for _, t := range u.Tests {
		if t.Open() && (t.Result != "skipped" || t.Reason == "") {
			out = append(out, t)
		}
	}
	return out
}

// Open reports whether nobody has yet said that the test passes or fails.
func (u UATTest) Open() bool {
	switch u.Result {
	case "", "pending", "skipped", "blocked":
		return true
	}
	return false
}

// Failed reports whether the test found an issue.
func (u UATTest) Failed() bool {
	return u.Result == "issue" || u.Result == "fail" || u.Result == "failed"
}

// ReadUAT reads the tests of a UAT document.
func ReadUAT(t *Text) UAT {
	u := UAT{Status: strings.ToLower(t.Front().Get("status").Text())}
	for _, s := range t.Sections() {
		number, name, ok := cutNumber(s.Text)
		if !ok || s.Level < 3 {
			continue
		}
		u.Tests = append(u.Tests, UATTest{
			Line: s.Line, Number: number, Name: name,
			Expected: t.value(s, "expected"),
			Result:   strings.ToLower(strings.Trim(t.value(s, "result"), "[] ")),
			Reported: Unquote(t.value(s, "reported")),
			Severity: t.value(s, "severity"),
			Reason:   Unquote(t.value(s, "reason")),
			Blocked:  Unquote(t.value(s, "blocked_by")),
		})
	}
	return u
}

// value returns a field of a section: what follows it on its line, or after
// `|` or `>` the indented lines below it.
func (t *Text) value(s Section, name string) string {
	f, ok := t.Field(s.Start, s.End, name)
	if !ok {
		return ""
	}
	if mark := strings.TrimRight(f.Value, "-+"); mark != "|" && mark != ">" {
		return f.Value
	}
	var lines []string
	for i := f.Line + 1; i < s.End; i++ {
		line := t.Line(i)
		if line != "" && !isBlank(line[0]) {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// cutNumber reads `2. Login` or `2) Login`.
func cutNumber(s string) (number int, rest string, ok bool) {
	n := countDigits(s)
	if n == 0 || n > 9 || len(s) == n || strings.IndexByte(".):", s[n]) < 0 {
		return 0, "", false
	}
	number, _ = strconv.Atoi(s[:n])
	return number, strings.TrimSpace(s[n+1:]), true
}

// Unquote returns a text without the quotes around all of it.
func Unquote(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
