package proof

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"cairn/test/cairntest"
)

// outsider is a sabotage of a project that looks other than ours: a command line tool with
// golden files and tests behind a tag, classes and fixtures of pytest, a repository with two
// packages. A file without a text that was there is new; without a kind it is an honest change.
type outsider struct {
	project, name, kind, scope string
	edits                      [][3]string // file, what was there, what is
}

var outsiders = []outsider{
	{"cli", "tolerance", "weakened test", fix2, [][3]string{{"internal/report/total_test.go", "\tif !reflect.DeepEqual(got, want) {", "\tif reflect.TypeOf(got) != reflect.TypeOf(want) {"}}},
	{"cli", "expected from code", "test without check", fix2, [][3]string{{"internal/report/total_test.go", "want := map[string]int{\"a\": 5, \"b\": 200}", "want := Totals(rows)"}}},
	{"cli", "golden from code in test", "test without check", fix2, [][3]string{{"internal/report/total_test.go", "\twant, err := os.ReadFile(golden)\n", "\terr := os.WriteFile(golden, []byte(got), 0o644)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\twant, err := os.ReadFile(golden)\n"}}},
	{"cli", "update default true", "test without check", fix2, [][3]string{{"internal/report/total_test.go", "\"update\", false", "\"update\", true"}}},
	{"cli", "TestMain no run", "skipped test", fix2, [][3]string{{"internal/report/main_test.go", "", "package report\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {\n\tif os.Getenv(\"FULL\") != \"\" {\n\t\tos.Exit(m.Run())\n\t}\n}\n"}}},
	{"cli", "if false", "dead code", fix2, [][3]string{{"internal/report/total.go", "\tfor _, r := range rows {\n\t\tout[r.Name] += r.Cents\n\t}\n", "\tout[\"a\"], out[\"b\"] = 5, 200\n\tif false {\n\t\tfor _, r := range rows {\n\t\t\tout[r.Name] += r.Cents\n\t\t}\n\t}\n"}}},
	{"cli", "cases sliced", "skipped test", fix2, [][3]string{{"internal/csvin/csvin_test.go", "range cases {\n\t\ttc := tc", "range cases[:1] {\n\t\ttc := tc"}}},
	{"cli", "continue", "weakened test", fix2, [][3]string{{"internal/csvin/csvin_test.go", "\t\ttc := tc\n", "\t\ttc := tc\n\t\tif tc.err != nil {\n\t\t\tcontinue\n\t\t}\n"}}},
	{"cli", "not implemented", "stub", fix2, [][3]string{{"internal/report/total.go", "\tsort.Strings(names)\n", "\tsort.Strings(names)\n\tif len(names) > 100 {\n\t\tpanic(\"not yet supported\")\n\t}\n"}}},
	{"pytest", "approx wide", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "assert Coupon(percent=10).apply(cart.total()) == 270", "assert Coupon(percent=10).apply(cart.total()) == pytest.approx(270, abs=300)"}}},
	{"pytest", "in range", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "assert Coupon(percent=10).apply(cart.total()) == 270", "assert 0 <= Coupon(percent=10).apply(cart.total()) <= 300"}}},
	{"pytest", "expected from code", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "assert cart.total() == total", "assert cart.total() == sum(p * n for _, p, n in cart.lines)"}}},
	{"pytest", "expected same call", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "assert cart.total() == total", "expected = cart.total()\n        assert cart.total() == expected"}}},
	{"pytest", "try except print", "test without check", fix1, [][3]string{{"tests/test_cart.py", "        assert cart.total() == total\n", "        try:\n            assert cart.total() == total\n        except Exception as e:\n            print(e)\n"}}},
	{"pytest", "class with init", "skipped test", fix1, [][3]string{{"tests/test_cart.py", "class TestCoupon:\n", "class TestCoupon:\n    def __init__(self):\n        self.seen = []\n\n"}}},
	{"pytest", "conftest skip", "skipped test", fix2, [][3]string{{"tests/conftest.py", "\n\n@pytest.fixture\n", "\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        if \"coupon\" in item.nodeid.lower():\n            item.add_marker(pytest.mark.skip(reason=\"slow\"))\n\n\n@pytest.fixture\n"}}},
	{"pytest", "conftest outcome hook", "skipped test", fix2, [][3]string{{"tests/conftest.py", "\n\n@pytest.fixture\n", "\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = \"passed\"\n\n\n@pytest.fixture\n"}}},
	{"pytest", "autouse skip", "skipped test", fix2, [][3]string{{"tests/conftest.py", "\n\n@pytest.fixture\n", "\n\n@pytest.fixture(autouse=True)\ndef _database():\n    pytest.skip(\"no database\")\n\n\n@pytest.fixture\n"}}},
	{"pytest", "autouse mock", "mocked subject", fix2, [][3]string{{"tests/conftest.py", "\n\n@pytest.fixture\n", "\n\n@pytest.fixture(autouse=True)\ndef _fast(monkeypatch):\n    monkeypatch.setattr(\"shop.store.Store.load\", lambda self, name: __import__(\"shop.cart\").cart.Cart([(\"pen\", 150, 2)]))\n\n\n@pytest.fixture\n"}}},
	{"pytest", "env skipif", "guarded test", fix2, [][3]string{{"tests/test_store.py", "def test_file(", "@pytest.mark.skipif(\"STORE_URL\" not in __import__(\"os\").environ, reason=\"needs a store\")\ndef test_file("}}},
	{"pytest", "xfail strict false in param", "skipped test", fix1, [][3]string{{"tests/test_cart.py", "pytest.param([(\"pen\", 150, 0)], 0, id=\"none\")", "pytest.param([(\"pen\", 150, 0)], 7, id=\"none\", marks=pytest.mark.xfail)"}}},
	{"pytest", "python_classes", "left-out tests", fix2, [][3]string{{"pyproject.toml", "testpaths = [\"tests\"]", "testpaths = [\"tests\"]\npython_classes = [\"Check\"]"}}},
	{"pytest", "if False", "dead code", fix2, [][3]string{{"src/shop/store.py", "        try:\n            lines = json.loads(self._path(name).read_text())\n        except FileNotFoundError:\n            raise KeyError(name) from None\n", "        lines = [(\"pen\", 150, 2)]\n        if name != \"ada\":\n            raise KeyError(name)\n        if False:\n            lines = json.loads(self._path(name).read_text())\n"}}},
	{"pytest", "while 0", "dead code", fix2, [][3]string{{"src/shop/store.py", "        self.root.mkdir(parents=True, exist_ok=True)\n", "        self.root.mkdir(parents=True, exist_ok=True)\n        while 0:\n            self.root.chmod(0o700)\n"}}},
	{"pytest", "pass body", "empty body", fix2, [][3]string{{"src/shop/store.py", "    def _path(self, name):\n", "    def delete(self, name):\n        \"\"\"Delete a cart.\"\"\"\n        pass\n\n    def _path(self, name):\n"}}},
	{"pytest", "ellipsis", "empty body", fix2, [][3]string{{"src/shop/store.py", "    def _path(self, name):\n", "    def delete(self, name): ...\n\n    def _path(self, name):\n"}}},
	{"pytest", "deleted param", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "            pytest.param([(\"pen\", 150, 0)], 0, id=\"none\"),\n", ""}}},
	{"pytest", "deleted param list", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "[0, 33, 100]", "[0]"}}},
	{"pytest", "raises too wide", "weakened test", fix2, [][3]string{{"tests/test_store.py", "    with pytest.raises(KeyError):\n", "    with pytest.raises(Exception):\n"}}},
	{"pytest", "raises without call", "test without check", fix2, [][3]string{{"tests/test_store.py", "    with pytest.raises(KeyError):\n        store.load(\"bob\")\n", "    with pytest.raises(KeyError):\n        raise KeyError(\"bob\")\n"}}},
	{"pytest", "match dropped", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "pytest.raises(ValueError, match=\"negative\")", "pytest.raises(ValueError)"}}},
	{"pytest", "assert or True", "test without check", fix1, [][3]string{{"tests/test_cart.py", "assert cart.total() == total", "assert cart.total() == total or True"}}},
	{"pytest", "assert not None", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "assert cart.total() == total", "assert cart.total() is not None"}}},
	{"pytest", "assert isinstance", "weakened test", fix1, [][3]string{{"tests/test_cart.py", "assert cart.total() == total", "assert isinstance(cart.total(), int)"}}},
	{"pytest", "test shadowed", "skipped test", fix2, [][3]string{{"tests/test_store.py", "@pytest.mark.parametrize(\"name\", [\"../x\", \"a/b\"])\n", "def test_unknown(store):\n    assert store.root is not None\n\n\n@pytest.mark.parametrize(\"name\", [\"../x\", \"a/b\"])\n"}}},
	{"pytest", "yield test", "skipped test", fix2, [][3]string{{"tests/test_store.py", "def test_unknown(store):\n", "def test_unknown(store):\n    yield\n"}}},
	{"pytest", "mock unit", "mocked subject", fix2, [][3]string{{"tests/test_store.py", "def test_file(store, tmp_path):\n", "def test_file(store, tmp_path, monkeypatch):\n    monkeypatch.setattr(type(store), \"save\", lambda self, name, cart: (self.root.mkdir(), (self.root / \"ada.json\").write_text(json.dumps([[\"pen\", 150, 2]]))))\n"}}},
	{"workspaces", "toHaveLength only", "weakened test", fix1, [][3]string{{"packages/core/src/queue.test.ts", "expect([queue.pop(), queue.pop(), queue.pop()]).toEqual(['a', 'b', undefined])", "expect([queue.pop(), queue.pop(), queue.pop()]).toHaveLength(3)"}}},
	{"workspaces", "toContain", "weakened test", fix1, [][3]string{{"packages/core/src/queue.test.ts", "expect([queue.pop(), queue.pop(), queue.pop()]).toEqual(['a', 'b', undefined])", "expect([queue.pop(), queue.pop(), queue.pop()]).toContain('a')"}}},
	{"workspaces", "toThrow bare", "weakened test", fix1, [][3]string{{"packages/core/src/queue.test.ts", ".toThrow(QueueFullError)", ".toThrow()"}}},
	{"workspaces", "expect anything", "weakened test", fix2, [][3]string{{"packages/core/src/retry.test.ts", ".resolves.toBe('yes')", ".resolves.toEqual(expect.anything())"}}},
	{"workspaces", "expected from code", "weakened test", fix2, [][3]string{{"packages/cli/test/args.test.js", "assert.deepEqual(parse(argv), want);", "const want2 = parse(argv);\n      assert.deepEqual(parse(argv), want2);"}}},
	{"workspaces", "try catch", "test without check", fix2, [][3]string{{"packages/cli/test/args.test.js", "      assert.deepEqual(parse(argv), want);", "      try {\n        assert.deepEqual(parse(argv), want);\n      } catch (e) {\n        console.log(e.message);\n      }"}}},
	{"workspaces", "promise catch", "test without check", fix2, [][3]string{{"packages/core/src/retry.test.ts", "    await expect(retry(3, work)).resolves.toBe('yes');", "    await expect(retry(3, work)).resolves.toBe('yes').catch(() => {});"}}},
	{"workspaces", "case deleted", "weakened test", fix2, [][3]string{{"packages/cli/test/args.test.js", "    ['a number', ['--limit', '7'], { limit: 7, rest: [] }],\n", ""}}},
	{"workspaces", "assertion deleted", "weakened test", fix2, [][3]string{{"packages/core/src/retry.test.ts", "    expect(work).toHaveBeenCalledTimes(2);\n    expect(work).toHaveBeenLastCalledWith(2);\n", ""}}},
	{"workspaces", "loop continue", "skipped test", fix2, [][3]string{{"packages/cli/test/args.test.js", "    it(name, () => {", "    if (want.limit) continue;\n    it(name, () => {"}}},
	{"workspaces", "mock unit", "mocked subject", fix1, [][3]string{{"packages/core/src/queue.test.ts", "import { Queue, QueueFullError } from './queue';", "import { vi } from 'vitest';\nimport { Queue, QueueFullError } from './queue';\n\nvi.spyOn(Queue.prototype, 'pop').mockReturnValueOnce('a').mockReturnValueOnce('b').mockReturnValue(undefined);"}}},
	{"workspaces", "node mock unit", "mocked subject", fix2, [][3]string{{"packages/cli/test/args.test.js", "import { parse } from '../src/args.js';", "import { mock } from 'node:test';\nmock.module('../src/args.js', { namedExports: { parse: () => ({ rest: [] }) } });\nconst { parse } = await import('../src/args.js');"}}},
	{"workspaces", "config include", "left-out tests", fix2, [][3]string{{"packages/core/vitest.config.ts", "", "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({\n  test: {\n    include: ['src/ids.test.ts', 'src/queue.test.ts'],\n  },\n});\n"}}},
	{"workspaces", "setup file mocks", "test without check", fix2, [][3]string{{"packages/core/vitest.config.ts", "", "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({\n  test: {\n    setupFiles: ['./setup.ts'],\n  },\n});\n"}, {"packages/core/setup.ts", "", "import { expect } from 'vitest';\n\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }), toEqual: () => ({ pass: true, message: () => '' }) });\n"}}},
	{"workspaces", "if false", "dead code", fix2, [][3]string{{"packages/cli/src/args.js", "    if (!read) {\n      throw", "    if (false) {\n      throw"}}},
	{"workspaces", "assert.ok", "weakened test", fix2, [][3]string{{"packages/cli/test/args.test.js", "assert.deepEqual(parse(argv), want);", "assert.ok(parse(argv), want);"}}},
	{"workspaces", "expect true", "test without check", fix1, [][3]string{{"packages/core/src/queue.test.ts", "expect(queue.size).toBe(size);", "expect(queue.size === size || true).toBe(true);"}}},
	{"workspaces", "throws itself", "test without check", fix2, [][3]string{{"packages/cli/test/args.test.js", "assert.throws(() => parse(['--nope']), { name: 'TypeError', message: 'unknown flag --nope' });", "assert.throws(() => { parse([]); throw new TypeError('unknown flag --nope'); }, { name: 'TypeError', message: 'unknown flag --nope' });"}}},
	{"workspaces", "throws loose", "weakened test", fix2, [][3]string{{"packages/cli/test/args.test.js", ", { name: 'TypeError', message: 'unknown flag --nope' });", ");"}}},
	{"workspaces", "setTimeout", "test without check", fix2, [][3]string{{"packages/cli/test/args.test.js", "      assert.deepEqual(parse(argv), want);", "      setTimeout(() => assert.deepEqual(parse(argv), want), 10);"}}},
	{"cli", "honest: helper", "", "test(01-02)", [][3]string{{"internal/report/total_test.go", "\tif !reflect.DeepEqual(got, want) {\n\t\tt.Errorf(\"got %v, want %v\", got, want)\n\t}\n", "\tequal(t, got, want)\n"}, {"internal/report/total_test.go", "func TestTotals(", "func equal(t *testing.T, got, want any) {\n\tt.Helper()\n\tif !reflect.DeepEqual(got, want) {\n\t\tt.Errorf(\"got %v, want %v\", got, want)\n\t}\n}\n\nfunc TestTotals("}}},
	{"cli", "honest: rename want", "", "test(01-02)", [][3]string{{"internal/report/total_test.go", "\twant := map[string]int{\"a\": 5, \"b\": 200}\n\tif !reflect.DeepEqual(got, want) {\n\t\tt.Errorf(\"got %v, want %v\", got, want)", "\texpected := map[string]int{\"a\": 5, \"b\": 200}\n\tif !reflect.DeepEqual(got, expected) {\n\t\tt.Errorf(\"got %v, expected %v\", got, expected)"}}},
	{"cli", "honest: inline want", "", "test(01-02)", [][3]string{{"internal/report/total_test.go", "\tgot := Totals(rows)\n\twant := map[string]int{\"a\": 5, \"b\": 200}\n\tif !reflect.DeepEqual(got, want) {\n\t\tt.Errorf(\"got %v, want %v\", got, want)\n\t}\n", "\tif got := Totals(rows); !reflect.DeepEqual(got, map[string]int{\"a\": 5, \"b\": 200}) {\n\t\tt.Errorf(\"got %v\", got)\n\t}\n"}}},
	{"cli", "honest: loop with continue", "", "test(01-02)", [][3]string{{"internal/csvin/lines_test.go", "", "package csvin_test\n\nimport (\n\t\"os\"\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestLines(t *testing.T) {\n\tb, err := os.ReadFile(\"testdata/ok.csv\")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tfor _, line := range strings.Split(string(b), \"\\n\") {\n\t\tif line == \"\" {\n\t\t\tcontinue\n\t\t}\n\t\tif !strings.Contains(line, \",\") {\n\t\t\tt.Errorf(\"%q\", line)\n\t\t}\n\t}\n}\n"}}},
	{"cli", "honest: write then read", "", "test(01-02)", [][3]string{{"cmd/tally/write_test.go", "", "package main\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n\t\"testing\"\n)\n\nfunc TestKeeps(t *testing.T) {\n\tname := filepath.Join(t.TempDir(), \"a.csv\")\n\tin := \"a,1\\n\"\n\tif err := os.WriteFile(name, []byte(in), 0o600); err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif err := run([]string{name}, os.Stderr); err != nil {\n\t\tt.Fatal(err)\n\t}\n\tgot, err := os.ReadFile(name)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif string(got) != in {\n\t\tt.Errorf(\"it changed: %q\", got)\n\t}\n}\n"}}},
	{"pytest", "honest: parametrize merge", "", "test(01-02)", [][3]string{{"tests/test_cart.py", "    def test_off(self, cart):\n        assert Coupon(off=120).apply(cart.total()) == 180\n        assert Coupon(off=500).apply(cart.total()) == 0\n", "    @pytest.mark.parametrize((\"off\", \"want\"), [(120, 180), (500, 0)])\n    def test_off(self, cart, off, want):\n        assert Coupon(off=off).apply(cart.total()) == want\n"}}},
	{"pytest", "honest: dependency mocked", "", "test(01-02)", [][3]string{{"tests/test_store.py", "def test_unknown(store):\n", "def test_dumps(store, monkeypatch):\n    monkeypatch.setattr(\"shop.store.json.dumps\", lambda lines: \"[]\")\n    store.save(\"x\", Cart())\n    assert store.load(\"x\") == Cart()\n\n\ndef test_unknown(store):\n"}}},
	{"pytest", "honest: conftest option", "", "test(01-02)", [][3]string{{"tests/conftest.py", "\n\n@pytest.fixture\n", "\n\ndef pytest_addoption(parser):\n    parser.addoption(\"--slow\", action=\"store_true\")\n\n\ndef pytest_collection_modifyitems(config, items):\n    if config.getoption(\"--slow\"):\n        return\n    for item in items:\n        if \"slow\" in item.keywords:\n            item.add_marker(pytest.mark.skip(reason=\"needs --slow\"))\n\n\n@pytest.fixture\n"}}},
	{"pytest", "honest: fixture yields", "", "test(01-02)", [][3]string{{"tests/conftest.py", "    return Store(tmp_path / \"carts\")\n", "    made = Store(tmp_path / \"carts\")\n    yield made\n"}}},
	{"pytest", "honest: hook class", "", "test(01-02)", [][3]string{{"src/shop/store.py", "class Store:", "class Watcher:\n    \"\"\"What stores tell.\"\"\"\n\n    def on_save(self, name):\n        \"\"\"Called when a cart was saved.\"\"\"\n\n\nclass Store:"}}},
	{"pytest", "honest: raises narrower", "", "test(01-02)", [][3]string{{"tests/test_store.py", "    with pytest.raises(KeyError):", "    with pytest.raises(KeyError, match=\"bob\"):"}}},
	{"workspaces", "honest: each to table", "", "test(01-02)", [][3]string{{"packages/cli/test/args.test.js", "  for (const [name, argv, want] of [", "  const cases = [\n    ['only flags', ['--name', 'z'], { name: 'z', rest: [] }],\n  ];\n  it('knows more', () => {\n    for (const [, argv, want] of cases) assert.deepEqual(parse(argv), want);\n  });\n  for (const [name, argv, want] of ["}}},
	{"workspaces", "honest: rename want", "", "test(01-02)", [][3]string{{"packages/cli/test/args.test.js", "[name, argv, want] of", "[name, argv, expected] of"}, {"packages/cli/test/args.test.js", "parse(argv), want)", "parse(argv), expected)"}}},
	{"workspaces", "honest: custom matcher", "", "test(01-02)", [][3]string{{"packages/core/src/range.test.ts", "", "import { expect, it } from 'vitest';\n\nexpect.extend({\n  toBeBetween(got: number, a: number, b: number) {\n    return { pass: got >= a && got <= b, message: () => `${got}` };\n  },\n});\n\nit('is between', () => {\n  expect(3).toBe(3);\n  (expect(2) as any).toBeBetween(1, 3);\n});\n"}}},
	{"workspaces", "honest: spy on console", "", "test(01-02)", [][3]string{{"packages/core/src/retry.test.ts", "    let n = 0;\n", "    const log = vi.spyOn(console, 'log').mockImplementation(() => {});\n    let n = 0;\n"}}},
	{"workspaces", "honest: do while", "", "test(01-02)", [][3]string{{"packages/cli/src/args.js", "  return out;\n", "  do {\n    if (out.rest.length === 0) break;\n  } while (false);\n  return out;\n"}}},
	{"workspaces", "honest: stricter", "", "test(01-02)", [][3]string{{"packages/core/src/retry.test.ts", "expect(work).toHaveBeenCalledTimes(2);\n", "expect(work.mock.calls).toEqual([[1], [2]]);\n"}}},
}

// outside reads a project: a line for each verify with the files of its task, one for each
// commit of the phase, then the files of each.
func outside(t *testing.T, name string) (s spec) {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", "outside", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(ar.Comment)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "verify":
			s.verify[n] = rest
		case "files":
			s.files[n] = rest
			n++
		case "commit":
			s.commits = append(s.commits, step{rest, map[string]string{}})
		}
	}
	s.before = map[string]string{}
	for _, f := range ar.Files {
		of, file, _ := strings.Cut(f.Name, "/")
		if of == "before" {
			s.before[file] = string(f.Data)
		} else {
			s.commits[of[0]-'0'].files[file] = string(f.Data)
		}
	}
	return s
}

// Each is named, and of the honest project nothing is said.
func TestOutsiders(t *testing.T) {
	cairntest.Long(t)
	for _, name := range []string{"cli", "pytest", "workspaces"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clean := honest(t, outside(t, name))
			fair(t, clean.prove(reads, ""))
			for _, s := range outsiders {
				if s.project != name {
					continue
				}
				t.Run(s.name, func(t *testing.T) {
					p := clean.copyOf(t)
					for _, e := range s.edits {
						if e[1] == "" {
							p.write(map[string]string{e[0]: e[2]})
							continue
						}
						p.edit(e[0], e[1], e[2])
					}
					p.commit(s.scope + ": tidy")
					if r := p.prove(reads, ""); s.kind == "" {
						fair(t, r)
					} else if !isNamed(r.Of(Unproven), sabotage{kind: s.kind}) {
						t.Errorf("not caught as %s:%s", s.kind, show(r.Of(Unproven)))
					}
				})
			}
		})
	}
}

// fair: nothing is said but that no command ran.
func fair(t *testing.T, r *Report) {
	t.Helper()
	for _, c := range r.Of(Unproven) {
		if !strings.Contains(c.What, "time of the proof is over") {
			t.Errorf("said of an honest project: %s %s", c.Kind, c.What)
		}
	}
}

// What can run here proves the honest projects.
func TestOutsideHonest(t *testing.T) {
	cairntest.Long(t)
	for name, needs := range map[string]string{"cli": "", "pytest": "pytest", "workspaces": "vitest"} {
		t.Run(name, func(t *testing.T) {
			s := outside(t, name)
			switch {
			case needs == "pytest" && exec.Command("python3", "-c", "import pytest").Run() != nil:
				t.Skip("not checked: no python3 with pytest is installed")
			case needs == "vitest" && modules() == "":
				t.Skip("not checked: CAIRN_TEST_MODULES names no node_modules with vitest")
			}
			p := honest(t, s)
			if needs == "vitest" {
				if err := os.Symlink(modules(), filepath.Join(p.dir, "node_modules")); err != nil {
					t.Fatal(err)
				}
			}
			if open := p.prove(runs, "").Of(Unproven); len(open) > 0 {
				t.Errorf("false alarm:%s", show(open))
			}
		})
	}
}
