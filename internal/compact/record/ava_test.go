package record

import "testing"

func TestAva(t *testing.T) {
	in := "\n  ✔ adds\n  - [skip] later\n  ✘ [fail]: throws Error thrown in test\n  ℹ the oven is on\n  ─\n\n  throws\n\n  a.test.js:3\n\n   2: test();\n   3: null.foo;\n\n  Error thrown in test:\n\n  TypeError: no foo\n      at file:///home/dev/a.test.js:3:28\n      at Test.callFn (file:///home/dev/node_modules/ava/lib/test.js:525:26)\n\n\n\n  other\n\n  › a.test.js:5:23\n\n  ─\n\n  2 tests failed\n  1 uncaught exception\n"
	equal(t, shown(parseCut(t, "ava", in), Failure, Keep, Body), "  ✘ [fail]: throws Error thrown in test", "  ℹ the oven is on", "  throws", "  a.test.js:3", "  Error thrown in test:", "  TypeError: no foo", "      at file:///home/dev/a.test.js:3:28", "  other", "  › a.test.js:5:23", "  2 tests failed", "  1 uncaught exception")
	scramble(t, "ava", in)
}

func TestUvu(t *testing.T) {
	in := "a.test.js\n• ✘   (1 / 2)\n\n   FAIL  \"throws\"\n    no foo\n\n    at Object.handler (/home/dev/a.test.js:4:29)\n    at runner (/home/dev/node_modules/uvu/dist/index.js:78:16)\n\nb.test.js\n• • •   (3 / 3)\n\nc.test.js\n oven  •   (1 / 1)\nthe oven is on\n rack  ✘ •   (1 / 2)\n\n  Total:     8\n  Passed:    6\n  Skipped:   0\n  Duration:  1ms\n\n"
	equal(t, shown(parseCut(t, "uvu", in), Failure, Keep, Body), "a.test.js", "(1 / 2)", " FAIL  \"throws\"", "    no foo", "    at Object.handler (/home/dev/a.test.js:4:29)", "the oven is on", "rack (1 / 2)", "  Total:     8", "  Passed:    6", "  Skipped:   0")
	scramble(t, "uvu", in)
}
