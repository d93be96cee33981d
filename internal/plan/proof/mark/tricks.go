package mark

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// tricks are ways to have tests pass, or not run, that are no skip of a test by its name:
// by language, "" for all but Go.
var tricks = sync.OnceValue(func() []trick {
	compile := regexp.MustCompile
	return []trick{
		{Skipped, Script, true, compile(`(?m)\bif\s*\(\s*(?:false|0|!1|!true)\s*\)|(?:^|[;{}\n])\s*false\s*&&\s*(?:it|test|describe)\b|\.each\s*\(\s*\[\s*\]\s*\)|\bprocess\.exit\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0\b|\bbefore(?:Each|All)?\s*\(\s*(?:async\s*)?(?:\(\s*\{?\s*\w+\s*\}?\s*\)|\w+)\s*=>\s*\{?\s*(?:\w+\.)?skip\s*\(`)},
		{Vacuous, Script, true, compile(`\b(?:expect|assert(?:\.\w+)?)\s*\([^;\n]*\|\|\s*(?:true|1)\b|\bassert\.(?:throws|rejects)\(\s*(?:async\s*)?\(\)\s*=>\s*\{[^{}]*\bthrow\b|\bexpect\(\s*(?:async\s*)?\(\)\s*=>\s*\{[^{}]*\bthrow\b`)},
		{Vacuous, Script, true, compile(matchers)}, {Vacuous, Script, false, compile(matchers)},
		{Skipped, Script, true, compile(`\bcontinue\b\s*;?[\s}]*\b(?:it|test)\s*\(`)},
		{Skipped, Python, true, compile(`(?m)\.parametrize\s*\([^\[\n]*,\s*\[\s*\]\s*\)|(?:^|[^.\w])(?:os\._exit|sys\.exit|exit|quit)\s*\(\s*0?\s*\)|\bexitstatus\s*=\s*(?:0|pytest\.ExitCode\.OK)\b|\bitems\s*\[\s*:\s*\]\s*=|\bitems\.(?:clear|remove|pop)\s*\(|\bdel\s+items\b|\.hook\.pytest_deselected\b|\breturn_value\s*=\s*False\b.*\bcollect|\bif\s+(?:False|0)\s*:|^[ \t]+return[ \t]+(?:unittest\.)?TestSuite\(\s*\)`)},
		{Dead, Go, false, compile(`(?m)\bif\s+(?:false|!true)\s*(?:&&[^{\n]*)?\{|\bfor\s+false\s*\{`)},
		{Dead, Script, false, compile(`\bif\s*\(\s*(?:false|0|!1|!true|null|undefined)\s*(?:&&[^)\n]*)?\)|\bwhile\s*\(\s*(?:false|0)\s*\)\s*\{`)},
		{Dead, Python, false, compile(`(?m)^[ \t]*(?:(?:el)?if|while)\s+(?:False|0|None|not\s+True)\s*(?:\band\b[^:\n]*)?:`)},
		{Dead, Rust, false, compile(`\bif\s+(?:false|!true)\s*\{`)},
		{Vacuous, Go, true, compile(`\bflag\.Bool\(\s*"\s*",\s*true\b`)},
		{Skipped, Go, true, compile(`\brange\s+\w+\[:\s*\d+\s*\]`)},
		{Special, Go, false, compile(`\btesting\.Testing\s*\(|\bflag\.Lookup\s*\(`)},
		{Special, Script, false, compile(`\bprocess\.env\.(?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT|VITEST_WORKER_ID|MOCHA)\b|\bprocess\.env\.NODE_ENV\s*===?\s*["'\x60]\s*["'\x60]|\bimport\.meta\.vitest\b`)},
		{Special, Python, false, compile(`\bin\s+sys\.modules\b|\bos\.(?:environ|getenv)\b[^\n]*["']\s+["']|\bsys\._called_from_test\b`)},
	}
})

// matchers: what the runner of tests compares with is replaced.
const matchers = `\bexpect\.extend\s*\(\s*\{[^}]*\b(?:toBe|toEqual|toStrictEqual|toThrow|toMatch|toContain|toHaveLength|toBeCloseTo|toMatchSnapshot|toMatchInlineSnapshot)\s*[:(]`

type trick struct {
	kind Kind
	lang Lang
	test bool // in files of tests; else in the others
	re   *regexp.Regexp
}

var (
	exclusion = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:pragma:?\s*no\s*(?:cover|branch)|nocov\b|(?:c8|v8|istanbul|node:coverage)\s+(?:ignore|disable)\b.*|coverage:\s*ignore\b.*|coverage-ignore\b.*)\s*(.*)$`)
	})
	switchedOff = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^@ts-(?:nocheck|ignore)\b\s*$|^@ts-nocheck\b|^mypy:\s*ignore-errors\b|^type:\s*ignore\s*$`)
	})
	testNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT|PYTEST_CURRENT_TEST|PYTEST_VERSION|test\.v)\b|["'](?:pytest|unittest|test)["']`)
	})
	helperName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[._])(?:assert|check|verify|expect|ensure|compare|validate|must|want|equal|same)`)
	})
	environment = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`process\.env(?:\.(\w+)|\[\s*["'](\w+)["']\s*\])|os\.(?:Getenv|LookupEnv|getenv|environ\.get)\(\s*["'](\w+)["']|os\.environ\[\s*["'](\w+)["']\s*\]|["'](\w+)["']\s+(?:not\s+)?in\s+[\w().\s"']*?environ\b`)
	})
)

// readTricks marks them, and comments that take lines out of what is measured.
func (s *Source) readTricks() {
	test := IsTest(s.Name)
	for _, t := range tricks() {
		if t.lang != s.Lang || t.test != test {
			continue
		}
		for _, at := range t.re.FindAllStringIndex(s.Code, -1) {
			from := at[0] + len(s.Code[at[0]:at[1]]) - len(strings.TrimLeft(s.Code[at[0]:at[1]], " \t\r\n;{}"))
			line := s.Line(s.At(from))
			if t.kind == Special && !testNames().MatchString(line) && s.Lang != Go || strings.HasPrefix(line, "import ") {
				continue
			}
			if t.kind == Special && s.Lang == Go && strings.Contains(line, "flag.Lookup") && !testNames().MatchString(line) {
				continue
			}
			if t.kind == Vacuous && s.Lang == Go && !regexp.MustCompile(`(?i)update|golden|regen|record|write`).MatchString(line) {
				continue
			}
			if t.kind == Dead && strings.TrimSpace(s.Comments[s.starts[s.At(from)-1]:lineEnd(s.Comments, from)]) != "" { // it says why
				continue
			}
			if strings.Contains(line, "__main__") {
				continue
			}
			s.mark(t.kind, from, "")
		}
	}
	s.readExclusions(test)
	if test {
		s.readGuards()
		s.readHelpers()
		switch s.Lang {
		case Script:
			s.readMocks()
		case Python:
			s.readPatches()
		}
	}
}

// readExclusions marks comments that leave code out of coverage or of the compiler's eye.
// What no test can run (a main, what only type checkers see) is left out honestly.
func (s *Source) readExclusions(test bool) {
	for i, start := range s.starts {
		end := lineEnd(s.Comments, start)
		comment := strings.Trim(s.Comments[start:end], " \t\r/*#!-")
		if comment == "" {
			continue
		}
		code := s.Line(i + 1)
		if strings.TrimSpace(s.Code[start:end]) == "" {
			code = s.Line(i + 2)
		}
		if m := exclusion().FindStringSubmatch(comment); m != nil && !test && !unreachable(code) {
			s.Marks = append(s.Marks, Mark{Uncounted, i + 1, i + 1, s.Line(i + 1), ""})
		}
		if switchedOff().MatchString(comment) && (s.Lang == Script || s.Lang == Python && strings.HasPrefix(comment, "mypy")) {
			s.Marks = append(s.Marks, Mark{Off, i + 1, i + 1, s.Line(i + 1), ""})
		}
	}
}

func unreachable(code string) bool {
	for _, word := range []string{"__main__", "TYPE_CHECKING", "NotImplementedError", "@overload", "@abstractmethod", "assert_never", "sys.platform", "sys.version_info", "process.platform", "never", "import.meta.main", "require.main", "__repr__", "ImportError", "except Import"} {
		if strings.Contains(code, word) {
			return true
		}
	}
	return code == "..." || code == "pass"
}

// readGuards marks tests that run only where a variable of the environment is set.
func (s *Source) readGuards() {
	re := environment()
	for i, start := range s.starts {
		line := s.Text[start:lineEnd(s.Text, start)]
		m := re.FindStringSubmatch(line)
		if m == nil || strings.TrimSpace(s.Code[start:lineEnd(s.Code, start)]) == "" {
			continue
		}
		name := strings.Join(m[1:], "")
		near := s.Code[start:lineEnd(s.Code, min(len(s.Code)-1, lineEnd(s.Code, start)+1))]
		if (strings.Contains(near, "if") || strings.Contains(near, "&&") || strings.Contains(near, "?") || strings.Contains(near, "skip")) && guards(near) {
			s.Marks = append(s.Marks, Mark{Guarded, i + 1, i + 1, s.Line(i + 1), name})
		}
	}
}

var guardWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:return\s*(?:;|\}|$|\n)|\w+\.(?:Skip|SkipNow|Skipf|skip)\b|skipif\b|skipIf\b|skipUnless\b|skipTest\b|runIf\b|skip\s*[:(])`)
})

func guards(code string) bool { return guardWords().MatchString(code) }

// readHelpers marks functions of a file of tests whose name promises a check, and that
// check nothing.
func (s *Source) readHelpers() {
	if s.Lang == Rust {
		return
	}
	for _, f := range s.Functions {
		if f.Test || !helperName().MatchString(f.Name) || f.Close <= f.Open && f.Line != f.End {
			continue
		}
		if head := s.Line(f.Line); s.Lang == Script && !strings.Contains(head, "function") && !strings.Contains(head, "=>") {
			continue // a call, or a method of a class
		}
		body := s.code(f)
		var ok bool
		switch s.Lang {
		case Go:
			ok = regexp.MustCompile(`\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|Skip|SkipNow|Skipf|Equal|NoError|True|False)\b|\bpanic\(|\breturn\s+[^\s]|(?i:assert|require|check|equal)\w*[.(]`).MatchString(body) || len(f.Results) > 0
		case Python:
			ok = pythonRE()["check"].MatchString(body) || strings.Contains(body, "return ")
		default:
			ok = scriptRE()["check"].MatchString(body) || strings.Contains(body, "return ")
		}
		if !ok {
			s.markFunction(Vacuous, f)
		}
	}
}

var mockCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:(?:vi|jest)\.(?:mock|doMock|unstable_mockModule)|mock\.module)\s*\(\s*(?:import\s*\(\s*)?`)
})

// readMocks marks a test that has the very module replaced that it is named after.
func (s *Source) readMocks() {
	stem, _, _ := strings.Cut(path.Base(s.Name), ".")
	s.readCache(stem)
	s.readSpies(stem)
	for _, at := range mockCall().FindAllStringIndex(s.Code, -1) {
		paren := strings.LastIndexByte(s.Code[:at[1]], '(')
		module := s.firstString(paren)
		name, _, _ := strings.Cut(path.Base(module), ".")
		open := strings.IndexByte(s.Code[at[0]:], '(') + at[0]
		end := closing(s.Code, open)
		if name != stem || !strings.HasPrefix(module, ".") && !strings.HasPrefix(module, "@/") || end < 0 {
			continue
		}
		if call := s.Code[open:end]; !strings.Contains(call, "importOriginal") && !strings.Contains(call, "requireActual") && !strings.Contains(call, "importActual") && !strings.Contains(call, "...") {
			s.mark(Mocked, at[0], module)
		}
	}
}

var spyCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:vi|jest)\.spyOn\s*\(\s*(\w+)(?:\.prototype)?\s*,[^()]*\)\s*\.mock(?:ReturnValue|Implementation|Resolved|Rejected)`)
})

// readSpies marks what a file of tests replaces in the module that it is named after, for
// all of its tests: one may want a part of it to fail.
func (s *Source) readSpies(stem string) {
	for _, at := range spyCall().FindAllStringSubmatchIndex(s.Code, -1) {
		name := s.Code[at[2]:at[3]]
		from := regexp.MustCompile(`\bimport\b[^;\n]*\b` + name + `\b[^;\n]*\bfrom\s*["'][^"'\n]*/` + regexp.QuoteMeta(stem) + `(?:\.\w+)?["']`)
		if f, in := s.In(s.At(at[0])); from.MatchString(s.Text) && (!in || !f.Test) {
			s.mark(Mocked, at[0], name)
		}
	}
}

var patchCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bmonkeypatch\.setattr\s*\(|(?:^|[^.\w])(?:mock\.|mocker\.)?patch(?:\.object)?\s*\(`)
})

var patchTarget = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:["']([\w.]+)["']|((?:type\(\w+\)|[\w.]+))\s*,\s*["'](\w+)["'])`)
})

// readPatches marks where a test of Python replaces something. Whether that is what the test
// is about only the caller knows, who has its module: see [Source.Stem].
func (s *Source) readPatches() {
	for _, at := range patchCall().FindAllStringIndex(s.Code, -1) {
		m := patchTarget().FindStringSubmatch(s.Text[at[1]:])
		if m == nil {
			continue
		}
		name := m[1]
		if name == "" {
			name = m[2] + "." + m[3]
		}
		s.mark(Mocked, at[1]-1, name)
	}
}

// Stem is the name of the module that a file of tests is about by its own: store of
// tests/test_store.py.
func (s *Source) Stem() string {
	stem, _, _ := strings.Cut(path.Base(s.Name), ".")
	return strings.TrimSuffix(strings.TrimPrefix(stem, "test_"), "_test")
}

var platforms = []string{
	"linux", "darwin", "windows", "unix", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "illumos", "aix", "android", "ios", "js", "wasip1", "plan9", "cgo", "race", "gc", "gccgo", "msan", "asan",
	"amd64", "arm64", "386", "arm", "riscv64", "ppc64", "ppc64le", "s390x", "wasm", "mips", "loong64", "boringcrypto", "purego",
}

// Platform reports whether a word at the end of a file's name keeps it to a system.
func Platform(word string) bool {
	return slices.Contains(platforms, word) && !slices.Contains([]string{"unix", "cgo", "race", "gc", "gccgo", "msan", "asan", "boringcrypto", "purego"}, word)
}

var tagWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`!?[\w.]+`) })

// buildTags marks a file of tests that go test leaves out unless somebody names a tag.
func (r *goReader) buildTags(f *ast.File) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			expr, ok := strings.CutPrefix(strings.TrimSpace(c.Text), "//go:build ")
			if !ok || c.Pos() > f.Package {
				continue
			}
			for _, word := range tagWords().FindAllString(expr, -1) {
				if !strings.HasPrefix(word, "!") && !strings.HasPrefix(word, "go1.") && !slices.Contains(platforms, word) {
					r.mark(Tagged, r.at(c.Pos()), word)
				}
			}
		}
	}
}

// testMain marks a TestMain that does not run the tests, or does not say how they ended.
func (r *goReader) testMain(fn *ast.FuncDecl) {
	runs := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.IfStmt); ok && environment().MatchString(written(s.Cond)) && strings.Contains(r.Text[r.at(s.Body.Pos()):r.at(s.Body.End())], ".Run()") {
			r.mark(Skipped, r.at(s.Pos()), "TestMain")
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Run" {
			runs = true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Exit" && len(call.Args) == 1 {
			if lit, ok := call.Args[0].(*ast.BasicLit); ok && lit.Value == "0" {
				r.mark(Skipped, r.at(call.Pos()), "TestMain")
			}
		}
		return true
	})
	for _, arg := range calls(fn.Body) { // a helper may run them
		if id, ok := arg.(*ast.Ident); ok && len(fn.Type.Params.List) > 0 && len(fn.Type.Params.List[0].Names) > 0 && id.Name == fn.Type.Params.List[0].Names[0].Name {
			runs = true
		}
	}
	if !runs {
		r.mark(Skipped, r.at(fn.Pos()), "TestMain")
	}
}

func calls(body ast.Node) (args []ast.Expr) {
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			args = append(args, c.Args...)
		}
		return true
	})
	return args
}

// uncollected marks what is written as a test and has no name that go test looks for.
func (r *goReader) uncollected(f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil || isGoTest(fn) || fn.Name.Name == "TestMain" || fn.Type.Results != nil || len(fn.Type.Params.List) != 1 {
			continue
		}
		star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
		if !ok || written(star.X) != "testing.T" {
			continue
		}
		used := 0
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == fn.Name.Name {
				used++
			}
			return true
		})
		if used == 1 && strings.Contains(strings.ToLower(fn.Name.Name), "test") {
			r.mark(Skipped, r.at(fn.Pos()), fn.Name.Name)
		}
	}
}

// emptyTable: a loop over a list that is written down and has nothing in it.
func emptyTable(n ast.Node) bool {
	loop, ok := n.(*ast.RangeStmt)
	if !ok {
		return false
	}
	list, ok := loop.X.(*ast.CompositeLit)
	return ok && len(list.Elts) == 0
}

// bare: expect(x) with nothing asked of it; a promise whose answer nobody waits for.
func bare(text string) bool {
	text = strings.TrimSuffix(strings.TrimSpace(text), ";")
	waits := strings.HasPrefix(text, "await ") || strings.HasPrefix(text, "return ")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "await "), "return ")
	if !strings.HasPrefix(text, "expect(") {
		return strings.HasPrefix(text, "expect.assertions(0") || strings.HasPrefix(text, "expect.anything(")
	}
	end := closing(text, len("expect"))
	if end == len(text)-1 {
		return true
	}
	return end > 0 && !waits && (strings.HasPrefix(text[end+1:], ".resolves.") || strings.HasPrefix(text[end+1:], ".rejects."))
}

// tuple: assert (a, "why") is of a pair, which is never false.
func tuple(code string) bool {
	rest, ok := strings.CutPrefix(code, "assert")
	if rest = strings.TrimSpace(rest); !ok || !strings.HasPrefix(rest, "(") || closing(rest, 0) != len(rest)-1 {
		return false
	}
	depth := 0
	for _, c := range rest {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 1 {
				return true
			}
		}
	}
	return false
}
