package compact

import (
	"fmt"
	"strings"
	"testing"
)

type object = map[string]any

// A report has many entries that are fine, or findings; of each that fails, or
// of each finding, its file, its line and what it says are in the result.
func TestReportersSayEachFailure(t *testing.T) {
	file := func(i int) string { return fmt.Sprintf("/home/dev/shop/src/area%d/mod%d.ts", i%5, i%23) }
	line := func(i int) int { return 11 + i*7 }
	message := func(i int) string {
		return []string{"'tmp%d' is assigned a value but never used", "Expected tally %d to be closed", "Line %d is too long"}[i%3]
	}
	said := func(i int) string { return fmt.Sprintf(message(i), i) }
	rule := func(i int) string { return []string{"unused", "closed", "length"}[i%3] }
	findings := func(each func(i int) object) []object {
		var all []object
		for i := range 150 {
			all = append(all, each(i))
		}
		return all
	}
	padding := strings.Repeat("const x = 1;\\n", 30)
	tests := func(each func(i int, failed bool) object) []object {
		var all []object
		for i := range 200 {
			all = append(all, each(i, i%25 == 7))
		}
		return all
	}
	state := func(failed bool, yes, no string) string {
		if failed {
			return yes
		}
		return no
	}
	fail := func(i int, failed bool) []string {
		if !failed {
			return []string{}
		}
		return []string{fmt.Sprintf("Error: \u001b[31m%s\u001b[39m\n    at Object.x (%s:%d:5)\n    at run (/home/dev/node_modules/jest/run.js:4:5)\n    at go (/home/dev/node_modules/jest/run.js:5:5)", said(i), file(i), line(i))}
	}
	reports := []struct {
		name, command string
		doc           any
		lines         bool
		tests         bool
	}{
		{"eslint", "npx eslint -f json .", func() any {
			byFile := map[string][]object{}
			for i := range 150 {
				byFile[file(i)] = append(byFile[file(i)], object{"ruleId": rule(i), "severity": 1 + i%2, "message": said(i), "line": line(i), "column": 3, "nodeType": "Identifier", "endLine": line(i), "endColumn": 9})
			}
			var all []object
			for f, m := range byFile {
				all = append(all, object{"filePath": f, "messages": m, "suppressedMessages": []any{}, "errorCount": len(m), "warningCount": 0, "source": padding, "usedDeprecatedRules": []any{}})
			}
			return all
		}(), false, false},
		{"pylint", "pylint --output-format json src", findings(func(i int) object {
			return object{"type": "warning", "module": "shop", "obj": "run", "line": line(i), "column": 4, "endLine": nil, "path": file(i), "symbol": rule(i), "message": said(i), "message-id": "W0612"}
		}), false, false},
		{"mypy", "mypy --output json .", findings(func(i int) object {
			return object{"file": file(i), "line": line(i), "column": 4, "message": said(i), "hint": nil, "code": rule(i), "severity": "error"}
		}), true, false},
		{"ruff", "ruff check --output-format json", findings(func(i int) object {
			return object{"cell": nil, "code": rule(i), "end_location": object{"column": 9, "row": line(i)}, "filename": file(i), "fix": nil, "location": object{"column": 3, "row": line(i)}, "message": said(i), "noqa_row": line(i), "url": "https://docs.example.com"}
		}), false, false},
		{"golangci-lint", "golangci-lint run --out-format json", object{"Issues": findings(func(i int) object {
			return object{"FromLinter": rule(i), "Text": said(i), "Severity": "", "SourceLines": []string{"\tx := 1"}, "Pos": object{"Filename": file(i), "Offset": 4, "Line": line(i), "Column": 2}}
		}), "Report": object{"Linters": []object{{"Name": "govet", "Enabled": true}}}}, false, false},
		{"SARIF", "scan --format sarif", object{"version": "2.1.0", "runs": []object{{"tool": object{"driver": object{"name": "scan"}}, "results": findings(func(i int) object {
			return object{"ruleId": rule(i), "level": "error", "message": object{"text": said(i)}, "locations": []object{{"physicalLocation": object{"artifactLocation": object{"uri": file(i)}, "region": object{"startLine": line(i), "startColumn": 3}}}}}
		})}}}, false, false},
		{"go vet", "go vet -json ./...", object{"example.com/shop": object{"printf": findings(func(i int) object {
			return object{"posn": fmt.Sprintf("%s:%d:3", file(i), line(i)), "message": said(i)}
		})}}, false, false},
		{"cargo", "cargo build --message-format=json", findings(func(i int) object {
			return object{"reason": "compiler-message", "package_id": "shop 0.1.0", "target": object{"kind": []string{"bin"}, "name": "shop"}, "message": object{"rendered": "error: " + said(i) + "\n --> " + file(i), "level": "error", "message": said(i), "code": object{"code": "E0308"},
				"spans": []object{{"file_name": file(i), "line_start": line(i), "column_start": 4, "is_primary": true}}, "children": []any{}}}
		}), true, false},
		{"unknown", "./house-lint --as json", object{"summary": object{"n": 150}, "problems": findings(func(i int) object {
			return object{"where": object{"path": file(i)}, "position": object{"path": file(i), "line": line(i)}, "text": said(i), "weight": 3}
		})}, false, false},
		{"jest", "npx jest --json", object{"numFailedTests": 8, "success": false, "testResults": []object{{"name": "/home/dev/a.test.js", "status": "failed", "message": "", "assertionResults": tests(func(i int, failed bool) object {
			return object{"ancestorTitles": []string{"Cart"}, "duration": i % 7, "failureMessages": fail(i, failed), "fullName": fmt.Sprintf("Cart case %d", i), "location": nil, "status": state(failed, "failed", "passed"), "title": fmt.Sprintf("case %d", i)}
		})}}}, false, true},
		{"pytest", "pytest --json-report --json-report-file=/dev/stdout", object{"exitcode": 1, "summary": object{"failed": 8, "passed": 192}, "tests": tests(func(i int, failed bool) object {
			o := object{"nodeid": fmt.Sprintf("tests/test_cart.py::test_%d", i), "lineno": line(i), "outcome": state(failed, "failed", "passed"), "keywords": []string{"test_cart.py"}, "setup": object{"duration": .01, "outcome": "passed"}}
			call := object{"duration": .02, "outcome": state(failed, "failed", "passed")}
			if failed {
				call["crash"] = object{"path": file(i), "lineno": line(i), "message": "AssertionError: " + said(i)}
				call["longrepr"] = "def test():\n>       assert 1 == 2\nE       " + said(i)
			}
			o["call"] = call
			return o
		})}, false, true},
		{"rspec", "rspec -f json", object{"version": "3.13", "examples": tests(func(i int, failed bool) object {
			o := object{"id": fmt.Sprintf("./spec/cart_spec.rb[1:%d]", i), "description": fmt.Sprintf("case %d", i), "full_description": fmt.Sprintf("Cart case %d", i), "status": state(failed, "failed", "passed"), "file_path": file(i), "line_number": line(i), "run_time": .001, "pending_message": nil}
			if failed {
				o["exception"] = object{"class": "RSpec::Expectations::ExpectationNotMetError", "message": said(i), "backtrace": []string{file(i) + ":9:in `block'"}}
			}
			return o
		}), "summary": object{"example_count": 200, "failure_count": 8}, "summary_line": "200 examples, 8 failures"}, false, true},
	}
	exit := 1
	for _, r := range reports {
		for format := range 2 {
			text := written(format, r.doc)
			if r.lines {
				text = ""
				for _, o := range r.doc.([]object) {
					text += written(0, o) + "\n"
				}
			}
			res := Compact(Envelope{Command: r.command, CombinedText: text, ExitCode: &exit}, Options{Level: Normal})
			lost, first := 0, ""
			for i := range 200 {
				if r.tests && i%25 != 7 || !r.tests && i >= 150 {
					continue
				}
				if want := fmt.Sprintf("%s:%d: %s", file(i), line(i), said(i)); !r.tests && !Shows(res.Reduced, want) {
					lost++
					first = want
				}
				for _, want := range []string{said(i), fmt.Sprint(line(i)), file(i)} {
					if r.tests && !strings.Contains(res.Reduced, strings.ReplaceAll(want, "\"", "\\\"")) {
						lost++
						first = want
					}
				}
			}
			if lost > 0 || len(res.Reduced)*4 > len(text)*3 {
				t.Errorf("%s, format %d: %d of what fails is lost, as %q, and %d bytes are left of %d:\n%.1500s", r.name, format, lost, first, len(res.Reduced), len(text), res.Reduced)
			} else {
				t.Logf("%s: %d of %d", r.name, len(res.Reduced), len(text))
			}
		}
	}
}

// Of tests that passed a report's number is enough; one that tells of trouble is
// shown, whatever it says of itself.
func TestReportersCountWhatPassed(t *testing.T) {
	var small, large []object
	for i := range 60 {
		one := object{"name": fmt.Sprintf("brews pot %d", i), "status": "passed", "messages": []string{}}
		if i == 3 {
			one["status"], one["messages"] = "failed", []string{"Error: pot 3 is cold"}
		}
		if large = append(large, one); i < 5 {
			small = append(small, one)
		}
	}
	for name, doc := range map[string]any{"small": small, "large": object{"tests": large, "duration": 3}} {
		text := written(1, doc)
		got := Compact(Envelope{Command: "npx brew --reporter json", CombinedText: text}, Options{Level: Normal}).Reduced
		if !strings.Contains(got, "brews pot 3") || !strings.Contains(got, "pot 3 is cold") || strings.Contains(got, "brews pot 2\"") && len(got) < len(text) || name == "large" && len(got) > 700 {
			t.Errorf("%s: %d of %d:\n%s", name, len(got), len(text), got)
		}
	}
}

// What Python could not compile is shown; of the rest the number.
func TestCompileAll(t *testing.T) {
	in := "Listing 'shop'...\n"
	for i := range 30 {
		in += fmt.Sprintf("Compiling 'shop/m%d.py'...\n", i)
	}
	bad := "***   File \"shop/till.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n"
	res := reduce("python3 -m compileall shop", in+"Compiling 'shop/till.py'...\n"+bad+"\n")
	if !strings.Contains(res.Reduced, bad) || !strings.Contains(res.Reduced, "31 files compiled") || strings.Contains(res.Reduced, "m3.py") {
		t.Error(res.Reduced)
	}
}
