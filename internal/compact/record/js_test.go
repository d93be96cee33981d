package record

import (
	"fmt"
	"strings"
	"testing"
)

type jsOutput struct {
	name, parser, in string
	want, not        []string
}

// jsOutputs are small outputs with what a reader must and must not see.
var jsOutputs = []jsOutput{
	{"jest tells a failure once", "jest", `FAIL a/x.test.js
  ● sum › adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 99
    Received: 18

      2 | describe
    > 4 |   expect(sum()).toBe(99);
        |                 ^
      5 |

      at Object.toBe (a/x.test.js:4:86)
      at run (node_modules/jest-circus/build/run.js:3:1)

PASS a/y.test.js

Summary of all failing tests
FAIL a/x.test.js
  ● sum › adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 99
    Received: 18

Test Suites: 1 failed, 1 passed, 2 total
Time:        1 s
`, []string{"FAIL a/x.test.js", "Expected: 99", "a/x.test.js:4:86", "Test Suites: 1 failed"}, []string{"PASS", "jest-circus", "Time:", "> 4 |", "  5 |"}},

	{"jest: one reason in two files", "jest", `FAIL a.test.js
  ● Test suite failed to run

    Cannot find module './tax' from 'src/i.js'

    Require stack:
      src/i.js
      a.test.js

      at Object.require (src/i.js:4:17)
      at Object.require (a.test.js:1:1)

FAIL b.test.js
  ● Test suite failed to run

    Cannot find module './tax' from 'src/i.js'

    Require stack:
      src/i.js
      b.test.js

      at Object.require (src/i.js:4:17)
      at Object.require (b.test.js:1:1)
`, []string{"FAIL a.test.js", "Require stack:", "src/i.js:4:17"}, []string{"b.test.js"}},

	{"jest's advice", "jest", `FAIL a.test.js
  ● Test suite failed to run

    Jest encountered an unexpected token

    Here's what you can do:
     • If you are trying to use TypeScript, see https://jestjs.io

    Details:

    SyntaxError: /home/dev/a.test.js: Unexpected token (1:10)

    > 1 | const x = ;
        |           ^

      at constructor (node_modules/@babel/parser/src/parse-error.ts:96:45)
`, []string{"unexpected token", "Unexpected token (1:10)", "> 1 | const x = ;"}, []string{"TypeScript", "node_modules"}},

	{"jest cut by grep", "jest", "FAIL a/x.test.js\nPASS a/y.test.js\nTests:       1 failed, 1 total\n",
		[]string{"FAIL a/x.test.js", "Tests: "}, []string{"PASS"}},

	{"jest rows without their failures", "jest", "    ✓ adds (1 ms)\n    ✕ subtracts (2 ms)\n", []string{"✕ subtracts"}, []string{"adds"}},

	{"jest: snapshots, thresholds, coverage", "jest", ` › 1 snapshot obsolete.
----------|---------|----------|---------|---------|-------------------
File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s 
----------|---------|----------|---------|---------|-------------------
All files |   58.33 |       75 |   57.14 |   66.66 |                   
 cart.js  |   58.33 |       75 |   57.14 |   66.66 | 5-6               
----------|---------|----------|---------|---------|-------------------
Jest: "global" coverage threshold for lines (99%) not met: 66.66%
> shop@1.0.0 test
> jest
npm error Lifecycle script ` + "`test`" + ` failed with error:
npm error code 1
`, []string{"1 snapshot obsolete", "File | % Stmts", "All files", "not met: 66.66%"}, []string{"cart.js", "npm error", "> jest"}},

	{"jest's console blocks", "jest", `  console.log
    total 12

      at Object.log (a.test.js:6:61)

  console.log
    total 13

      at Object.log (a.test.js:6:61)

  console.error
    Warning: act is missing

      4 | x
    > 6 | y
        | ^

      at Object.error (a.test.js:9:93)

PASS a.test.js
`, []string{"total 12", "total 13", "Warning: act", "a.test.js:9:93"}, []string{"a.test.js:6:61", "> 6 | y"}},

	{"vitest", "vitest", ` RUN  v3.2.4 /home/dev/shop

 ❯ a.test.ts (2 tests | 2 failed) 16ms
   × cart > adds 9ms
     → expected 2 to be 3 // Object.is equality
second line of the reason
 FAIL  a.test.ts > cart > adds
 FAIL  a.test.ts > cart > sums
AssertionError: expected 2 to be 3 // Object.is equality

- Expected
+ Received

- 3
+ 2

 ❯ a.test.ts:5:79
      3|   it('other test');
      5|   it('adds', () => { expect(2).toBe(3);
       |                                ^
 ❯ run node_modules/vitest/dist/x.js:1:1

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/2]⎯

⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯

Vitest caught 1 unhandled error during the test run.
This might cause false positive tests. Resolve unhandled errors.

⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯
Error: nobody waits
 ❯ b.test.ts:2:33
This error originated in "b.test.ts" test file.
- The error was thrown, while Vitest was running this test.
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯

 Test Files  1 failed (1)
      Tests  2 failed (2)
   Start at  20:28:55
`, []string{"cart > adds", "cart > sums", "expected 2 to be 3", "a.test.ts:5:79", "caught 1 unhandled", "Unhandled Rejection", "b.test.ts:2:33", "originated in", "Tests  2 failed"},
		[]string{"×", "→", "second line", "RUN", "other test", "node_modules", "false positive", "- The error", "Start at"}},

	{"vitest finds nothing", "vitest", "\nNo test files found, exiting with code 1\n\nfilter: x\n", []string{"No test files found"}, nil},

	{"mocha", "mocha", `
  cart
    ✔ adds
    1) throws
{ printed: 'by the test' }
    2) totals

  1 passing (4ms)
  2 failing

  1) cart
       throws:
     Error: first line
second line
      at add (lib/cart.js:3:38)
      at Context.<anonymous> (test/cart.js:7:35)
      at process.processImmediate (node:internal/timers:483:21)

  2) cart
       totals:

      AssertionError: expected 2 to equal 3
      + expected - actual

      -2
      +3

      at Context.<anonymous> (test/cart.js:9:35)

npm error code 2
`, []string{"1 passing", "2 failing", "throws:", "second line", "lib/cart.js:3:38", "test/cart.js:7:35", "expected 2 to equal 3", "test/cart.js:9:35"},
		[]string{"1) throws", "✔", "processImmediate", "npm error"}},

	{"mocha killed before its list", "mocha", "  cart\n    ✔ adds\n    1) throws\n", []string{"1) throws"}, []string{"✔"}},

	{"node's spec reporter", "nodetest", `▶ cart
  ✔ adds (1ms)
  ✖ throws (2ms)
    TypeError: no price
        at add (/home/dev/cart.js:3:38)

  ✖ later (2ms) # TODO
    AssertionError: not yet

✖ cart (3ms)
ℹ tests 3
ℹ pass 1
ℹ fail 1
ℹ skipped 0
ℹ duration_ms 12.5

✖ failing tests:

test at cart.test.js:5:3
✖ throws (2ms)
  TypeError: no price
      at add (/home/dev/cart.js:3:38)
      at Test.run (node:internal/test_runner/test:796:25) {
    code: 'ERR_ASSERTION',
    actual: 1,
    operator: '=='
  }
`, []string{"ℹ tests 3", "ℹ fail 1", "test at cart.test.js:5:3", "  TypeError: no price", "cart.js:3:38", "actual: 1"},
		[]string{"    TypeError", "not yet", "ERR_ASSERTION", "operator", "skipped", "test_runner"}},

	{"node cut before its list", "nodetest", "  ✖ throws (2ms)\n    TypeError: no price\n", []string{"✖ throws", "no price"}, nil},

	{"node's TAP", "nodetest", `TAP version 13
# Subtest: cart
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 1.1
      ...
    # Subtest: throws
    not ok 2 - throws
      ---
      duration_ms: 1.7
      location: '/home/dev/cart.test.js:5:3'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly deep-equal:
        + actual - expected

        + 1
        - 2
      expected:
        0: 2
      stack: |-
        TestContext.<anonymous> (file:///home/dev/cart.test.js:5:59)
        Test.run (node:internal/test_runner/test:796:25)
      ...
    1..2
not ok 1 - cart
  ---
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# tests 2
# pass 1
# fail 1
`, []string{"not ok 2 - throws", "location:", "+ 1", "cart.test.js:5:59", "# fail 1"},
		[]string{"ok 1 - adds", "duration", "0: 2", "test_runner", "not ok 1 - cart", "subtest failed"}},

	{"a file that node cannot load", "nodetest", `TAP version 13
# SyntaxError: no export named 'lookup'
#     at async ModuleJob.run (node:internal/modules/esm/module_job:320:5)
# Subtest: /home/dev/a.test.js
not ok 1 - /home/dev/a.test.js
  ---
  error: 'test failed'
  ...
`, []string{"no export named 'lookup'", "not ok 1"}, []string{"# Subtest"}},

	{"tape", "tap", `TAP version 13
# arithmetic
ok 1 adds
not ok 2 multiplies
  ---
    operator: equal
    expected: 5
    actual:   4
    at: Test.<anonymous> (/home/dev/a.js:2:58)
  ...
# quiet
ok 3 fine

1..3
# tests 3
# pass  2
# fail  1
`, []string{"# arithmetic", "not ok 2", "expected: 5", "a.js:2:58", "# fail  1"}, []string{"operator", "quiet", "ok 1", "1..3"}},

	{"bats and Perl explain below", "tap", `1..2
ok 1 adds
not ok 2 subtracts
# (in test file a.bats, line 7)
#   '[ "$r" -eq 5 ]' failed
ok 3 later # SKIP no net
not ok 4 - known # TODO some day
Bail out! no disk
`, []string{"not ok 2", "a.bats, line 7", "-eq 5", "Bail out!"}, []string{"SKIP", "TODO"}},

	{"vitest's TAP", "vitest", `TAP version 13
1..1
not ok 1 - a.test.ts # time=24ms {
    1..1
    not ok 1 - deep # time=33ms
        ---
        error:
            name: "AssertionError"
            message: "expected
Number of calls: 1
"
        at: "/home/dev/a.test.ts:6:101"
        ...
}
`, []string{"not ok 1 - deep", "Number of calls", "a.test.ts:6:101"}, []string{"time=24ms {"}},
}

func TestJavaScriptRunners(t *testing.T) { runJSOutputs(t, jsOutputs) }

func runJSOutputs(t *testing.T, outputs []jsOutput) {
	for _, tt := range outputs {
		t.Run(tt.name, func(t *testing.T) {
			got := kept(parse(t, tt.parser, tt.in))
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("lost %q", w)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(got, w) {
					t.Errorf("kept %q", w)
				}
			}
			if t.Failed() {
				t.Log("kept:\n" + got)
			}
			scramble(t, tt.parser, tt.in)
		})
	}
}

// The end of mocha's list is read as the list, though its beginning is missing;
// a tree with a failed test at its root is no list.
func TestMochaEnd(t *testing.T) {
	one := func(n, title, at string) string {
		return "  " + n + ") till\n       " + title + ":\n     Error: no change\n      at Context.<anonymous> (" + at + ")\n\n"
	}
	got := parse(t, "mocha", one("7", "gives back", "test/till.js:3:5")+one("8", "counts", "test/till.js:9:5"))
	var sites []string
	for _, r := range got {
		if r.Class == Failure {
			sites = append(sites, r.Site)
		}
	}
	if strings.Join(sites, "; ") != "test/till.js:3:5; test/till.js:9:5 8) till › counts" {
		t.Errorf("%q", sites)
	}
	for _, in := range []string{"  1) counts\n  ✔ gives back\n\n  1 passing (3ms)\n  1 failing\n\n", "  1) counts\n    2) gives back\n\n  0 passing (3ms)\n  2 failing\n\n"} {
		if got := kept(parse(t, "mocha", in+one("1", "counts", "test/till.js:3:5"))); strings.Count(got, "counts") != 1 {
			t.Errorf("got:\n%s", got)
		}
	}
}

func TestFaultsOfOneMessage(t *testing.T) {
	var in strings.Builder
	in.WriteString("  40 failing\n\n")
	for i := range 40 {
		n := string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		in.WriteString("  1) " + n + ":\n     Error: connect 127.0.0.1:" + strings.Repeat("4", 1+i) + "\n      at f (test/" + n + ".js:3:5)\n\n")
	}
	keys := map[string]int{}
	for _, r := range parse(t, "mocha", in.String()) {
		if r.Class == Failure {
			keys[r.Key]++
			if r.Site == "" {
				t.Errorf("no site: %v", r.Lines)
			}
		}
	}
	if len(keys) != jsLike+1 {
		t.Errorf("%d kinds of faults, want %d told apart and the rest as one", len(keys), jsLike)
	}
}

func TestLongDiffLosesItsContext(t *testing.T) {
	var in strings.Builder
	in.WriteString(" FAIL  a.test.ts > x\nAssertionError: not equal\n\n- Expected\n+ Received\n\n")
	for i := range 80 {
		if i == 50 {
			in.WriteString("-   old\n+   new\n")
		}
		in.WriteString("    same " + string(rune('a'+i%26)) + "\n")
	}
	got := kept(parse(t, "vitest", in.String()))
	if n := strings.Count(got, "same"); n == 0 || n > 8 || !strings.Contains(got, "+   new") {
		t.Errorf("kept %d unchanged lines of\n%s", n, got)
	}
}

// Of a test in suites within braces, as vitest's TAP has them, the file is named, too; and
// where its lines for GitHub are all that there is, they tell what failed.
func TestVitestNamesFiles(t *testing.T) {
	var tap, marks strings.Builder
	tap.WriteString("TAP version 13\n1..3\n")
	for i, f := range []string{"cart", "shop", "tax"} {
		fmt.Fprintf(&tap, "not ok %d - test/%s.test.js # time=9ms {\n    1..1\n    not ok 1 - %[2]s # time=8ms {\n        1..2\n        ok 1 - is fine # time=1ms\n        not ok 2 - is negative # time=2ms\n            ---\n            error:\n                name: \"RangeError\"\n                message: \"negative price\"\n            at: \"/srv/src/price.js:2:20\"\n            ...\n    }\n}\n", i+1, f)
		fmt.Fprintf(&marks, "\n::error file=/srv/src/price.js,title=test/%s.test.js > %[1]s > is negative,line=2,column=20::RangeError: negative price%%0A ❯ price src/price.js:2:20%%0A ❯ test/%[1]s.test.js:5:41%%0A%%0A\n", f)
	}
	for _, in := range []string{tap.String(), marks.String()} {
		got := fmt.Sprint(parse(t, "vitest", in))
		for _, want := range []string{"test/cart.test.js > cart", "is negative", "negative price", "price.js:2:20", "test/shop.test.js", "test/tax.test.js"} {
			if !strings.Contains(got, want) {
				t.Errorf("lost %s:\n%s", want, got)
			}
		}
	}
	both := " FAIL  test/cart.test.js > cart > is negative\nRangeError: negative price\n ❯ test/cart.test.js:5:41\n\n" + marks.String()
	if got := strings.Join(shown(parse(t, "vitest", both), Keep, Failure), "\n"); strings.Contains(got, "test/tax.test.js") {
		t.Errorf("told twice:\n%s", got)
	}
	if got := fmt.Sprint(parse(t, "playwright", marks.String())); !strings.Contains(got, "test/tax.test.js") {
		t.Errorf("playwright:\n%s", got)
	}
}
