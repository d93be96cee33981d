package doc

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadUAT(t *testing.T) {
	u := ReadUAT(Parse([]byte(`---
status: Testing
---

## Current Test

number: 2

## Tests

### 1. Log in
expected: a page
result: pass

### 2. Mail
expected: |
  It comes
  in a minute
result: [Pending]

### 3. Pay
result: issue
reported: "it hangs"
severity: major

### 4. Phone
**result:** blocked
blocked_by: device
reason: 'none here'

` + "```" + `
### 5. In a fence
result: pending
` + "```" + `

## Summary
total: 4
`)))
	var got strings.Builder
	for _, it := range u.Tests {
		fmt.Fprintf(&got, "%d %d %s|%q|%s|%s|%s|%s|%s|%v %v\n", it.Line, it.Number, it.Name, it.Expected, it.Result, it.Reported, it.Severity, it.Reason, it.Blocked, it.Open(), it.Failed())
	}
	const want = `10 1 Log in|"a page"|pass|||||false false
14 2 Mail|"It comes\nin a minute"|pending|||||true false
20 3 Pay|""|issue|it hangs|major|||false true
25 4 Phone|""|blocked|||none here|device|true false
`
	if got.String() != want || u.Status != "testing" {
		t.Errorf("status %s\n%swant\n%s", u.Status, got.String(), want)
	}
}

func TestReadVerification(t *testing.T) {
	const front = "---\nstatus: human_needed\nscore: 3/4 must-haves verified\n---\n\n## Goal\n\n1. not this\n\n"
	for name, tc := range map[string]struct{ section, want string }{
		"table":      {"## Human Verification\n\n| # | Test | Result |\n|---|---|---|\n| 1 | Layout | |\n| 2 | Sound | PASS |\n| 3 | Light | ✅ resolved |\n", "Layout"},
		"numbered":   {"## Human Verification Required\n\n1. Open the page\n   - look at it\n2. **Print** it\n", "Open the page,Print it"},
		"bullets":    {"### Human verification items\n\n- Check the colours\n- None\n- [x] Done already, long ago\n", "Check the colours"},
		"headings":   {"## Human Verification\n\n### 1. Visual check\n**Test:** open\n\n1. click it\n\n### 2. Feel\n\n## Other\n\n### 3. Not this\n", "Visual check,Feel"},
		"none":       {"## Summary\n\n- Check the colours\n", ""},
		"settled":    {"## Human Verification\n\n### 1. Visual check\nresult: passed\n\n1. click it\n\n### 2. Feel\nresult: issue\n", "Feel"},
		"none left":  {"## Human Verification\n\n### 1. Visual check\n**Result:** pass\n\n1. click it\n", ""},
		"in a fence": {"```\n## Human Verification\n- Check the colours\n```\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := ReadVerification(Parse([]byte(front + tc.section)))
			var names []string
			for _, it := range v.Human {
				names = append(names, it.Name)
			}
			if got := strings.Join(names, ","); got != tc.want || v.Status != "human_needed" || v.Score != "3/4 must-haves verified" {
				t.Errorf("%+v: %s, want %s", v, got, tc.want)
			}
		})
	}
}

func TestOneLinerIsNoPlaceholder(t *testing.T) {
	for text, want := range map[string]string{
		"---\none-liner: From the front\n---\n# S\n\n**No**\n": "From the front",
		"# S\n\n**Bold text**\n\n**Other**\n":                  "Bold text",
		"# S\n\n**What:** after it\n":                          "after it",
		"# S\n\n**What**: after it\n":                          "after it",
		"# S\n\n**[what was built]**\n\n**Duration:** 5min\n":  "",
		"# S\n\n**Tasks:** 3\n":                                "",
		"# S\n\n## Next\n\n**Too late**\n":                     "",
		"**Before the title**\n# S\n":                          "",
		"# S\n\n**[Link](x) is a text**\n":                     "[Link](x) is a text",
	} {
		if got := OneLiner(Parse([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
