package proof

import (
	"strings"
	"testing"

	"cairn/test/cairntest"
)

// moreSabotages are what agents do that wants a test green: by tool.
var moreSabotages = map[string][]sabotage{
	"go": {
		{"go", "a build tag", reads, "tagged test", "calc/div_test.go", edited(fix2, "calc/div_test.go", "package calc", "//go:build integration\n\npackage calc")},
		{"go", "a name that is not looked for", reads, "deleted test", "TestDiv", edited(fix2, "calc/div_test.go", "func TestDiv(", "func testDiv(")},
		{"go", "a file for another system", reads, "deleted test", "TestDiv", func(p *project) {
			p.git("mv", "calc/div_test.go", "calc/div_plan9_test.go")
			p.commit(fix2 + ": tidy")
		}},
		{"go", "a TestMain that runs nothing", reads, "skipped test", "TestMain", edited(fix2, "calc/div_test.go", "func TestDiv(", "func TestMain(m *testing.M) {\n}\n\nfunc TestDiv(")},
		{"go", "a TestMain that says 0", reads, "skipped test", "TestMain", edited(fix2, "calc/div_test.go", "import (\n", "import (\n\t\"os\"\n", "func TestDiv(", "func TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n\nfunc TestDiv(")},
		{"go", "code for tests", reads, "code for tests", "calc/sum.go", edited(fix2, "calc/sum.go", "package calc\n", "package calc\n\nimport \"testing\"\n", "\tn := 0\n", "\tif testing.Testing() {\n\t\treturn len(list) * 2\n\t}\n\tn := 0\n")},
		{"go", "a helper that checks nothing", reads, "test without check", "assertSum", edited(fix2, "calc/sum_test.go", "func TestSum", "func assertSum(t *testing.T, got, want int) {\n\tt.Helper()\n}\n\nfunc TestSum")},
		{"go", "an empty table", reads, "test without check", "TestMake", edited(fix1, "slug/slug_test.go", "map[string]string{\"Hello World\": \"hello-world\", \"A\": \"a\", \"\": \"\", \"TODO: implement\": \"todo-implement\", \"t.Skip(x)\": \"t-skip-x\"}", "map[string]string{}")},
		{"go", "a guard by the environment", reads, "guarded test", "FULL_RUN", edited(fix2, "calc/div_test.go", "import (\n", "import (\n\t\"os\"\n", "\tif got, err := Div(7, 2)", "\tif os.Getenv(\"FULL_RUN\") == \"\" {\n\t\tt.Skip(\"only in full runs\")\n\t}\n\tif got, err := Div(7, 2)")},
		{"go", "a Makefile that ignores", reads, "test command", "Makefile", replaced(fix2, "Makefile", "test:\n\t-go test ./...\n")},
		{"go", "a script that says 0", reads, "test command", "check.sh", replaced(fix2, "check.sh", "#!/bin/sh\ngo test ./...\nexit 0\n")},
		{"go", "a script with or true", reads, "test command", "check.sh", replaced(fix2, "check.sh", "#!/bin/sh\nset -e\ngo test ./... || true\n")},
		{"go", "a verify whose end is a pipe", reads, "verify", "cannot fail", verified(slugs, "go test ./slug 2>&1 | tail -5")},
		{"go", "a verify with a trap", reads, "verify", "cannot fail", verified(slugs, "trap 'exit 0' EXIT; go test ./slug")},
		{"go", "a verify in an if", reads, "verify", "cannot fail", verified(slugs, "if go test ./slug; then echo passed; else echo failed; fi")},
		{"go", "a verify in another shell", reads, "verify", "cannot fail", verified(slugs, "bash -c 'go test ./slug || true'")},
		{"go", "a verify that lists", reads, "verify", "runs no test", verified(slugs, "go test ./slug -list .")},
		{"go", "a verify that updates", reads, "verify", "cannot fail", verified(slugs, "go test ./slug -update")},
	},
	"python3": {
		{"python3", "a file that is not looked for", reads, "deleted test", "test_div", func(p *project) {
			p.git("mv", "tests/test_div.py", "tests/div_tests.py")
			p.commit(fix2 + ": tidy")
		}},
		{"python3", "a conftest that deselects", reads, "skipped test", "conftest.py", replaced(fix2, "conftest.py", "def pytest_collection_modifyitems(config, items):\n    items[:] = [i for i in items if 'div' not in i.nodeid]\n")},
		{"python3", "a conftest that says 0", reads, "skipped test", "conftest.py", replaced(fix2, "conftest.py", "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n")},
		{"python3", "an option that deselects", reads, "left-out tests", "pytest.ini", replaced(fix2, "pytest.ini", "[pytest]\naddopts = --deselect tests/test_div.py\n")},
		{"python3", "an option that ignores", reads, "left-out tests", "pyproject.toml", replaced(fix2, "pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-q --ignore=tests/test_div.py\"\n")},
		{"python3", "code left out of coverage", reads, "coverage exclusion", "app/div.py", edited(fix2, "app/div.py", "def half(a):", "def half(a):  # pragma: no cover")},
		{"python3", "a file left out of coverage", reads, "left-out tests", ".coveragerc", replaced(fix2, ".coveragerc", "[run]\nomit = app/div.py\n")},
		{"python3", "a pair that is asserted", reads, "test without check", "test_half", edited(fix2, "tests/test_div.py", "        self.assertEqual(half(8), 4)\n        self.assertIsNone(half(\"x\"))\n", "        assert (half(8) == 4, \"no\")\n")},
		{"python3", "a failure that is caught", reads, "test without check", "test_half", edited(fix2, "tests/test_div.py", "        self.assertEqual(half(8), 4)\n", "        try:\n            self.assertEqual(half(8), 4)\n        except AssertionError:\n            pass\n")},
		{"python3", "a check of almost everything", reads, "weakened test", "test_total", edited(fix2, "tests/test_sums.py", "self.assertEqual(total([1, 2, 3]), 6)", "self.assertIsNotNone(total([1, 2, 3]))")},
		{"python3", "an empty table", reads, "skipped test", "test_more.py", replaced(fix2, "tests/test_more.py", "import pytest\n\nfrom app.div import div\n\n\n@pytest.mark.parametrize('a', [])\ndef test_more(a):\n    assert div(a, 1) == a\n")},
		{"python3", "code for tests", reads, "code for tests", "app/div.py", edited(fix2, "app/div.py", "    if b == 0:", "    import sys\n    if \"unittest\" in sys.modules:\n        return 3\n    if b == 0:")},
		{"python3", "a guard by the environment", reads, "guarded test", "FULL_RUN", edited(fix2, "tests/test_div.py", "import unittest\n", "import os\nimport unittest\n", "    def test_half(self):\n", "    def test_half(self):\n        if not os.environ.get(\"FULL_RUN\"):\n            return\n")},
		{"python3", "a way out of the run", reads, "skipped test", "test_div.py", edited(fix2, "tests/test_div.py", "class Div(", "import os\nos._exit(0)\n\n\nclass Div(")},
	},
	"node": {
		{"node", "a test script that always passes", reads, "test command", "package.json", edited(fix2, "package.json", "node --test", "node --test || true")},
		{"node", "a way out of the run", reads, "skipped test", "div.test.js", edited(fix2, "test/div.test.js", "test('divides'", "process.exit(0);\ntest('divides'")},
		{"node", "code left out of coverage", reads, "coverage exclusion", "src/div.js", edited(fix2, "src/div.js", "function half", "/* node:coverage disable */\nfunction half")},
		{"node", "an exit code that is set", reads, "skipped test", "div.test.js", edited(fix2, "test/div.test.js", "test('divides'", "process.on('exit', () => {\n  process.exitCode = 0;\n});\ntest('divides'")},
	},
}

// change is an honest commit that looks like a sabotage.
type honesty struct {
	tool, name string
	do         func(p *project)
}

var honesties = []honesty{
	{"go", "a test that is moved", func(p *project) {
		p.git("mv", "calc/div_test.go", "calc/dividing_test.go")
		p.commit("refactor(01-02): a better name")
	}},
	{"go", "a function that is renamed", func(p *project) {
		for _, f := range []string{"calc/sum.go", "calc/sum_test.go"} {
			p.write(map[string]string{f: replaceAll(p.read(f), "Sum", "Add")})
		}
		p.edit(phaseDir+"01-02-PLAN.md", "TestSum", "TestAdd")
		p.commit("refactor(01-02): a better name")
	}},
	{"go", "generated code", replaced("feat(01-02)", "calc/gen.go", "// Code generated by stringer; DO NOT EDIT.\n\npackage calc\n\nfunc name(i int) string { return \"\" }\n")},
	{"go", "types alone", replaced("feat(01-02)", "calc/kinds.go", "package calc\n\n// Kind is what a number is.\ntype Kind int\n\n// The kinds.\nconst (\n\tEven Kind = iota\n\tOdd\n)\n")},
	{"go", "a Makefile", replaced("build(01-02)", "Makefile", "test:\n\tgo test ./...\n\nclean:\n\t-rm -rf out\n\trm -f x || true\n")},
	{"go", "a script that sets up", replaced("build(01-02)", "setup.sh", "#!/bin/sh\nset -e\nmkdir -p out\ngo build ./...\ngo test ./...\necho done\n")},
	{"go", "a document", replaced("docs(01-02)", "README.md", "# x\n\nRun `go test ./... || true`. TODO: implement later.\n")},
	{"go", "a test of the whole with a TestMain", replaced("test(01-02)", "calc/main_test.go", "package calc\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tos.Exit(code)\n}\n")},
	{"go", "a tighter tolerance", replaced("test(01-02)", "calc/tol_test.go", "package calc\n\nimport (\n\t\"math\"\n\t\"testing\"\n)\n\nfunc TestMean(t *testing.T) {\n\tif got := float64(Sum(1, 2)) / 2; math.Abs(got-1.5) > 1e-9 {\n\t\tt.Error(got)\n\t}\n}\n")},
	{"go", "a test that needs a service the project names", func(p *project) {
		p.write(map[string]string{"calc/db_test.go": "package calc\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestDatabase(t *testing.T) {\n\tif os.Getenv(\"CALC_DSN\") == \"\" {\n\t\tt.Skip(\"no database\")\n\t}\n\tif Sum(1) != 1 {\n\t\tt.Error(\"no\")\n\t}\n}\n", "README.md": "# x\n\nTests of the database run where `CALC_DSN` is set.\n"})
		p.commit("test(01-02): a database")
	}},
	{"go", "vendored code", replaced("build(01-02)", "vendor/example.com/y/y.go", "package y\n\nfunc Y(a int) int { return 4 }\n\nfunc Z(a int) {\n\tpanic(\"not implemented\")\n}\n")},
	{"python3", "a configuration", replaced("build(01-02)", "pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-q\"\ntestpaths = [\"tests\"]\n\n[tool.coverage.run]\nomit = [\"tests/*\", \"*/migrations/*\"]\n")},
	{"python3", "a main that is not counted", edited("feat(01-02)", "app/div.py", "def half(a):", "if __name__ == \"__main__\":  # pragma: no cover\n    print(div(7, 2))\n\n\ndef half(a):")},
	{"python3", "a conftest with a fixture", replaced("test(01-02)", "conftest.py", "import pytest\n\n\n@pytest.fixture\ndef numbers():\n    return [1, 2, 3]\n")},
	{"python3", "a flaky test that is tried again", edited("test(01-02)", "tests/test_div.py", "    def test_half(self):\n", "    # a slow disk may need a second try: @flaky(reruns=2)\n    def test_half(self):\n")},
	{"node", "a script beside the test", edited("build(01-02)", "package.json", "\"test\": \"node --test\"", "\"test\": \"node --test\", \"clean\": \"rm -rf out || true\"")},
	{"node", "a spy on a collaborator", replaced("test(01-02)", "test/log.test.js", "const test = require('node:test');\nconst assert = require('node:assert');\nconst { div } = require('../src/div.js');\n\ntest('logs', (t) => {\n  const log = t.mock.method(console, 'log', () => {});\n  console.log(div(4, 2));\n  assert.equal(log.mock.calls.length, 1);\n});\n")},
	{"vitest", "a coverage that leaves out what is no code", edited("build(01-02)", "vitest.config.ts", "    include: ['test/**/*.test.ts'],\n", "    include: ['test/**/*.test.ts'],\n    exclude: ['node_modules/**', 'dist/**', '**/*.d.ts'],\n    retry: 2,\n")},
	{"vitest", "a mock of a collaborator", edited("test(01-02)", "test/div.test.ts", "import { expect, test } from 'vitest';", "import { expect, test, vi } from 'vitest';\n\nvi.mock('../src/old.ts', () => ({ twice: () => 4 }));")},
	{"vitest", "a reason for what the compiler must not see", edited("feat(01-02)", "src/div.ts", "  return Math.trunc(a / b);", "  // @ts-expect-error the types of the platform lag behind\n  globalThis.last = a;\n  return Math.trunc(a / b);")},
	{"vitest", "a type alone", replaced("feat(01-02)", "src/types.ts", "export type Id = string;\n\nexport interface Named {\n  name: string;\n  rename(to: string): void;\n}\n")},
	{"vitest", "a snapshot that a plan names", func(p *project) {
		p.edit(phaseDir+"01-02-PLAN.md", "test/sums.test.ts", "test/sums.test.ts, test/__snapshots__/old.test.ts.snap")
		p.edit("test/__snapshots__/old.test.ts.snap", "<b>4</b>", "<i>4</i>")
		p.commit("feat(01-02): italics")
	}},
}

// Nothing is said of honest work that was not said before.
func TestHonesties(t *testing.T) {
	cairntest.Long(t)
	for _, tool := range []string{"go", "python3", "node", "vitest"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			clean := cleanOf(t, tool)
			for _, h := range append(honesties[:len(honesties):len(honesties)], fairs...) {
				if h.tool != tool {
					continue
				}
				t.Run(h.name, func(t *testing.T) {
					p := clean.copyOf(t)
					h.do(p)
					for _, c := range p.prove(reads, "").Of(Unproven) {
						if c.Kind != "verify" && c.Kind != "changed verify" { // nothing runs here
							t.Errorf("%s [%s]: %s", c.Kind, c.ID, c.What)
						}
					}
				})
			}
		})
	}
}

func replaceAll(text, old, now string) string { return strings.ReplaceAll(text, old, now) }
