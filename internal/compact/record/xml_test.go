package record

import "testing"

func TestXML(t *testing.T) {
	in := `<?xml version="1.0"?>
<testsuite tests="4">
  <testcase name="a">
    <system-out>x</system-out>
  </testcase>
  <testcase name="b"/>
  <testcase name="c"
      time="1"/>
  <testcase name="d">
    <failure message="got 450">cart_test.go:14</failure>
  </testcase>
  <properties><property name="p"/></properties>
  <testcase name="e">x</testcase>
</testsuite>
`
	recs := parse(t, "xml", in)
	equal(t, shown(recs, Keep), `<?xml version="1.0"?>`, `<testsuite tests="4">`, `  <testcase name="a">`, `    <system-out>x</system-out>`, `  </testcase>`, `  <testcase name="b"/>`,
		`  <testcase name="d">`, `    <failure message="got 450">cart_test.go:14</failure>`, `  </testcase>`, `  <properties><property name="p"/></properties>`, `</testsuite>`)
	if n := len(groups(recs)); n != 2 {
		t.Errorf("%d rows: %q", n, groups(recs))
	}
	scramble(t, "xml", in)
}
