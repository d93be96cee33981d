package proof

import (
	"os/exec"
	"strings"
	"testing"

	"cairn/test/cairntest"
)

// sabotage is something that makes a finished phase not so, and what names it.
type sabotage struct {
	tool, name string
	needs      depth
	kind, says string
	do         func(p *project)
}

// edited is a change of files in a commit of a plan.
func edited(scope, file string, change ...string) func(p *project) {
	return func(p *project) {
		for i := 0; i < len(change); i += 2 {
			p.edit(file, change[i], change[i+1])
		}
		p.commit(scope + ": tidy")
	}
}

// replaced writes a whole file.
func replaced(scope, file, text string) func(p *project) {
	return func(p *project) {
		p.write(map[string]string{file: text})
		p.commit(scope + ": tidy")
	}
}

// amended changes what a commit of the phase had, so that nothing of before is seen.
func amended(change func(s *spec)) func(p *project) {
	return func(p *project) {
		s := specs[p.tool()]
		commits := make([]step, len(s.commits))
		for i, c := range s.commits {
			files := map[string]string{}
			for name, text := range c.files {
				files[name] = text
			}
			commits[i] = step{c.message, files}
		}
		s.commits = commits
		change(&s)
		ts := p.tool() == "vitest"
		if p.dir = honest(p.t, s).dir; ts {
			installed(p.t, p)
		}
	}
}

func (p *project) tool() string {
	for _, of := range [][2]string{{"go", "go.mod"}, {"vitest", "vitest.config.ts"}, {"node", "package.json"}} {
		if exists(p.dir + "/" + of[1]) {
			return of[0]
		}
	}
	return "python3"
}

const (
	fix1, fix2 = "fix(01-01)", "fix(01-02)"
	slugs      = "go test ./slug -run 'TestMake|TestLong'"
)

var goSabotages = []sabotage{
	{"go", "a function without its body", checks, "verify", "is red at HEAD", edited(fix1, "slug/make.go", "return cut(strings.Trim(b.String(), \"-\"))", "return b.String()")},
	{"go", "a function that gives a number", reads, "constant result", "Sum", edited(fix2, "calc/sum.go", "n := 0\n\tfor _, i := range list {\n\t\tn += i\n\t}\n\treturn n", "return 6")},
	{"go", "an empty function", reads, "empty body", "Log", edited(fix2, "calc/sum.go", "// Sum adds", "// Log writes down.\nfunc Log(what string) {\n}\n\n// Sum adds")},
	{"go", "TODO implement", reads, "stub", "calc/div.go", edited(fix2, "calc/div.go", "return a / b, nil", "// TODO: implement\n\treturn a / b, nil")},
	{"go", "FIXME with a name", reads, "stub", "calc/div.go", edited(fix2, "calc/div.go", "return a / b, nil", "// FIXME(ada): fake until the table is there, implement later\n\treturn a / b, nil")},
	{"go", "not implemented yet", reads, "stub", "calc/div.go", edited(fix2, "calc/div.go", "return a / b, nil", "return a / b, nil // not implemented yet")},
	{"go", "a panic", reads, "stub", "panic", edited(fix2, "calc/div.go", "return a / b, nil", "panic(\"not implemented\")")},
	{"go", "a panic that says TODO", reads, "stub", "panic", edited(fix2, "calc/div.go", "return a / b, nil", "panic(\"TODO\")")},
	{"go", "an error that says not implemented", reads, "stub", "errors.New", edited(fix2, "calc/div.go", "return a / b, nil", "return 0, errors.New(\"not implemented\")")},
	{"go", "Skip", reads, "skipped test", "TestDiv", edited(fix2, "calc/div_test.go", "if got, err := Div(7", "t.Skip(\"later\")\n\tif got, err := Div(7")},
	{"go", "SkipNow", reads, "skipped test", "TestDiv", edited(fix2, "calc/div_test.go", "if got, err := Div(7", "t.SkipNow()\n\tif got, err := Div(7")},
	{"go", "Skipf with another name for t", reads, "skipped test", "TestSum", edited(fix2, "calc/sum_test.go", "TestSum(t *testing.T) {", "TestSum(x *testing.T) {\n\tt := x\n\tx.Skipf(\"%d\", 1)")},
	{"go", "a skip if true", reads, "skipped test", "TestSum", edited(fix2, "calc/sum_test.go", "if got := Sum(1", "if true {\n\t\tt.Skip()\n\t}\n\tif got := Sum(1")},
	{"go", "a skip if 1 == 1", reads, "skipped test", "TestSum", edited(fix2, "calc/sum_test.go", "if got := Sum(1", "if 1 == 1 {\n\t\tt.Skip()\n\t}\n\tif got := Sum(1")},
	{"go", "a return before the test", reads, "skipped test", "TestSum", edited(fix2, "calc/sum_test.go", "if got := Sum(1", "return\n\tif got := Sum(1")},
	{"go", "a skipped subtest", reads, "skipped test", "TestLong", edited(fix1, "slug/slug_test.go", "if got := Make(\"aaa", "t.Skip()\n\t\tif got := Make(\"aaa")},
	{"go", "a file that is not built", reads, "skipped test", "calc/div_test.go", edited(fix2, "calc/div_test.go", "package calc", "//go:build ignore\n\npackage calc")},
	{"go", "a deleted test", reads, "deleted test", "TestLong", func(p *project) {
		text := p.read("slug/slug_test.go")
		p.write(map[string]string{"slug/slug_test.go": strings.Replace(text[:strings.Index(text, "func TestLong")], "\t\"runtime\"\n", "", 1)})
		p.commit(fix1 + ": tidy")
	}},
	{"go", "a deleted file of tests", reads, "deleted test", "TestSum", replaced(fix2, "calc/sum_test.go", "-")},
	{"go", "an old test that is deleted", reads, "deleted test", "TestTwice", replaced(fix2, "calc/o_test.go", "-")},
	{"go", "a test that is renamed so that it does not run", reads, "deleted test", "TestSum", edited(fix2, "calc/sum_test.go", "func TestSum", "func testSum")},
	{"go", "a test that is a comment", reads, "deleted test", "TestSum", edited(fix2, "calc/sum_test.go", "func TestSum", "/*\nfunc TestSum", "import \"testing\"\n", "", "got)\n\t}\n}\n", "got)\n\t}\n}\n*/\n")},
	{"go", "a check that is taken away", reads, "weakened test", "TestDiv", edited(fix2, "calc/div_test.go", "\tif _, err := Div(7, 0); !errors.Is(err, ErrZero) {\n\t\tt.Error(err)\n\t}\n", "", "\"errors\"\n\t", "")},
	{"go", "cases that are taken away", reads, "weakened test", "TestMake", edited(fix1, "slug/slug_test.go", ", \"TODO: implement\": \"todo-implement\", \"t.Skip(x)\": \"t-skip-x\"} {", "} {", "\t\tif got := Make(in); got != want {\n\t\t\tt.Errorf(\"Make(%q) = %q, want %q\", in, got, want)\n\t\t}\n", "\t\tcheck(t, Make(in), want)\n", "func TestLong", "func check(t *testing.T, got, want string) {\n\tif got != want {\n\t\tt.Error(got)\n\t}\n}\n\nfunc TestLong")},
	{"go", "a test without a check", reads, "test without check", "TestSum", edited(fix2, "calc/sum_test.go", "\tif got := Sum(1, 2, 3); got != 6 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n\tif got := Sum(); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n", "\t_ = Sum(1, 2, 3)\n\tt.Log(\"fine\")\n")},
	{"go", "a test of a thing with itself", reads, "test without check", "TestSum", edited(fix2, "calc/sum_test.go", "got != 6", "got != got", "got != 0", "got != got")},
	{"go", "a test that never was one", runs, "unnoticed", "Sum", amended(func(s *spec) {
		s.commits[2].files["calc/sum_test.go"] = "package calc\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tdefer func() {\n\t\tif e := recover(); e != nil {\n\t\t\tt.Error(e)\n\t\t}\n\t}()\n\tSum(1, 2, 3)\n}\n"
	})},
	{"go", "code that no test runs", runs, "coverage", "changed lines of go", amended(func(s *spec) {
		s.commits[3].files["calc/more.go"] = "package calc\n\n// Grade names a number.\nfunc Grade(n int) string {\n\tswitch {\n\tcase n > 90:\n\t\treturn \"A\"\n\tcase n > 80:\n\t\treturn \"B\"\n\tcase n > 70:\n\t\treturn \"C\"\n\tcase n > 60:\n\t\treturn \"D\"\n\tcase n > 50:\n\t\treturn \"E\"\n\t}\n\treturn \"F\"\n}\n"
	})},
	{"go", "an error that is swallowed", reads, "swallowed error", "calc/div.go", edited(fix2, "calc/div.go", "if err != nil {\n\t\treturn 0, err\n\t}", "if err != nil {\n\t\treturn 0, nil\n\t}")},
	{"go", "an ignored error", reads, "swallowed error", "calc/div.go", edited(fix2, "calc/div.go", "if err != nil {\n\t\treturn 0, err\n\t}", "if err != nil {\n\t}")},
	{"go", "true as verify", reads, "verify", "cannot fail", verified("go test ./calc -run TestSum", "true")},
	{"go", "an echo as verify", reads, "verify", "cannot fail", verified("go test ./calc -run TestSum", "echo ok")},
	{"go", "or true behind the verify", reads, "verify", "cannot fail", verified("go test ./calc -run TestSum", "go test ./calc -run TestSum || true")},
	{"go", "a verify that ends with exit 0", reads, "verify", "cannot fail", verified("go test ./calc -run TestSum", "go test ./calc -run TestSum; exit 0")},
	{"go", "a version as verify", reads, "verify", "cannot fail", verified("go test ./calc -run TestSum", "go version")},
	{"go", "a verify of no test", checks, "verify", "runs no test", verified(slugs, "go test ./slug -run Nothing")},
	{"go", "a verify that looks at what was there", checks, "verify", "runs nothing of the project", verified(slugs, "test -f go.mod")},
	{"go", "no verify", reads, "verify", "has no <verify>", verified("<verify>go test ./calc -run TestSum</verify>", "")},
	{"go", "a sentence as verify", checks, "verify", "is not a command here", verified(slugs, "see that the sums are right")},
	{"go", "a verify that was changed after the work", reads, "changed verify", "01-02/1", func(p *project) {
		p.edit(phaseDir+"01-02-PLAN.md", "go test ./calc -run TestSum", "go vet ./calc")
		p.commit("docs(01-02): plan")
	}},
	{"go", "a task that was taken out after the work", reads, "changed verify", "2 tasks", func(p *project) {
		text := p.read(phaseDir + "01-02-PLAN.md")
		p.write(map[string]string{phaseDir + "01-02-PLAN.md": text[:strings.LastIndex(text, "<task")]})
		p.commit("docs(01-02): plan")
	}},
	{"go", "a commit beside the plans", reads, "commit", "names no plan", edited("wip", "calc/sum.go", "n += i", "n += i + 0")},
	{"go", "a test that is skipped in a commit beside the plans", reads, "skipped test", "TestSum", edited("chore", "calc/sum_test.go", "if got := Sum(1", "t.Skip()\n\tif got := Sum(1")},
	{"go", "a change that is not committed", reads, "commit", "not committed", func(p *project) { p.edit("calc/sum.go", "n += i", "n -= i") }},
	{"go", "a commit that was reverted", reads, "commit", "was reverted", func(p *project) { p.git("revert", "--no-edit", "HEAD~2") }},
	{"go", "a false hash", reads, "summary", "abc1234", edited("docs(01)", phaseDir+"01-02-SUMMARY.md", "## Self-Check", "1. **Task: more** - abc1234\n\n## Self-Check")},
	{"go", "a summary of nothing", reads, "summary", "names no commit and no file", replaced("docs(01)", phaseDir+"01-02-SUMMARY.md", "ok\n")},
	{"go", "a summary that names a file that is not there", reads, "summary", "calc/lost.go", edited("docs(01)", phaseDir+"01-02-SUMMARY.md", "## Self-Check", "made `calc/lost.go`\n\n## Self-Check")},
	{"go", "a check that failed", reads, "summary", "its own check failed", edited("docs(01)", phaseDir+"01-02-SUMMARY.md", "PASSED", "FAILED")},
	{"go", "no summary", reads, "summary", "has no SUMMARY", replaced("docs(01)", phaseDir+"01-02-SUMMARY.md", "-")},
	{"go", "a score without rows", reads, "verification", "99/99", edited("docs(01)", phaseDir+"01-VERIFICATION.md", "2/2", "99/99")},
	{"go", "a requirement without code", reads, "requirement", "A-03", edited("docs(01)", ".planning/ROADMAP.md", "A-01, A-02", "A-01, A-02, A-03")},
	{"go", "a requirement that a plan only lists", reads, "requirement", "A-03", edited("docs(01)", phaseDir+"01-02-PLAN.md", "requirements: [A-02]", "requirements: [A-02, A-03]")},
	{"go", "a requirement that only a summary has", reads, "requirement", "A-09", edited("docs(01)", phaseDir+"01-02-SUMMARY.md", "[A-02]", "[A-02, A-09]")},
	{"go", "a decision without code", reads, "decision", "D-03", edited("docs(01)", phaseDir+"01-CONTEXT.md", "</decisions>", "- **D-03:** accents are kept\n</decisions>")},
	{"go", "a decision whose task made nothing", reads, "decision", "D-03", func(p *project) {
		p.edit(phaseDir+"01-CONTEXT.md", "</decisions>", "- **D-03:** accents are kept\n</decisions>")
		p.edit(phaseDir+"01-02-PLAN.md", "calc/div.go, calc/div_test.go</files>\n  <action>Build it. D-02", "calc/accents.go</files>\n  <action>Build it. D-03. D-02")
		p.commit("docs(01): plan")
	}},
	{"go", "the code before its test", reads, "tdd", "before the test", amended(func(s *spec) { s.commits[0], s.commits[1] = s.commits[1], s.commits[0] })},
	{"go", "no test before the code", reads, "tdd", "no commit test(01-01)", amended(func(s *spec) {
		s.commits[1].files["slug/slug_test.go"] = s.commits[0].files["slug/slug_test.go"]
		s.commits = s.commits[1:]
	})},
	{"go", "one commit for two tasks", reads, "commit", "2 tasks and 1 commit", amended(func(s *spec) {
		for name, text := range s.commits[3].files {
			s.commits[2].files[name] = text
		}
		s.commits = s.commits[:3]
	})},
	{"go", "no commit of a plan", reads, "commit", "no commit of its own", amended(func(s *spec) {
		s.commits[2].message, s.commits[3].message = "feat: sums", "feat: dividing"
	})},
	{"go", "a change that no test notices", runs, "unnoticed", "as they were before", edited("feat(01-02)", "calc/old.go", "n += a\n", "n += a\n\tif n > 1000000 {\n\t\tn = 1000000\n\t}\n")},
}

// verified changes a verify line before the work begins.
func verified(old, now string) func(p *project) {
	return amended(func(s *spec) {
		for i := range s.verify {
			if "<verify>"+s.verify[i]+"</verify>" == old {
				s.verify[i] = ""
			} else if s.verify[i] == old {
				s.verify[i] = now
			}
		}
	})
}

var pythonSabotages = []sabotage{
	{"python3", "a function without its body", checks, "verify", "is red at HEAD", edited(fix1, "app/slug.py", "    return text[:most]\n", "    return text\n")},
	{"python3", "a function that gives a number", reads, "constant result", "total", edited(fix2, "app/sums.py", "    n = 0\n    for i in numbers:\n        n += i\n    return n\n", "    return 6\n")},
	{"python3", "pass", reads, "empty body", "total", edited(fix2, "app/sums.py", "    n = 0\n    for i in numbers:\n        n += i\n    return n\n", "    pass\n")},
	{"python3", "a body that is only words", reads, "empty body", "total", edited(fix2, "app/sums.py", "    n = 0\n    for i in numbers:\n        n += i\n    return n\n", "    \"\"\"Adds.\"\"\"\n")},
	{"python3", "NotImplementedError", reads, "stub", "NotImplementedError", edited(fix2, "app/div.py", "    return a // b\n", "    raise NotImplementedError\n")},
	{"python3", "TODO implement", reads, "stub", "app/div.py", edited(fix2, "app/div.py", "    return a // b\n", "    # TODO implement\n    return a // b\n")},
	{"python3", "unittest.skip", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "    def test_div", "    @unittest.skip(\"later\")\n    def test_div")},
	{"python3", "a class that is skipped", reads, "skipped test", "Div", edited(fix2, "tests/test_div.py", "class Div", "@unittest.skip(\"later\")\nclass Div")},
	{"python3", "skipIf True", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "    def test_div", "    @unittest.skipIf(True, \"later\")\n    def test_div")},
	{"python3", "skipUnless False", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "    def test_div", "    @unittest.skipUnless(False, \"later\")\n    def test_div")},
	{"python3", "expectedFailure", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "    def test_div", "    @unittest.expectedFailure\n    def test_div")},
	{"python3", "skipTest", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "        self.assertEqual(div(7", "        self.skipTest(\"later\")\n        self.assertEqual(div(7")},
	{"python3", "pytest.mark.skip", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "    def test_div", "    @pytest.mark.skip(reason=\"later\")\n    def test_div")},
	{"python3", "pytest.mark.xfail", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "    def test_div", "    @pytest.mark.xfail\n    def test_div")},
	{"python3", "pytestmark", reads, "skipped test", "tests/test_div.py", edited(fix2, "tests/test_div.py", "class Div", "pytestmark = pytest.mark.skip(reason=\"later\")\n\n\nclass Div")},
	{"python3", "SkipTest", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "        self.assertEqual(div(7", "        raise unittest.SkipTest(\"later\")\n        self.assertEqual(div(7")},
	{"python3", "a return before the test", reads, "skipped test", "Div.test_div", edited(fix2, "tests/test_div.py", "        self.assertEqual(div(7", "        return\n        self.assertEqual(div(7")},
	{"python3", "a deleted test", reads, "deleted test", "Div.test_half", edited(fix2, "tests/test_div.py", "    def test_half(self):\n        self.assertEqual(half(8), 4)\n        self.assertIsNone(half(\"x\"))\n", "")},
	{"python3", "a test that is renamed so that it does not run", reads, "deleted test", "Div.test_half", edited(fix2, "tests/test_div.py", "def test_half", "def check_half")},
	{"python3", "a check that is taken away", reads, "weakened test", "Div.test_half", edited(fix2, "tests/test_div.py", "        self.assertEqual(half(8), 4)\n", "")},
	{"python3", "assert True", reads, "test without check", "Div.test_half", edited(fix2, "tests/test_div.py", "self.assertEqual(half(8), 4)", "half(8)", "self.assertIsNone(half(\"x\"))", "assert True")},
	{"python3", "a check of a thing with itself", reads, "test without check", "Div.test_half", edited(fix2, "tests/test_div.py", "self.assertEqual(half(8), 4)", "self.assertEqual(half(8), half(8))", "self.assertIsNone(half(\"x\"))", "self.assertEqual(1, 1)")},
	{"python3", "an error that is swallowed", reads, "swallowed error", "app/div.py", edited(fix2, "app/div.py", "except TypeError", "except Exception")},
	{"python3", "a bare except", reads, "swallowed error", "app/div.py", edited(fix2, "app/div.py", "except TypeError", "except")},
	{"python3", "a verify of no test", checks, "verify", "nothing*", verified("python3 -m unittest tests.test_slug", "python3 -m unittest discover -s tests -p 'nothing*'")},
	{"python3", "a program that does nothing as verify", reads, "verify", "cannot fail", verified("python3 -m unittest tests.test_sums", "python3 -c 'pass'")},
	{"python3", "a test that never was one", runs, "unnoticed", "total", amended(func(s *spec) {
		s.commits[2].files["tests/test_sums.py"] = "import unittest\n\nfrom app.sums import Square, total\n\n\nclass Sums(unittest.TestCase):\n    def test_total(self):\n        got = total([1])\n        self.assertEqual(got, got or got)\n        self.assertTrue(Square(3))\n"
	})},
}

var scriptSabotages = []sabotage{
	{"node", "a function without its body", checks, "verify", "is red at HEAD", edited(fix1, "src/slug.js", "  return text.slice(0, most);\n", "  return text;\n")},
	{"node", "a function that gives a number", reads, "constant result", "div", edited(fix2, "src/div.js", "  if (b === 0) {\n    throw new RangeError('todo lists cannot be divided by nothing');\n  }\n  return Math.trunc(a / b);\n", "  return 3;\n")},
	{"node", "an empty function", reads, "empty body", "div", edited(fix2, "src/div.js", "  if (b === 0) {\n    throw new RangeError('todo lists cannot be divided by nothing');\n  }\n  return Math.trunc(a / b);\n", "")},
	{"node", "an error that says not implemented", reads, "stub", "src/div.js", edited(fix2, "src/div.js", "  return Math.trunc(a / b);\n", "  throw new Error('Not implemented');\n")},
	{"node", "TODO implement", reads, "stub", "src/div.js", edited(fix2, "src/div.js", "  return Math.trunc(a / b);\n", "  /* TODO: implement */\n  return Math.trunc(a / b);\n")},
	{"node", "test.skip", reads, "skipped test", "divides", edited(fix2, "test/div.test.js", "test('divides'", "test.skip('divides'")},
	{"node", "xit", reads, "skipped test", "divides", edited(fix2, "test/div.test.js", "test('divides'", "const xit = test;\nxit('divides'")},
	{"node", "describe.skip", reads, "skipped test", "all of it", edited(fix2, "test/div.test.js", "test('divides'", "test.describe.skip('all of it', () => {});\ntest('divides'")},
	{"node", "test.todo", reads, "skipped test", "divides", edited(fix2, "test/div.test.js", "test('divides'", "test.todo('divides'")},
	{"node", "an option", reads, "skipped test", "divides", edited(fix2, "test/div.test.js", "test('divides', ", "test('divides', { skip: true }, ")},
	{"node", "an option with a reason", reads, "skipped test", "divides", edited(fix2, "test/div.test.js", "test('divides', ", "test('divides', { skip: 'later' }, ")},
	{"node", "t.skip", reads, "skipped test", "divides", edited(fix2, "test/div.test.js", "test('divides', () => {\n", "test('divides', (t) => {\n  t.skip('later');\n  return;\n")},
	{"node", "a return before the test", reads, "skipped test", "divides", edited(fix2, "test/div.test.js", "test('divides', () => {\n", "test('divides', () => {\n  return;\n")},
	{"node", "only", reads, "focused test", "divides", edited(fix2, "test/div.test.js", "test('divides'", "test.only('divides'")},
	{"node", "only as an option", reads, "focused test", "divides", edited(fix2, "test/div.test.js", "test('divides', ", "test('divides', { only: true }, ")},
	{"node", "fit", reads, "focused test", "divides", edited(fix2, "test/div.test.js", "test('divides'", "const fit = test;\nfit('divides'")},
	{"node", "a test without a body", reads, "skipped test", "more", edited(fix2, "test/div.test.js", "test('divides'", "test('more');\ntest('divides'")},
	{"node", "a deleted test", reads, "deleted test", "halves", edited(fix2, "test/div.test.js", "test('halves', () => {\n  assert.equal(half(8), 4);\n});\n", "")},
	{"node", "a check that is taken away", reads, "weakened test", "divides", edited(fix2, "test/div.test.js", "  assert.equal(div(7, 2), 3);\n", "")},
	{"node", "a test without a check", reads, "test without check", "halves", edited(fix2, "test/div.test.js", "assert.equal(half(8), 4);", "half(8);")},
	{"node", "a check of true", reads, "test without check", "halves", edited(fix2, "test/div.test.js", "assert.equal(half(8), 4);", "assert.ok(true);")},
	{"node", "a check of a thing with itself", reads, "test without check", "halves", edited(fix2, "test/div.test.js", "assert.equal(half(8), 4);", "assert.equal(half(8), half(8));")},
	{"node", "an error that is swallowed", reads, "swallowed error", "src/div.js", edited(fix2, "src/div.js", "\n    // what is no number has no half", "")},
	{"node", "a promise that swallows", reads, "swallowed error", "src/div.js", edited(fix2, "src/div.js", "module.exports", "Promise.resolve(1).catch(() => {});\n\nmodule.exports")},
	{"node", "a verify of no test", checks, "verify", "runs no test", verified("node --test test/slug.test.js", "node --test --test-name-pattern=nothing test/slug.test.js")},
	{"node", "a program that does nothing as verify", reads, "verify", "cannot fail", verified("node --test test/sums.test.js", "node -e 0")},
	{"node", "code that no test runs", runs, "coverage", "changed lines of javascript", amended(func(s *spec) {
		s.commits[3].files["src/grade.js"] = "function grade(n) {\n  if (n > 90) {\n    return 'A';\n  }\n  if (n > 80) {\n    return 'B';\n  }\n  if (n > 70) {\n    return 'C';\n  }\n  if (n > 60) {\n    return 'D';\n  }\n  return 'F';\n}\n\nmodule.exports = { grade };\n"
	})},
	{"node", "a test that never was one", runs, "unnoticed", "total", amended(func(s *spec) {
		s.commits[2].files["test/sums.test.js"] = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { Numbers } = require('../src/sums.js');\n\ntest('adds', () => {\n  const n = new Numbers([1, 2]);\n  n.total();\n  assert.ok(n);\n});\n"
	})},
}

// Each sabotage is named, and what names it is not said of the honest project.
func TestSabotage(t *testing.T) {
	cairntest.Long(t)
	n := 0
	for tool, list := range map[string][]sabotage{"go": goSabotages, "python3": pythonSabotages, "node": scriptSabotages, "vitest": typeSabotages} {
		list = append(append(list, moreSabotages[tool]...), attacks[tool]...)
		n += len(list)
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			clean := cleanOf(t, tool)
			unmoved := clean.copyOf(t).prove(reads, "")
			for _, s := range list {
				t.Run(s.name, func(t *testing.T) {
					p := clean.copyOf(t)
					if tool == "vitest" {
						installed(t, p)
					}
					s.do(p)
					only := ""
					if s.needs > reads { // the plan that it is about
						only = map[depth]string{checks: "01-01", runs: "01-02"}[s.needs]
					}
					r := p.prove(s.needs, only)
					if !isNamed(r.Of(Unproven), s) {
						t.Errorf("not caught as %s (%s):%s", s.kind, s.says, show(r.Of(Unproven)))
					}
					if isNamed(unmoved.Of(Unproven), s) {
						t.Errorf("said of the honest project, too: %s", show(unmoved.Of(Unproven)))
					}
				})
			}
		})
	}
	if n < 60 {
		t.Errorf("only %d sabotages", n)
	}
}

// cleanOf is the honest project of a tool, where that is installed.
func cleanOf(t *testing.T, tool string) *project {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil && tool != "vitest" {
		t.Skip("not checked: " + tool + " is not installed")
	}
	if tool == "vitest" && modules() == "" {
		t.Skip("not checked: CAIRN_TEST_MODULES names no node_modules with vitest")
	}
	return honest(t, specs[tool])
}

func isNamed(claims []Claim, s sabotage) bool {
	for _, c := range claims {
		if c.Kind == s.kind && strings.Contains(c.What+" "+c.ID, s.says) {
			return true
		}
	}
	return false
}
