package compact

import (
	"fmt"
	"strings"
	"testing"
)

// A report of a test runner is told as the runner tells it people: of each test that
// failed its name, its message and the frames of the project; then the totals.
func TestReportsOfTestRunners(t *testing.T) {
	const many = 2600 // more than are held
	name := func(i int) string { return fmt.Sprintf("Kettle boils pot %d", i) }
	said := func(i int) string { return fmt.Sprintf("expected %d to be \"warm\"", i*37) }
	stack := func(i int) string {
		return fmt.Sprintf("AssertionError: %s\n\n\u001b[32m- warm\u001b[39m\n\u001b[31m+ cold\u001b[39m\n    at pour (/home/dev/shop/test/pot.js:%d:9)\n    at run (/home/dev/shop/node_modules/mocha/lib/runnable.js:394:21)", said(i), 1000+i)
	}
	failed := func(i int) bool { return i%500 == 123 }
	each := func(one func(i int, failed bool) object) (all []object) {
		for i := range many {
			if o := one(i, failed(i)); o != nil {
				all = append(all, o)
			}
		}
		return all
	}
	status := func(failed bool) string { return map[bool]string{true: "failed", false: "passed"}[failed] }
	mocha := func(only bool) []object {
		return each(func(i int, failed bool) object {
			o := object{"title": name(i), "fullTitle": name(i), "file": "/home/dev/shop/test/pot.js", "duration": 1, "speed": "fast", "err": object{}}
			if failed {
				o["err"] = object{"message": said(i), "stack": stack(i), "showDiff": true, "actual": "cold", "expected": "warm"}
			} else if only {
				return nil
			}
			return o
		})
	}
	for command, doc := range map[string]object{
		"npx vitest run --reporter=json": {"numTotalTests": many, "numFailedTests": 6, "numPassedTests": many - 6, "numPendingTests": 0, "success": false,
			"testResults": []object{
				{"name": "/home/dev/shop/test/pot.js", "status": "failed", "message": "", "assertionResults": each(func(i int, failed bool) object {
					o := object{"ancestorTitles": []string{"Kettle"}, "fullName": name(i), "title": name(i), "status": status(failed), "failureMessages": []string{}, "meta": object{}}
					if failed {
						o["failureMessages"] = []string{stack(i)}
					}
					return o
				})},
				{"name": "/home/dev/shop/test/lid.js", "status": "failed", "message": "Cannot find module './hinge'", "assertionResults": []object{}},
			}},
		"npx mocha -R json": {"stats": object{"suites": 1, "tests": many, "passes": many - 6, "failures": 6, "pending": 0, "start": "2026-03-04T10:00:00.000Z", "duration": 400},
			"tests": mocha(false), "pending": []object{}, "failures": mocha(true), "passes": []object{}},
		"npx playwright test --reporter=json": {"config": object{"workers": 2}, "errors": []object{{"message": "Error: Cannot find module './hinge'"}}, "stats": object{"expected": many - 6, "unexpected": 6, "flaky": 0},
			"suites": []object{{"title": "pot.spec.js", "file": "pot.spec.js", "suites": []object{{"title": "Kettle", "specs": each(func(i int, failed bool) object {
				result := object{"status": status(failed), "retry": 0, "errors": []object{}}
				if failed {
					result["error"] = object{"message": said(i), "stack": stack(i)}
				}
				return object{"title": name(i), "ok": !failed, "file": "pot.spec.js", "line": i, "column": 3, "tests": []object{{"projectName": "chromium",
					"status": map[bool]string{true: "unexpected", false: "expected"}[failed], "results": []object{result, result}}}}
			})}}}}},
	} {
		for format := range 2 {
			text := written(format, doc)
			got := Compact(Envelope{Command: command, CombinedText: text}, Options{Level: Normal}).Reduced
			want := []string{fmt.Sprint(many - 6)}
			if !strings.Contains(command, "mocha") {
				want = append(want, "Cannot find module './hinge'")
			}
			for i := range many {
				if failed(i) {
					want = append(want, name(i), said(i), fmt.Sprintf("test/pot.js:%d:9", 1000+i))
				}
			}
			for _, w := range want {
				if !strings.Contains(got, w) {
					t.Errorf("%s, format %d: lost %q", command, format, w)
				}
			}
			if len(got) > 2200 || strings.Contains(got, "\u001b") || strings.Contains(got, "node_modules") || strings.Contains(got, name(4)+`"`) {
				t.Errorf("%s, format %d: %d of %d", command, format, len(got), len(text))
			}
			if t.Failed() {
				t.Fatalf("%.4000s", got)
			}
		}
	}
}

// What the runner told people beside its report is not told twice, and both sides of
// a comparison stand below the message that shortens them.
func TestReportBesideItsText(t *testing.T) {
	stack := "AssertionError: expected { lid: { … }, …(1) } to deeply equal { lid: { … }, …(1) }\n    at Context.<anonymous> (test/pot.js:9:65)"
	side := func(n int) string {
		return fmt.Sprintf("{\n  \"kind\": \"copper\"\n  \"lid\": {\n    \"turns\": %d\n  }\n}", n)
	}
	doc := object{"stats": object{"tests": 1, "failures": 1}, "passes": []object{}, "failures": []object{{"fullTitle": "Kettle has a lid", "file": "/home/dev/shop/test/pot.js",
		"err": object{"message": strings.Split(stack[len("AssertionError: "):], "\n")[0], "stack": stack, "actual": side(2), "expected": side(3)}}},
		"pending": []object{}, "tests": strings.Repeat("kettle ", 300)}
	got := reduce("npx mocha -R json", written(1, doc)).Reduced
	holds(t, Result{Reduced: got}, 12, "to deeply equal", "-    \"turns\": 2\n", "+    \"turns\": 3\n", "test/pot.js:9:65", "failures 1")
	if strings.Contains(got, "copper") {
		t.Error(got)
	}

	text := "FAIL test/pot.test.js\n  ● Kettle › boils\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 100\n    Received: 40\n\n      at Object.toBe (test/pot.test.js:3:73)\n\nTests:       1 failed, 1 total\n"
	jest := object{"numTotalTests": 1, "numFailedTests": 1, "testResults": []object{{"name": "/home/dev/shop/test/pot.test.js", "status": "failed", "message": strings.Repeat("kettle ", 300), "assertionResults": []object{
		{"fullName": "Kettle boils", "status": "failed", "failureMessages": []string{"Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 100\nReceived: 40\n    at Object.toBe (/home/dev/shop/test/pot.test.js:3:73)"}}}}}}
	for _, in := range []string{text + written(0, jest), written(0, jest) + "\n" + text, written(0, jest)} {
		got := reduce("npx jest --json 2>&1", in).Reduced
		if strings.Count(got, "Received: 40") != 1 || strings.Count(got, "pot.test.js:3:73") != 1 || !strings.Contains(got, "numFailedTests 1") {
			t.Error(got)
		}
	}
}
