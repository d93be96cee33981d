package doc

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Verification is an NN-VERIFICATION.md: whether a phase's code does what the
// phase promised.
type Verification struct {
	Status string // of the frontmatter: passed, gaps_found, human_needed; "" without one
	Score  string // "3/4 must-haves verified"
	Rows   int    // truths that it lists; without a section of truths, the rows of all tables or the items of all lists
	Human  []HumanItem
}

// Overscored says of a score that counts more truths than are listed what is wrong with it,
// "" of another.
func (v Verification) Overscored() string {
	m := regexp.MustCompile(`(\d+)\s*/\s*(\d+)`).FindStringSubmatch(v.Score)
	if m == nil {
		return ""
	}
	if n, err := strconv.Atoi(m[2]); err == nil && n <= v.Rows {
		return ""
	}
	return fmt.Sprintf("VERIFICATION.md scores %s and lists %d of these truths", strings.ReplaceAll(m[0], " ", ""), v.Rows)
}

// truths counts those that a report lists.
func (t *Text) truths() int {
	found := -1
	for _, s := range t.Sections() {
		if strings.Contains(strings.ToLower(s.Text), "truths") {
			found = max(found, 0)
			for _, tb := range t.Tables(s.Start, s.End) {
				found += len(tb.Rows)
			}
			if found == 0 {
				found = len(t.Items(s.Start, s.End))
			}
		}
	}
	if found >= 0 {
		return found
	}
	rows := 0
	for _, tb := range t.Tables(t.Body(), t.Len()) {
		rows += len(tb.Rows)
	}
	return max(rows, len(t.Items(t.Body(), t.Len())))
}

// Passed reports whether everything that was promised holds.
func (v Verification) Passed() bool { return v.Status == "passed" || v.Status == "pass" }

// Gaps reports whether something that was promised is missing.
func (v Verification) Gaps() bool { return v.Status == "gaps_found" || v.Status == "failed" }

// Waits reports whether a person has to verify the rest.
func (v Verification) Waits() bool { return v.Status == "human_needed" }

// HumanItem is something that only a person can verify.
type HumanItem struct {
	Line     int
	Name     string
	Test     string // what to do, where it says
	Expected string
}

// ReadVerification reads a verification report.
func ReadVerification(t *Text) Verification {
	front := t.Front()
	v := Verification{Status: strings.ToLower(front.Get("status").Text()), Score: front.Get("score").Text(), Rows: t.truths()}
	for _, s := range t.Sections() {
		if strings.Contains(strings.ToLower(s.Text), "human verification") {
			v.Human = t.humanItems(s)
			break
		}
	}
	if len(v.Human) == 0 {
		v.Human = listedHuman(front)
	}
	return v
}

// listedHuman reads the list human_verification of the frontmatter, whose items
// are texts or have one as test.
func listedHuman(front *Node) (out []HumanItem) {
	for _, it := range front.Get("human_verification").list() {
		name := it.Text()
		for _, key := range []string{"test", "name", "what", "description"} {
			if name == "" {
				name = it.Get(key).Text()
			}
		}
		if name != "" && !isSettled(it.Get("result").Text()) {
			out = append(out, HumanItem{Line: it.at.line, Name: name, Expected: it.Get("expected").Text()})
		}
	}
	return out
}

// minHumanItem is how long, in bytes, a bullet has to be to say what to do: a
// shorter one is `- None`.
const minHumanItem = 11

// humanItems reads the items of a section: headings such as `### 1. Layout`
// if it has some, else the rows of its tables, its numbered lines and its
// bullets. What is marked as passed or resolved is left out.
func (t *Text) humanItems(s Section) []HumanItem {
	var out []HumanItem
	headings := false
	for _, sub := range t.Sections() {
		if sub.Line <= s.Line || sub.Line >= s.End {
			continue
		}
		_, name, ok := cutNumber(sub.Text)
		headings = headings || ok
		if ok && !isSettled(t.value(sub, "result")) {
			out = append(out, HumanItem{sub.Line, name, t.value(sub, "test"), t.value(sub, "expected")})
		}
	}
	if headings {
		return out
	}
	for _, tb := range t.Tables(s.Start, s.End) {
		for i, row := range tb.Rows {
			if name := humanRow(row); name != "" {
				out = append(out, HumanItem{Line: tb.Line + 2 + i, Name: name})
			}
		}
	}
	for _, it := range t.Items(s.Start, s.End) {
		if it.Indent > 0 || it.Done || !it.Number && len(it.Text) < minHumanItem {
			continue
		}
		out = append(out, HumanItem{Line: it.Line, Name: strings.ReplaceAll(it.Text, "**", "")})
	}
	return out
}

// humanRow returns the name in a row `| 1 | name | … |`, or "" for one that
// has no number or is settled.
func humanRow(row []string) string {
	if len(row) < 2 || row[0] == "" || countDigits(row[0]) != len(row[0]) {
		return ""
	}
	for _, cell := range row[1:] {
		if isSettled(cell) {
			return ""
		}
	}
	return row[1]
}

func isSettled(result string) bool {
	switch strings.ToLower(strings.Trim(result, "*✓✅ ")) {
	case "pass", "passed", "resolved":
		return true
	}
	return false
}
