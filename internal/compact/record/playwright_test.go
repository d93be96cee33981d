package record

import "testing"

func TestPlaywright(t *testing.T) {
	runJSOutputs(t, []jsOutput{
		{"retries and attachments", "playwright", `Running 3 tests using 1 worker

[1/3] [chromium] › tests/a.spec.ts:3:5 › cart › adds
[2/3] (retries) [chromium] › tests/a.spec.ts:3:5 › cart › adds (retry #1)
  1) [chromium] › tests/a.spec.ts:3:5 › cart › adds ────────

    Error: expect(received).toBe(expected) // Object.is equality

    Expected: 20
    Received: 21

       5 |   const before = start();
    >  7 |     expect(sum).toBe(20);
         |                 ^
        at /home/dev/shop/tests/a.spec.ts:7:17

    Error Context: test-results/a/error-context.md

    attachment #1: screenshot (image/png) ────────
    test-results/a/test-failed-1.png
    ──────────────

    Retry #1 ─────────────

    Error: expect(received).toBe(expected) // Object.is equality

    Expected: 20
    Received: 21

        at /home/dev/shop/tests/a.spec.ts:7:17

[3/3] [chromium] › tests/b.spec.ts:9:5 › cart › empties
  1 failed
    [chromium] › tests/a.spec.ts:3:5 › cart › adds ────────
  1 flaky
    [chromium] › tests/c.spec.ts:3:5 › cart › waits ────────
  2 passed (1.2s)
`, []string{"1) [chromium]", "Expected: 20", "a.spec.ts:7:17", "error-context.md", "1 failed", "1 flaky", "2 passed"}, []string{"[3/3]", "Running 3", "test-failed-1.png", "before =", "Retry", "b.spec.ts"}},

		{"browsers are brought", "playwright", `Downloading Chromium 130.0.6723.31 (playwright build v1140) from https://cdn.example.com/chromium.zip
|                                                                                |   0% of 150.9 MiB
|■■■■■■■■                                                                        |  10% of 150.9 MiB
Error: Download failed: server returned code 403
`, []string{"Download failed"}, []string{"% of", "Downloading"}},

		{"only the end", "playwright", `  1 failed
    tests/a.spec.ts:3:5 › cart › adds ────────
  35 passed (4.4s)
`, []string{"1 failed", "a.spec.ts:3:5", "35 passed"}, nil},

		{"outside of any test", "playwright", `SyntaxError: /home/dev/shop/tests/a.spec.js: Unexpected token (3:8)

   at a.spec.js:3

  2 | test('x', () => {
> 3 |   const = 3;
    |         ^
To open last HTML report run:
  npx playwright show-report
`, []string{"SyntaxError", "> 3 |"}, []string{"HTML report", "  2 |"}},
	})
}
