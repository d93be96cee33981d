package reader

import (
	"encoding/xml"
	"io"
	"strings"

	"cairn/internal/team/result"
)

// junit reads JUnit's XML in the dialects of Ant, Surefire, pytest, Vitest,
// promptfoo and their like: testsuites and testsuite in any depth, testcase in
// them.
type junit struct {
	x       *xmlReader
	c       *collector
	run     result.Run
	suites  []string // names of the open suites
	roots   []string // names of the outermost
	seconds float64
	rerun   int
}

func readJUnit(data []byte, c *collector) (*result.Run, error) {
	j := junit{x: newXML(data), c: c}
	for {
		t, err := j.x.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.EndElement:
			j.suites = j.suites[:len(j.suites)-1]
		case xml.StartElement:
			switch t.Name.Local {
			case "testsuites", "testsuite":
				j.open(t)
			case "testcase":
				if err := j.testcase(t); err != nil {
					return nil, err
				}
			case "properties":
				if err := j.properties(nil); err != nil {
					return nil, err
				}
			default: // system-out and whatever else a suite says
				if err := j.x.skip(); err != nil {
					return nil, err
				}
			}
		}
	}
	if j.run.Suite == "" && len(j.roots) == 1 {
		j.run.Suite = j.roots[0]
	}
	if j.rerun > 0 {
		c.warn("%d results are attempts that a rerun replaced", j.rerun)
	}
	j.run.DurationSeconds = max(0, j.seconds)
	c.repeats(&j.run, j.rerun)
	return &j.run, nil
}

// open begins a suite.
func (j *junit) open(e xml.StartElement) {
	name := oneLine(attr(e, "name"), mostName)
	depth := len(j.suites)
	j.suites = append(j.suites, name)
	if e.Name.Local == "testsuites" {
		j.run.Suite = name
	} else if depth == 0 || depth == 1 && j.suites[0] == j.run.Suite {
		j.roots = append(j.roots, name)
	}
	if seconds, ok := number(strings.ReplaceAll(attr(e, "time"), ",", "")); ok && (depth == 0 || depth == 1 && j.seconds == 0) {
		j.seconds = seconds
	}
	if j.run.Timestamp.IsZero() {
		j.run.Timestamp = stamp(attr(e, "timestamp"))
	}
	if j.run.Hostname == "" {
		j.run.Hostname = oneLine(attr(e, "hostname"), mostName)
	}
	switch {
	case name == "pytest":
		j.run.Tool = "pytest"
	case name == "vitest tests":
		j.run.Tool = "vitest"
	case name == "jest tests":
		j.run.Tool = "jest"
	case name == "promptfoo" && e.Name.Local == "testsuites":
		j.run.Tool, j.run.Kind = "promptfoo", "eval"
	case strings.Contains(attr(e, "noNamespaceSchemaLocation"), "surefire"):
		j.run.Tool = "surefire"
	}
}

// properties reads those of a case, or of a suite: there only what a run has a
// member for, because Java writes its whole environment.
func (j *junit) properties(to *figures) error {
	for depth := j.x.depth; j.x.depth >= depth; {
		t, err := j.x.next()
		if err != nil {
			return j.x.early(err)
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "property" {
			continue
		}
		name, value := attr(e, "name"), attr(e, "value")
		inside, err := j.x.text(4 * mostValue)
		if err != nil {
			return err
		}
		if value == "" {
			value = strings.TrimSpace(inside)
		}
		if to != nil {
			to.set(oneLine(name, mostValue), value)
			continue
		}
		value = oneLine(value, mostValue)
		switch name {
		case "git_sha":
			j.run.GitSHA = value
		case "git_branch":
			j.run.GitBranch = value
		case "prompt_sha":
			j.run.PromptSHA = value
		case "label":
			j.run.Label = value
		case "version":
			j.run.AppVersion = value
		}
	}
	return nil
}

// place is the suite that a case belongs to: its class, which in most dialects
// is the file or module, or else the suites around it.
func (j *junit) place(class string) string {
	if class != "" {
		return class
	}
	var names []string
	for i, s := range j.suites {
		if s != "" && !(i == 0 && s == j.run.Suite && len(j.suites) > 1) {
			names = append(names, s)
		}
	}
	return strings.Join(names, " > ")
}
