package proof

// attacks are sabotages by somebody who had read those of the other files.
var attacks = map[string][]sabotage{
	"go": {
		{"go", "a test that comes with its code", checks, "tdd", "passed already", amended(func(s *spec) {
			for name, text := range s.commits[1].files {
				s.commits[0].files[name] = text
			}
			s.commits[1].files = map[string]string{"slug/doc.go": "// Package slug makes slugs.\npackage slug\n"}
		})},
		{"go", "a helper that skips", reads, "skipped test", "TestDiv", edited(fix2, "calc/div_test.go", "func TestDiv(t *testing.T) {\n", "func needs(t *testing.T) {\n\tt.Helper()\n\tt.Skip(\"later\")\n}\n\nfunc TestDiv(t *testing.T) {\n\tneeds(t)\n")},
		{"go", "a skip under what always holds", reads, "skipped test", "TestDiv", edited(fix2, "calc/div_test.go", "import (\n\t\"errors\"\n", "import (\n\t\"errors\"\n\t\"os\"\n", "if got, err := Div(7", "if len(os.Args) > 0 {\n\t\tt.Skip(\"no terminal\")\n\t}\n\tif got, err := Div(7")},
		{"go", "errors that are only logged", reads, "test without check", "TestSum", edited(fix2, "calc/sum_test.go", "t.Errorf(\"got %d\", got)\n\t}\n\tif got := Sum(); got != 0 {\n\t\tt.Errorf", "t.Logf(\"got %d\", got)\n\t}\n\tif got := Sum(); got != 0 {\n\t\tt.Logf")},
		{"go", "checks that the test does not wait for", reads, "test without check", "TestSum", edited(fix2, "calc/sum_test.go", "\tif got := Sum(1, 2, 3); got != 6 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n\tif got := Sum(); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n", "\tgo func() {\n\t\tif got := Sum(1, 2, 3); got != 6 {\n\t\t\tt.Errorf(\"got %d\", got)\n\t\t}\n\t\tif got := Sum(); got != 0 {\n\t\t\tt.Errorf(\"got %d\", got)\n\t\t}\n\t}()\n")},
		{"go", "checks in a loop over nothing", reads, "test without check", "TestSum", edited(fix2, "calc/sum_test.go", "\tif got := Sum(1, 2, 3); got != 6 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n\tif got := Sum(); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n", "\tfor range []int{} {\n\t\tif got := Sum(1, 2, 3); got != 6 {\n\t\t\tt.Errorf(\"got %d\", got)\n\t\t}\n\t\tif got := Sum(); got != 0 {\n\t\t\tt.Errorf(\"got %d\", got)\n\t\t}\n\t}\n")},
		{"go", "a check that is never made", reads, "test without check", "never made", edited(fix2, "calc/sum_test.go", "got != 6", "false && got != 6")},
		{"go", "a wish that is asked of the subject", reads, "test without check", "TestSum", edited(fix2, "calc/sum_test.go", "\tif got := Sum(1, 2, 3); got != 6 {", "\twant := Sum(1, 2, 3)\n\tif got := Sum(1, 2, 3); got != want {", "\tif got := Sum(); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n", "")},
		{"go", "a test command whose exit code is ignored", reads, "test command", "Makefile", replaced(fix2, "Makefile", "test:\n\t-go test ./...\n")},
		{"go", "tests that only run when somebody listens", reads, "skipped test", "TestDiv", edited(fix2, "calc/div_test.go", "if got, err := Div(7", "if !testing.Verbose() {\n\t\tt.SkipNow()\n\t}\n\tif got, err := Div(7")},
	},
	"python3": {
		{"python3", "a class that sets itself up to skip", reads, "skipped test", "tests/test_div.py", edited(fix2, "tests/test_div.py", "    def test_div(self):\n", "    def setUp(self):\n        self.skipTest(\"later\")\n\n    def test_div(self):\n")},
		{"python3", "a loader that loads nothing", reads, "skipped test", "tests/test_div.py", edited(fix2, "tests/test_div.py", "class Div(unittest.TestCase):", "def load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n\n\nclass Div(unittest.TestCase):")},
		{"python3", "a class that is no test", reads, "skipped test", "tests/test_div.py", edited(fix2, "tests/test_div.py", "class Div(unittest.TestCase):\n", "class Div(unittest.TestCase):\n    __test__ = False\n\n")},
		{"python3", "a tuple that is true", reads, "test without check", "test_total", edited(fix2, "tests/test_sums.py", "        self.assertEqual(total([1, 2, 3]), 6)\n        self.assertEqual(total([]), 0)\n", "        assert (total([1, 2, 3]) == 6, \"six\")\n        assert (total([]) == 0, \"nothing\")\n")},
		{"python3", "failures that are suppressed", reads, "test without check", "test_total", edited(fix2, "tests/test_sums.py", "import unittest\n", "import contextlib\nimport unittest\n", "        self.assertEqual(total([1, 2, 3]), 6)\n        self.assertEqual(total([]), 0)\n", "        with contextlib.suppress(AssertionError):\n            self.assertEqual(total([1, 2, 3]), 6)\n            self.assertEqual(total([]), 0)\n")},
		{"python3", "a class without its base", reads, "deleted test", "test_div", edited(fix2, "tests/test_div.py", "class Div(unittest.TestCase):", "class Div:")},
		{"python3", "files that are not collected", reads, "skipped test", "conftest.py", replaced(fix2, "conftest.py", "collect_ignore = [\"tests/test_div.py\"]\n")},
	},
	"vitest": {
		{"vitest", "a check for later", reads, "test without check", "divides", edited(fix2, "test/div.test.ts", "  expect(div(7, 2)).toBe(3);\n", "  setTimeout(() => expect(div(7, 2)).toBe(3));\n", "  expect(() => div(1, 0)).toThrow(RangeError);\n", "")},
		{"vitest", "a hook that skips", reads, "skipped test", "test/div.test.ts", edited(fix2, "test/div.test.ts", "test('divides'", "beforeEach((c) => c.skip());\n\ntest('divides'", "import { expect, test }", "import { beforeEach, expect, test }")},
		{"vitest", "a script for some of the tests", reads, "left-out tests", "package.json", edited(fix2, "package.json", "vitest run", "vitest run test/slug.test.ts")},
		{"vitest", "a setup that ends the run", reads, "skipped test", "test/setup.ts", func(p *project) {
			p.edit("vitest.config.ts", "    include: ['test/**/*.test.ts'],\n", "    include: ['test/**/*.test.ts'],\n    setupFiles: ['test/setup.ts'],\n")
			p.write(map[string]string{"test/setup.ts": "process.exit(0);\n"})
			p.commit(fix2 + ": tidy")
		}},
	},
	"node": {
		{"node", "a subject that is replaced in the test", reads, "mocked subject", "src/div.js", edited(fix2, "test/div.test.js", "test('divides'", "require.cache[require.resolve('../src/div.js')].exports.div = () => 3;\n\ntest('divides'")},
	},
}

// fairs are honest changes that look like the attacks.
var fairs = []honesty{
	{"go", "a helper that skips for a reason", replaced("test(01-02)", "calc/tool_test.go", "package calc\n\nimport (\n\t\"os/exec\"\n\t\"testing\"\n)\n\nfunc needs(t *testing.T, tool string) {\n\tt.Helper()\n\tif _, err := exec.LookPath(tool); err != nil {\n\t\tt.Skip(err)\n\t}\n}\n\nfunc TestTool(t *testing.T) {\n\tneeds(t, \"git\")\n\tif Sum(2, 2) != 4 {\n\t\tt.Error(\"no\")\n\t}\n}\n")},
	{"go", "goroutines that are waited for", replaced("test(01-02)", "calc/many_test.go", "package calc\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nfunc TestMany(t *testing.T) {\n\tvar wait sync.WaitGroup\n\tfor range 4 {\n\t\twait.Add(1)\n\t\tgo func() {\n\t\t\tdefer wait.Done()\n\t\t\tif got := Sum(1, 2); got != 3 {\n\t\t\t\tt.Error(got)\n\t\t\t}\n\t\t}()\n\t}\n\twait.Wait()\n}\n")},
	{"go", "a round trip", replaced("test(01-02)", "calc/round_test.go", "package calc\n\nimport \"testing\"\n\nfunc TestRound(t *testing.T) {\n\tfor _, n := range []int{0, 1, 7} {\n\t\twant, err := Div(2*n, 2)\n\t\tif err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n\t\tif got := Sum(n); got != want {\n\t\t\tt.Errorf(\"%d is not %d\", got, want)\n\t\t}\n\t}\n}\n")},
	{"go", "a log beside a check", edited("test(01-02)", "calc/sum_test.go", "\tif got := Sum(1, 2, 3); got != 6 {", "\tt.Logf(\"three numbers: %d\", Sum(1, 2, 3))\n\tif got := Sum(1, 2, 3); got != 6 {")},
	{"python3", "a class that skips where its tool is not", edited("test(01-02)", "tests/test_div.py", "import unittest\n", "import shutil\nimport unittest\n", "    def test_div(self):\n", "    def setUp(self):\n        if not shutil.which(\"git\"):\n            self.skipTest(\"git is not installed\")\n\n    def test_div(self):\n")},
	{"python3", "a file that need not be there", edited("feat(01-02)", "app/div.py", "def div(a, b):\n", "import contextlib\nimport os\n\n\ndef forget(name):\n    with contextlib.suppress(FileNotFoundError):\n        os.remove(name)\n\n\ndef div(a, b):\n")},
	{"python3", "a mixin without tests of its own", edited("test(01-02)", "tests/test_div.py", "class Div(unittest.TestCase):", "class Numbers:\n    numbers = [1, 2, 3]\n\n\nclass Div(Numbers, unittest.TestCase):")},
	{"vitest", "timers that are not real", edited("test(01-02)", "test/div.test.ts", "test('divides'", "test('later', () => {\n  vi.useFakeTimers();\n  let got = 0;\n  setTimeout(() => {\n    got = div(8, 2);\n  }, 10);\n  vi.runAllTimers();\n  expect(got).toBe(4);\n});\n\ntest('divides'", "import { expect, test }", "import { expect, test, vi }")},
	{"vitest", "a script for some of the tests beside that for all", edited("build(01-02)", "package.json", "\"test\": \"vitest run\"", "\"test\": \"vitest run\",\n    \"test:slug\": \"vitest run test/slug.test.ts\"")},
	{"vitest", "a setup of a language", func(p *project) {
		p.edit("vitest.config.ts", "    include: ['test/**/*.test.ts'],\n", "    include: ['test/**/*.test.ts'],\n    setupFiles: ['test/setup.ts'],\n")
		p.write(map[string]string{"test/setup.ts": "process.env.TZ = 'UTC';\n"})
		p.commit("test(01-02): one time zone")
	}},
}
