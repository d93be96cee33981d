package compact

import (
	"fmt"
	"strings"
	"testing"
)

// Of XML, over many lines or on one, each failed test, each finding and each
// element that is unlike the others is in the result.
func TestXMLReports(t *testing.T) {
	var junit, trx, checkstyle, answer strings.Builder
	var failures, findings []string
	junit.WriteString(`<testsuites tests="200" failures="8"><testsuite name="shop" tests="200">` + "\n")
	trx.WriteString(`<TestRun id="1"><Results>` + "\n")
	answer.WriteString(`<ListResult><Owner>x</Owner>` + "\n")
	checkstyle.WriteString(`<checkstyle version="8.0">` + "\n")
	for i := range 200 {
		name, message := fmt.Sprintf("case_%d", i), fmt.Sprintf("expected tally %d to be closed", i)
		if i%25 == 7 {
			failures = append(failures, name+`"`, message)
			fmt.Fprintf(&junit, `<testcase classname="shop.Cart" name="%s" time="0.01"><failure message="%s" type="AssertionError">%s at cart.py:%d</failure></testcase>`+"\n", name, message, message, i)
			fmt.Fprintf(&trx, `<UnitTestResult testName="%s" outcome="Failed"><Output><ErrorInfo><Message>%s</Message></ErrorInfo></Output></UnitTestResult>`+"\n", name, message)
		} else {
			fmt.Fprintf(&junit, `<testcase classname="shop.Cart" name="%s" time="0.01"/>`+"\n", name)
			fmt.Fprintf(&trx, `<UnitTestResult testName="%s" outcome="Passed"></UnitTestResult>`+"\n", name)
		}
		if i%10 == 0 {
			fmt.Fprintf(&checkstyle, `<file name="src/mod%d.java">`+"\n", i)
		}
		fmt.Fprintf(&checkstyle, `<error line="%d" column="4" severity="%s" message="Line %d is too long" source="LineLength"/>`+"\n", i+3, []string{"error", "warning"}[i%2], i)
		findings = append(findings, fmt.Sprintf("%d:4", i+3)) // of many that say the same only the first have their values
		if i%10 == 9 {
			checkstyle.WriteString("</file>\n")
		}
		class := "STANDARD"
		if i == 117 {
			class = "GLACIER"
		}
		fmt.Fprintf(&answer, "<Contents><Key>backup/%d.tar</Key><Size>%d</Size><Class>%s</Class></Contents>\n", i, 100+i%37, class)
	}
	junit.WriteString("</testsuite></testsuites>\n")
	trx.WriteString("</Results></TestRun>\n")
	answer.WriteString("</ListResult>\n")
	checkstyle.WriteString("</checkstyle>\n")
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"junit": {junit.String(), failures}, "trx": {trx.String(), failures}, "checkstyle": {checkstyle.String(), findings}, "answer": {answer.String(), []string{"backup/117.tar", "GLACIER"}},
	} {
		for form, text := range map[string]string{"lines": c.text, "one line": strings.ReplaceAll(c.text, "\n", "")} {
			for _, command := range []string{"cat report.xml", "xmllint report.xml", "curl -s http://127.0.0.1/x", "./run-tests"} {
				text := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + text
				exit := 0
				res := Compact(Envelope{Command: command, CombinedText: text, ExitCode: &exit}, Options{Level: Normal})
				lost := 0
				for _, want := range c.want {
					if !strings.Contains(res.Reduced, want) {
						lost++
					}
				}
				if lost > 0 {
					t.Errorf("%s on %s by %s (%s): %d of %d lost, %d bytes of %d\n%.700s", name, form, command, res.Meta.Rule, lost, len(c.want), len(res.Reduced), len(text), res.Reduced)
				} else if name == "checkstyle" && len(res.Reduced) > len(text)/5 {
					t.Errorf("%s on %s by %s (%s): %d bytes of %d", name, form, command, res.Meta.Rule, len(res.Reduced), len(text))
				} else {
					t.Logf("%s on %s by %s: %d of %d", name, form, command, len(res.Reduced), len(text))
				}
			}
		}
	}
}
