package doc

import "strings"

// UATCurrent is the test that a UAT.md waits for, under `## Current Test`.
type UATCurrent struct {
	Number   int // 0 when it does not say
	Name     string
	Expected string
	Awaiting string
	Complete bool // [testing complete]: nothing is waited for
}

// CurrentTest returns the test that is waited for, and whether the file says.
func (t *Text) CurrentTest() (UATCurrent, bool) {
	s, ok := t.Section("Current Test")
	if !ok {
		return UATCurrent{}, false
	}
	for _, line := range t.Lines(s.Start, s.End) {
		if strings.EqualFold(strings.TrimSpace(line), "[testing complete]") {
			return UATCurrent{Complete: true}, true
		}
	}
	end := s.End
	for i := s.Start; i < s.End; i++ {
		if strings.TrimSpace(t.Line(i)) == "---" { // a rule ends it
			end = i
			break
		}
	}
	n := t.yaml(s.Start, end)
	test := UATCurrent{
		Number: n.Get("number").Int(0), Name: n.Get("name").Text(),
		Expected: strings.TrimSpace(n.Get("expected").Text()), Awaiting: n.Get("awaiting").Text(),
	}
	return test, test.Number > 0 || test.Name != ""
}
