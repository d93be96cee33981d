package compact

import (
	"fmt"
	"strings"
	"testing"
)

const xmlHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// passed are tests of a report in JUnit's form.
func passed(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<testcase classname=\"shop.Cart\" name=\"test_%d\" time=\"0.01\"/>\n", i)
	}
	return b.String()
}

func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// reports are odd ones, with what must be left of each.
func reports() map[string]struct {
	text string
	want []string
} {
	type report = struct {
		text string
		want []string
	}
	large := xmlHead + "<testsuites>\n"
	for s := range 80 {
		large += fmt.Sprintf("<testsuite name=\"s%d\" tests=\"200\" failures=\"%d\">\n", s, 1-min(1, max(s-33, 33-s))) + passed(200)
		if s == 33 {
			large += `<testcase name="needle"><failure message="the needle broke">at n.py:99</failure></testcase>` + "\n"
		}
		large += "</testsuite>\n"
	}
	large += "</testsuites>\n"
	return map[string]report{
		"attributes over lines": {xmlHead + "<testsuite name=\"a\"\n tests=\"42\"\n failures=\"1\">\n" + passed(40) + "<testcase\n  classname=\"shop.Cart\"\n  name=\"odd_one\"\n  file=\"src/cart.py\"\n  line=\"17\">\n<failure\n" +
			"  message=\"expected 3 &lt; 2 &amp;\n more &quot;here&quot; > there\"\n  type=\"AssertionError\">body of it\n</failure>\n</testcase>\n" + passed(20) + "</testsuite>\n",
			[]string{"odd_one", "expected 3", "more &quot;here", "src/cart.py", `line="17"`, "body of it"}},
		"CDATA": {xmlHead + "<testsuites>\n<testsuite name=\"s\" failures=\"1\">\n" + passed(40) + "<testcase name=\"loud\"><system-out><![CDATA[<failure message=\"none\"> </testcase> <testsuite\n>\n]]></system-out></testcase>\n" +
			"<testcase name=\"bad\"><failure><![CDATA[java.lang.AssertionError: <tag> & \"x\" > y\n\tat shop.Cart.total(Cart.java:41)\n" + repeated(40, "\tat org.junit.runner.R%[1]d.run(R.java:%[1]d)\n") +
			"Caused by: java.io.IOException: disk full\n\tat shop.Disk.write(Disk.java:77)\n]]></failure><system-out><![CDATA[opening cart 77\n]]></system-out><system-err><![CDATA[cart was slow\n]]></system-err></testcase>\n" + passed(20) + "</testsuite>\n</testsuites>\n",
			[]string{`<tag> & "x" > y`, "Cart.java:41", "disk full", "Disk.java:77", "opening cart 77", "cart was slow", `name="bad"`}},
		"error, failure, flaky": {xmlHead + "<testsuite name=\"k\" errors=\"1\" failures=\"1\" skipped=\"2\">\n" + passed(90) + "<testcase name=\"e1\"><error message=\"db is down\" type=\"OperationalError\">\n  File \"shop/db.py\", line 3, in connect</error></testcase>\n" +
			"<testcase name=\"f1\"><failure message=\"2 != 3\"/></testcase>\n<testcase name=\"s1\"><skipped message=\"no network\"/></testcase>\n<testcase name=\"fl\"><flakyFailure message=\"flaked once\">at x</flakyFailure></testcase>\n</testsuite>\n",
			[]string{"e1", "db is down", "shop/db.py", "f1", "2 != 3", "fl", "flaked once", "<testcase> passed ×90", "<testcase> skipped ×1"}},
		"several documents":    {strings.Repeat(xmlHead+"<testsuite name=\"s\">\n"+passed(30)+"</testsuite>\n", 3) + xmlHead + "<testsuite name=\"last\">\n" + passed(9) + "<testcase name=\"bad\"><failure message=\"broke\">at f.py:5</failure></testcase>\n</testsuite>\n", []string{`name="last"`, `name="bad"`, "broke", "f.py:5"}},
		"cut off":              {xmlHead + "<testsuites><testsuite name=\"t\">\n" + passed(60) + "<testcase name=\"cut\"><failure message=\"why it fell\">line one\nline two of the trace\n", []string{`name="cut"`, "why it fell", "line two of the trace"}},
		"cut off, then a tool": {xmlHead + "<testsuites>\n<testsuite name=\"t\">\n" + passed(60) + "\nmake: *** [Makefile:12: test] Error 2\nsrc/x.c:4:2: error: expected ; before x\n", []string{"Makefile:12", "src/x.c:4:2: error"}},
		"amid a tool's": {"collecting\n" + xmlHead + "<testsuites>\n<testsuite name=\"t\">\n" + passed(60) + "<testcase name=\"bad\"><failure message=\"boom\">at a.py:3</failure></testcase>\n</testsuite>\n</testsuites>\nerror: coverage below 80 % in shop/cart.py\nmake: *** [test] Error 1\n",
			[]string{`name="bad"`, "boom", "a.py:3", "coverage below 80", "make: ***"}},
		"large": {large, []string{`name="s33"`, "needle", "the needle broke", "n.py:99"}},
		"TestNG": {xmlHead + "<testng-results failed=\"1\" total=\"60\">\n<suite name=\"S\"><test name=\"T\"><class name=\"shop.CartTest\">\n" + repeated(58, "<test-method status=\"PASS\" name=\"t%d\">\n<reporter-output>\n</reporter-output>\n</test-method>\n") +
			"<test-method status=\"FAIL\" name=\"badOne\">\n<exception class=\"java.lang.AssertionError\">\n<message>\n<![CDATA[expected [3] but found [2]]]>\n</message>\n<full-stacktrace>\n<![CDATA[\tat shop.CartTest.bad(CartTest.java:31)\n]]>\n</full-stacktrace>\n</exception>\n</test-method>\n</class></test></suite>\n</testng-results>\n",
			[]string{"badOne", "expected [3] but found [2]", "CartTest.java:31"}},
		"NUnit": {xmlHead + "<test-run total=\"50\" failed=\"1\">\n<test-suite name=\"F\" failed=\"1\">\n" + repeated(49, "<test-case name=\"T%d\" result=\"Passed\" duration=\"0.01\" />\n") + "<test-case name=\"BadCase\" result=\"Failed\">\n<failure>\n<message><![CDATA[  Expected: 3\n  But was:  2]]></message>\n<stack-trace><![CDATA[at F.BadCase() in /src/F.cs:line 12]]></stack-trace>\n</failure>\n</test-case>\n</test-suite>\n</test-run>\n",
			[]string{"BadCase", "Expected: 3", "But was:  2", "F.cs:line 12"}},
		"xUnit.net":            {xmlHead + "<assemblies>\n<assembly name=\"a.dll\" failed=\"1\">\n<collection failed=\"1\" name=\"c\">\n" + repeated(99, "<test name=\"N.T%d\" result=\"Pass\"/>\n") + "<test name=\"N.Bad\" result=\"Fail\"><failure><message>Assert.Equal() Failure</message></failure></test>\n</collection>\n</assembly>\n</assemblies>\n", []string{"N.Bad", "Assert.Equal() Failure"}},
		"outside of tests":     {xmlHead + "<testsuites>\n<testsuite name=\"q\" errors=\"1\">\n" + passed(50) + "<error message=\"teardown of module failed\">at conftest.py:8</error>\n<system-err><![CDATA[FATAL: cannot close db\n]]></system-err>\n</testsuite>\n</testsuites>\n", []string{"teardown of module failed", "conftest.py:8", "cannot close db"}},
		"much printed first":   {xmlHead + "<testsuite name=\"q\">\n" + passed(50) + "<testcase name=\"late\"><system-out>" + repeated(900, "line %d of the log\n") + "</system-out><failure message=\"late failure\">at l.py:3</failure></testcase>\n<testcase name=\"fine\"><system-out>" + repeated(900, "fine %d\n") + "</system-out></testcase>\n</testsuite>\n", []string{`name="late"`, "late failure", "l.py:3"}},
		"two failures in each": {xmlHead + "<testsuite name=\"q\">\n" + passed(50) + "<testcase name=\"a\">\n<failure message=\"one\"/>\n<failure message=\"two\"/>\n</testcase>\n<testcase name=\"b\">\n<failure message=\"one\"/>\n<failure message=\"three\"/>\n</testcase>\n</testsuite>\n", []string{`name="a"`, "two", `name="b"`, "three"}},
	}
}

// Of a report of tests in XML, whoever prints it and however it is written, each test that
// failed is left with what it says, and the others are counted.
func TestReportsOfTests(t *testing.T) {
	for name, c := range reports() {
		forms := map[string]string{"": c.text, "CRLF": strings.ReplaceAll(c.text, "\n", "\r\n")}
		if name != "large" {
			for shape, front := range map[string]func(i int) string{
				"time": func(i int) string { return clock(i) + ".1234567Z " }, "name": func(int) string { return "web-1  | " },
			} {
				forms[shape] = behind(Envelope{CombinedText: c.text}, front).CombinedText
			}
		}
		if name == "large" || name == "xUnit.net" {
			forms["one line"] = strings.ReplaceAll(c.text, "\n", "")
		}
		for form, text := range forms {
			for _, command := range []string{"./ci.sh", "python3 -m pytest --junitxml=/dev/stdout", "cat report.xml", "mvn test", "make test"} {
				exit := 1
				if form != "" && command != "./ci.sh" {
					continue
				}
				res := Compact(Envelope{Command: command, CombinedText: text, ExitCode: &exit}, Options{Level: Normal})
				for _, want := range c.want {
					if !strings.Contains(res.Reduced, want) {
						t.Errorf("%s, %s, %s (%s): lost %q\n%.900s", name, form, command, res.Meta.Rule, want, res.Reduced)
					}
				}
				if command == "cat report.xml" && len(text) < 8000 { // so little of a file goes out as it is
					continue
				}
				if len(res.Reduced) > len(text)/2 || strings.Contains(res.Reduced, "test_7") && name != "cut off, then a tool" {
					t.Errorf("%s, %s, %s (%s): %d bytes of %d:\n%.900s", name, form, command, res.Meta.Rule, len(res.Reduced), len(text), res.Reduced)
				}
			}
		}
	}
}
