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

// Findings of linters are told as those of JSON are, in whatever element their text, their
// place and their rule stand.
func TestXMLFindings(t *testing.T) {
	for name, in := range map[string]string{
		"checkstyle": `<?xml version="1.0"?>
<checkstyle version="8.0">
<file name="src/a.java">
<error line="3" column="4" severity="error" message="&apos;x&apos; is unused" source="com.puppycrawl.tools.checkstyle.checks.UnusedCheck"/>
</file>
<file name="src/b.java"/>
</checkstyle>
`, "on one line": `<checkstyle><file name="src/a.java"><error line="3" column="4" severity="error" message="'x' is unused" source="a.b.c.UnusedCheck" /></file><file name="src/b.java"></file></checkstyle>
`, "pmd": `<pmd version="6">
<file name="src/a.java">
<violation beginline="3" begincolumn="4" severity="error" rule="UnusedCheck" priority="1">
&apos;x&apos; is
unused
</violation>
</file>
</pmd>
`, "cppcheck": `<results version="2">
    <errors>
        <error id="UnusedCheck" severity="error" msg="'x' is unused" verbose="'x' is unused">
            <location file="src/a.java" line="3" column="4" info="here"/>
            <location file="src/a.java" line="9" column="9" info="from here"/>
            <symbol>x</symbol>
        </error>
    </errors>
</results>
`} {
		recs := parse(t, "xml", in)
		said := ""
		for _, r := range recs {
			if r.Says != "" {
				said += r.Site + " " + r.Says + "\n"
			}
		}
		if want := "src/a.java:3:4 error 'x' is unused UnusedCheck\n"; said != want {
			t.Errorf("%s: %q, want %q", name, said, want)
		}
		scramble(t, "xml", in)
	}
	recs := parse(t, "xml", "<checkstyle>\n<file name=\"a\">\n<exception>no such charset</exception>\n</file>\n</checkstyle>\n")
	equal(t, shown(recs, Keep), "<checkstyle>", "<exception>no such charset</exception>", "[… 1 file without a finding …]")
}
