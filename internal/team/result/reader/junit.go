package reader

import (
	"cmp"
	"encoding/xml"
	"strings"

	"cairn/internal/must"
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

func readJUnit(data []byte, c *collector) *result.Run {
	j := junit{x: newXML(data), c: c}
	for t := j.x.next(); t != nil; t = j.x.next() {
		switch t := t.(type) {
		case xml.EndElement:
			j.suites = j.suites[:len(j.suites)-1]
		case xml.StartElement:
			switch t.Name.Local {
			case "testsuites", "testsuite":
				j.open(t)
			case "testcase":
				j.testcase(t)
			case "properties":
				j.properties(nil)
			default: // system-out and whatever else a suite says
				j.x.skip()
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
	return &j.run
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
	switch tool := map[string]string{"pytest": "pytest", "vitest tests": "vitest", "jest tests": "jest"}[name]; {
	case tool != "":
		j.run.Tool = tool
	case name == "promptfoo" && e.Name.Local == "testsuites":
		j.run.Tool, j.run.Kind = "promptfoo", "eval"
	case strings.Contains(attr(e, "noNamespaceSchemaLocation"), "surefire"):
		j.run.Tool = "surefire"
	}
}

// properties reads those of a case, or of a suite: there only what a run has a
// member for, because Java writes its whole environment.
func (j *junit) properties(to *figures) {
	members := map[string]*string{"git_sha": &j.run.GitSHA, "git_branch": &j.run.GitBranch, "prompt_sha": &j.run.PromptSHA, "label": &j.run.Label, "version": &j.run.AppVersion}
	j.x.each(func(t xml.Token) {
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "property" {
			return
		}
		name, value := attr(e, "name"), attr(e, "value")
		inside := j.x.text(4 * mostValue)
		if value == "" {
			value = strings.TrimSpace(inside)
		}
		if to != nil {
			to.set(oneLine(name, mostValue), value)
		} else if m := members[name]; m != nil {
			*m = oneLine(value, mostValue)
		}
	})
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

// testcase reads one case: the attempts that a rerun replaced, and the one that
// counts.
func (j *junit) testcase(e xml.StartElement) {
	class := oneLine(attr(e, "classname"), mostName)
	r := result.Result{Suite: j.place(class), Name: oneLine(attr(e, "name"), 2*mostName)}
	if r.Name = cmp.Or(r.Name, class); r.Name == "" {
		must.Fail(j.x.say("a testcase without a name"))
	}
	if j.run.Tool == "promptfoo" {
		if provider, prompt, ok := strings.Cut(class, "] "); ok && strings.HasPrefix(provider, "[") {
			r.Suite, r.Variant = "", provider[1:]+" · "+prompt
		}
	}
	if seconds, ok := number(strings.ReplaceAll(attr(e, "time"), ",", "")); ok {
		r.DurationMS = max(0, seconds*1000)
	}
	r.Set(result.Pass)
	if s := attr(e, "status"); s == "notrun" || s == "disabled" || s == "skipped" {
		r.Set(result.Skip) // GoogleTest
	}
	var f figures
	printed := map[string]string{}    // by the name of the element
	var before, after []result.Result // other attempts
	j.x.each(func(t xml.Token) {
		child, ok := t.(xml.StartElement)
		if !ok {
			return
		}
		switch name := child.Name.Local; name {
		case "properties":
			j.properties(&f)
			return
		case "skipped":
			if r.Status == result.Pass {
				r.Set(result.Skip)
			}
			if why := j.why(child); why != noMessage {
				f.say("skip_reason", why)
			}
			return
		case "system-out", "system-err":
			printed[name] = j.x.text(4 * mostMessage)
			return
		case "failure", "error", "flakyFailure", "flakyError", "rerunFailure", "rerunError":
			why := j.why(child)
			to := &r
			switch {
			case strings.HasPrefix(name, "flaky"):
				before = append(before, result.Result{Suite: r.Suite, Name: r.Name, Variant: r.Variant})
				to = &before[len(before)-1]
			case strings.HasPrefix(name, "rerun"):
				after = append(after, result.Result{Suite: r.Suite, Name: r.Name, Variant: r.Variant})
				to = &after[len(after)-1]
			}
			if strings.HasSuffix(strings.ToLower(name), "error") {
				broke(to, why)
			} else if to.Status != result.Error {
				fail(to, why)
			}
			return
		}
		j.x.skip()
	})
	if r.Status == result.Fail || r.Status == result.Error {
		f.say("stdout", printed["system-out"])
		f.say("stderr", printed["system-err"])
	}
	f.apply(&r, j.c)
	j.rerun += len(before) + len(after)
	j.run.Results = append(append(append(j.run.Results, before...), r), after...)
}

// broke says that nothing was judged.
func broke(r *result.Result, why string) {
	r.Set(result.Error)
	r.Error = why
}

func fail(r *result.Result, why string) {
	r.Set(result.Fail)
	if len(r.Failures) < 100 {
		r.Failures = append(r.Failures, result.Failure{Message: why})
	}
}

// why reads a failure's message: the attribute, and the text where that says
// more than a word.
func (j *junit) why(e xml.StartElement) string {
	said := message(attr(e, "message"))
	inside := message(j.x.text(4 * mostMessage))
	switch {
	case said == "":
		said = inside
	case len(said) < 40 && !strings.Contains(inside, said) && inside != "":
		said = message(said + "\n" + inside)
	}
	return cmp.Or(said, message(attr(e, "type")), noMessage)
}

const noMessage = "failed without a message"
