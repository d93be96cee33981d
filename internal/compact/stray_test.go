package compact

import (
	"fmt"
	"strings"
	"testing"
)

// What the tested code prints again and again is counted, whatever stands between:
// the brackets of values, too. Of a stack in it the first own frame stays.
func TestPrintsOfTests(t *testing.T) {
	var b strings.Builder
	b.WriteString("TAP version 13\n1..8\n")
	for i := range 8 {
		fmt.Fprintf(&b, `reply: {
  host: 'http://kettle.example/pot%d',
  kind: 'copper kettle with a lid',
  parts: [
    'lid'
  ]
}
warm false Error: the kettle is cold
    at pour (/home/dev/shop/test/pot.js:14:10)
    at Context.<anonymous> (/home/dev/shop/test/pot.js:%d:7)
    at run (/home/dev/shop/node_modules/mocha/lib/runnable.js:394:21)
----
    at Server.emit (/home/dev/shop/node_modules/supertest/lib/test.js:308:13)
not ok %d pours from pot %d
  expected a warm kettle
  Error: expected a warm kettle
      at Context.<anonymous> (test/pot.js:%d:8)
`, i, 20+i, i+1, i, 20+i)
	}
	b.WriteString("# tests 8\n# pass 0\n# fail 8\n")
	got := reduce("npx mocha -R tap", b.String()).Reduced
	for want, times := range map[string]int{
		"reply: { … ×8\n": 1, "'lid' … ×8\n": 1, "  kind: 'copper kettle with a lid', … ×8\n": 1,
		"pot7'": 1, "pot.js:14:10": 1, "node_modules": 0, "\n Error: expected a warm kettle\n": 1, "\n expected a warm": 0,
		"not ok 1 pours from pot 0\n": 1, "pot.js:21:8 2 pours from pot 1,": 1, ",27:8 8 … 7": 1, "not ok": 1,
	} {
		if n := strings.Count(got, want); n != times {
			t.Errorf("%q is there %d times, not %d", want, n, times)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// Of one message from one line, again and again, the number is enough.
func TestMessageFromItsOwnLine(t *testing.T) {
	var b strings.Builder
	for i := range 5 {
		fmt.Fprintf(&b, "=== RUN   TestLid/%c\n    lid_test.go:12: the lid is loose\n    lid_test.go:15: it fell off pot %d\n--- FAIL: TestLid/%c (0.00s)\n", 'a'+i, i, 'a'+i)
	}
	b.WriteString("FAIL\nFAIL\texample.com/lid\t0.01s\n")
	got := reduce("go test -v ./...", b.String()).Reduced
	if !strings.Contains(got, "    lid_test.go:12: the lid is loose … ×5\n") || strings.Count(got, "it fell off pot") != 5 {
		t.Error(got)
	}
}

// A message that its stack tells once more is shown once, with the kind of the error,
// and a value that goes on below its key keeps the key.
func TestMessagesOfTAP(t *testing.T) {
	got := reduce("npx mocha -R tap", strings.Repeat("ok 1 fine\n", 40)+`not ok 41 pot strings
  Expected values to be strictly equal:
  + actual - expected

  + 'a copper kettle'
  - 'a steel kettle'
       ^
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  + actual - expected

  + 'a copper kettle'
  - 'a steel kettle'
       ^
      at Context.<anonymous> (test/pot.js:5:32)
not ok 42 pot throws
  the object {
    "code": 5
  } was thrown
  Error: the object {
    "code": 5
  } was thrown
      at process.processImmediate (node:internal/timers:483:21)
not ok 43 - pot > sides # time=26.74ms
    ---
    error:
        name: "AssertionError"
        message: "expected { … } to deeply equal { … }"
    at: "/home/dev/shop/test/pot.js:9:91"
    actual: "{
  \"lid\": 1,
}"
    expected: "{
  \"lid\": 2,
}"
    ...
`).Reduced
	for want, times := range map[string]int{
		"AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:": 1, "Expected values": 1, "'a copper kettle'": 1,
		"Error: the object {": 1, "the object": 1, `"code": 5`: 1, "} was thrown": 1, "test/pot.js:5:32": 1,
		"actual: \"{\n": 1, "expected: \"{\n": 1, `\"lid\": 1`: 1, `\"lid\": 2`: 1, "to deeply equal": 1,
	} {
		if n := strings.Count(got, want); n != times {
			t.Errorf("%q is there %d times, not %d", want, n, times)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// Where several expectations of an example failed in one place, it is named once.
func TestExpectationsOfOnePlace(t *testing.T) {
	got := reduce("rspec", `F

Failures:

  1) Kettle has a lid
     Got 2 failures:

     1.1) Failure/Error: expect(kettle.lid).to eq(want)

            expected: "steel"
                 got: "copper"

            (compared using ==)
          # ./spec/kettle_spec.rb:14:in `+"`block (3 levels) in <top (required)>'"+`

     1.2) Failure/Error: expect(kettle.lid).to eq(want)

            expected: "tin"
                 got: "zinc"

            (compared using ==)
          # ./spec/kettle_spec.rb:14:in `+"`block (3 levels) in <top (required)>'"+`

Finished in 0.01 seconds (files took 0.1 seconds to load)
1 example, 1 failure
`)
	holds(t, got, 12, "1.1) Failure/Error", "1.2) Failure/Error", `expected: "steel"`, `got: "copper"`, `expected: "tin"`, `got: "zinc"`)
	if strings.Count(got.Reduced, "kettle_spec.rb:14") != 1 {
		t.Error(got.Reduced)
	}
}

// Of what a failed test printed on and on, both ends are enough.
func TestLongPrintsOfAFailedTest(t *testing.T) {
	in := "=== RUN   TestPour\n"
	for i := range 50 {
		in += fmt.Sprintf("poured cup %d\n", i)
	}
	got := reduce("go test -v ./...", in+"    pot_test.go:9: pot is empty\n--- FAIL: TestPour (0.00s)\nFAIL\nFAIL\texample.com/pot\t0.01s\n")
	holds(t, got, 20, "poured cup 0\n", "poured cup 49\n", "pot_test.go:9: pot is empty", "--- FAIL: TestPour")
}
