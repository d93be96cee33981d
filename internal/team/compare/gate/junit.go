package gate

import (
	"cmp"
	"encoding/xml"
	"strings"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	ClassName string    `xml:"classname,attr"`
	Name      string    `xml:"name,attr"`
	Failure   *junitWhy `xml:"failure"`
	Skipped   *junitWhy `xml:"skipped"`
	Output    string    `xml:"system-out,omitempty"`
}

type junitWhy struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit is the report in the XML that CI servers read: a test for each rule. A
// warning passes, and says so in its output.
func (r *Report) JUnit() ([]byte, error) {
	var suites []junitSuite
	index := map[string]int{}
	for _, rule := range r.Rules {
		name := cmp.Or(rule.part(), "run")
		i, ok := index[name]
		if !ok {
			i = len(suites)
			index[name] = i
			suites = append(suites, junitSuite{Name: "cairn eval gate: " + name})
		}
		s := &suites[i]
		c := junitCase{ClassName: "cairn.gate." + name, Name: rule.Rule}
		s.Tests++
		switch rule.Status {
		case Fail:
			s.Failures++
			c.Failure = &junitWhy{rule.Reason, strings.Join(append([]string{rule.Reason}, rule.Cases...), "\n")}
		case Skip:
			s.Skipped++
			c.Skipped = &junitWhy{Message: rule.Reason}
		case Warn:
			c.Output = "warning: " + rule.Reason
		default:
			c.Output = rule.Reason
		}
		s.Cases = append(s.Cases, c)
	}
	all := junitSuites{Tests: len(r.Rules), Failures: r.Count(Fail), Skipped: r.Count(Skip), Suites: suites}
	data, err := xml.MarshalIndent(all, "", "  ")
	return append([]byte(xml.Header), append(data, '\n')...), err
}
