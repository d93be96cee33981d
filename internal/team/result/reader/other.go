package reader

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// What a file is that holds no results of an eval, said so that one knows what
// to do instead. None of these is an attempt at a format.

// otherKinds are JSON files that stand beside results of evals.
var otherKinds = [...]struct {
	has  [3]string
	what string
}{
	{[3]string{"table", "data", "retries"}, "a queue that gstack's sync reads: records that were not sent yet, no results"},
	{[3]string{"authors", "metrics", "window"}, "a retrospective, which gstack's retro reads: commits and sessions, no results of an eval"},
	{[3]string{"projects", "totals", "window"}, "a retrospective over all projects, which gstack's retro reads: no results of an eval"},
	{[3]string{"healthScore", "issues"}, "a QA report, which gstack's qa reads: issues of a site, no results of an eval"},
	{[3]string{"skill", "status", "commit"}, "a log of reviews, which gstack's review and ship read: no results of an eval"},
	{[3]string{"skill", "event"}, "a timeline of skills, which gstack itself reads: no results of an eval"},
	{[3]string{"pr_url", "version", "test_results"}, "a ship log, which gstack's sync reads: it counts the tests of a release without their names, so no results of an eval"},
	{[3]string{"display", "sessionId", "timestamp"}, "a history of prompts, which Claude Code reads: no results of an eval"},
	{[3]string{"runId", "pid", "startedAt"}, "the sign of life of a run, which gstack's eval watch reads: no results yet"},
	{[3]string{"expectations", "name"}, "a test case, not its result: run it first"},
}

func otherJSON(seen members, order []string, list, lines bool) error {
	for _, k := range otherKinds {
		if seen.has(k.has[:]...) {
			return errors.New(k.what)
		}
	}
	for _, name := range order {
		if strings.HasPrefix(name, "https://") && seen[name] == '{' {
			return errors.New("sign-in tokens by server, which gstack's sync reads: no results of an eval, and nothing to pass on")
		}
	}
	if !list && len(order) > 1 && lines {
		return fmt.Errorf("lines of objects with %s; name the columns with --map name=COLUMN,passed=COLUMN", names(order))
	}
	what := "JSON, but no object"
	switch {
	case list && len(order) > 0:
		what = "a JSON list of objects with " + names(order)
	case list:
		what = "a JSON list"
	case len(order) > 0:
		what = "a JSON object with " + names(order)
	case seen != nil && len(seen) == 0:
		what = "a JSON object or value without members"
	}
	return fmt.Errorf("%s, not a known format of results; cairn reads %s", what, Formats)
}

// names lists the first members.
func names(order []string) string {
	const most = 5
	var list []string
	for _, name := range order[:min(most, len(order))] {
		list = append(list, oneLine(name, 30))
	}
	if len(order) > most {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

func otherXML(root string) error {
	switch root {
	case "TestRun":
		return errors.New("a .trx file of Visual Studio; write JUnit XML instead, with the logger junit")
	case "assemblies", "test-run", "testng-results":
		return fmt.Errorf("XML of another test tool (<%s>); have it write JUnit XML", root)
	case "coverage":
		return errors.New("a coverage report (<coverage>), no results of tests")
	}
	return fmt.Errorf("XML with the root <%s>; <testsuites>, <testsuite> (JUnit) and <promptfoo> are read", oneLine(root, 40))
}

func otherHTML(data []byte) error {
	if bytes.Contains(data, []byte("promptfoo")) || bytes.Contains(data, []byte("data-result-row")) {
		return errors.New("promptfoo's HTML report, which is for people and cuts what it shows; write the results with promptfoo eval -o results.json")
	}
	return errors.New("a web page, no results; have the tool write JSON or JUnit XML")
}

func otherText(data []byte) error {
	head := data[:min(len(data), 8192)]
	first, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	switch {
	case bytes.IndexByte(head, 0) >= 0:
		return fmt.Errorf("binary data, not a known format of results; cairn reads %s", Formats)
	case has("=== RUN ") || has("--- PASS: ") || has("--- FAIL: ") || bytes.HasPrefix(first, []byte("ok  \t")):
		return errors.New("go test's text; write the results with go test -json")
	case bytes.Count(first, []byte(" | ")) == 4 && len(first) > 10 && first[4] == '-':
		return errors.New("a history of Greptile's comments, which gstack's ship and review read: no results of an eval")
	case has("expectations:") && has("name:"):
		return errors.New("a test case in YAML, not its result: run it first")
	case has("_partial-e2e.json"), has("e2e-live.json"):
		return errors.New("notes about gstack's running evals, no results; read are the files that they name")
	case has("\ntelemetry:") || has("\nproactive:"):
		return errors.New("settings, which gstack-config reads: no results of an eval")
	case bytes.HasPrefix(first, []byte("TAP version")):
		return errors.New("TAP; have the tool write JUnit XML")
	case has(" passed in ") || has(" failed in ") || has("=== test session starts"):
		return errors.New("pytest's text; write the results with pytest --junitxml=results.xml")
	}
	if columns := header(data); len(columns) > 1 && bytes.Count(bytes.TrimSpace(head), []byte("\n")) > 0 {
		return fmt.Errorf("a table with the columns %s; name the columns with --map name=COLUMN,passed=COLUMN", columnList(columns))
	}
	return fmt.Errorf("text that begins with %q, not a known format of results; cairn reads %s", oneLine(string(first), 40), Formats)
}
