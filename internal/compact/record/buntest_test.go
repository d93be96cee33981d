package record

import "testing"

func TestBunAndDeno(t *testing.T) {
	runJSOutputs(t, []jsOutput{
		{"bun: the fault stands above its test", "buntest", `bun test v1.4.5 (a7733435c)

b/a.test.ts:
(pass) cart > adds up case 4
printed by a test
6 |     const sum = total([{ count: 3 }]);
7 |     expect(sum).toBe(20);
                    ^
error: expect(received).toBe(expected)

Expected: 20
Received: 21

      at <anonymous> (/home/dev/larder/b/a.test.ts:7:17)
(fail) cart > wrong sum [0.19ms]
(fail) cart > slow [200.26ms]
  ^ this test timed out after 200ms.
(skip) cart > later

b/broken.test.ts:

# Unhandled error between tests
-------------------------------
error: Cannot find module '../lost.ts' from '/home/dev/larder/b/broken.test.ts'
-------------------------------


2 tests failed:
(fail) cart > wrong sum [0.19ms]
(fail) cart > slow [200.26ms]
  ^ this test timed out after 200ms.

 36 pass
 2 fail
 38 expect() calls
Ran 44 tests across 5 files. [214.00ms]
`, []string{"Expected: 20", "a.test.ts:7:17", "(fail) cart > wrong sum", "(fail) cart > slow", "timed out after 200ms", "# Unhandled error", "'../lost.ts'", " 2 fail", "Ran 44 tests"}, []string{"case 4", "6 |", "7 |", "later", "expect() calls", "tests failed:"}},

		{"bun: only the end", "buntest", `2 tests failed:
(fail) cart > wrong sum [0.19ms]

 36 pass
 1 fail
Ran 37 tests across 5 files. [214.00ms]
`, []string{"(fail) cart > wrong sum", "1 fail"}, nil},

		{"deno: errors, failures, types", "denotest", `Check d/a_test.ts
running 2 tests from ./d/a_test.ts
adds ... up ... ok (36µs)
throws ...
------- post-test output -------
about to label nothing
----- post-test output end -----
throws ... FAILED (475µs)

 ERRORS

throws => ./d/a_test.ts:12:6
error: TypeError: no item
  if (!item) throw new TypeError("no item");
                   ^
    at label (file:///home/dev/larder/stock.ts:5:20)
    at innerWrapped (ext:cli/40_test.js:300:11)
    at exitSanitizer (ext:cli/40_test.js:201:33)
    at file:///home/dev/larder/d/a_test.ts:14:3

./d/b_test.ts (uncaught error)
error: (in promise) ReferenceError: lost is not defined
    at file:///home/dev/larder/d/b_test.ts:3:1

 FAILURES

throws => ./d/a_test.ts:12:6
./d/b_test.ts (uncaught error)

FAILED | 1 passed | 2 failed (207ms)

error: Test failed
`, []string{"throws => ./d/a_test.ts:12:6", "TypeError: no item", "stock.ts:5:20", "a_test.ts:14:3", "b_test.ts (uncaught", "lost is not defined", "FAILED | 1 passed"}, []string{"adds", "ext:cli", "Test failed", "post-test"}},

		{"deno: types", "denotest", `Check d/types_test.ts
TS2322 [ERROR]: Type 'number' is not assignable to type 'string'.
  const n: string = total([]);
        ~
    at file:///home/dev/larder/d/types_test.ts:3:9

TS2304 [ERROR]: Cannot find name 'x'.
x;
~
    at file:///home/dev/larder/d/types_test.ts:5:1

Found 2 errors.

error: Type checking failed.
`, []string{"TS2322", "types_test.ts:3:9", "TS2304", "types_test.ts:5:1", "Found 2 errors."}, []string{"Check ", "checking failed"}},
	})
}
