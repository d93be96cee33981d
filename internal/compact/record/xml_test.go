package record

import (
	"strings"
	"testing"
)

func TestXML(t *testing.T) {
	in := `<?xml version="1.0"?>
<answer tests="4">
  <row name="a">
    <text>x</text>
  </row>
  <row name="b"/>
  <row name="c"
      time="1"/>
  <row name="d">
    <failure message="got 450">cart_test.go:14</failure>
  </row>
  <properties><property name="p"/></properties>
  <row name="e">x</row>
</answer>
`
	recs := parse(t, "xml", in)
	equal(t, shown(recs, Keep), `<?xml version="1.0"?>`, `<answer tests="4">`, `  <row name="a">`, `    <text>x</text>`, `  </row>`, `  <row name="b"/>`,
		`  <row name="d">`, `    <failure message="got 450">cart_test.go:14</failure>`, `  </row>`, `  <properties><property name="p"/></properties>`, `</answer>`)
	if n := len(groups(recs)); n != 2 {
		t.Errorf("%d rows: %q", n, groups(recs))
	}
	scramble(t, "xml", in)
}

// Of a report of tests those that passed are counted, and none stands twice.
func TestXMLTestcases(t *testing.T) {
	in := "<testsuite name=\"oven\">\n"
	for i := range 40 {
		in += "<testcase name=\"bakes " + strings.Repeat("i", i) + "\" time=\"0.01\"/>\n"
	}
	in += "<testcase name=\"burns\">\n<failure>too hot</failure>\n</testcase>\n</testsuite>\n"
	recs := parse(t, "xml", in)
	tallied := 0
	for _, r := range recs {
		if r.Tally {
			tallied++
		}
	}
	got := strings.Join(shown(recs, Keep), "\n")
	if tallied != 40 || !strings.Contains(got, "too hot") || !strings.Contains(got, `name="burns"`) {
		t.Errorf("%d tallied:\n%s", tallied, got)
	}
}
