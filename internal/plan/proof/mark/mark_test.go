package mark

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// marksOf are "KIND LINE" of a file.
func marksOf(name, text string) (out []string) {
	for _, m := range Read(name, text).Marks {
		out = append(out, fmt.Sprintf("%s %d", m.Kind, m.Line))
	}
	return out
}

// What is a mark in code, in each language, and what is none.
func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a.go", "package a\n\nfunc F(a int) int {\n\ts := \"// TODO: implement\"\n\t_ = `panic(\"not implemented\")`\n\treturn a + len(s)\n}\n", nil},
		{"a.go", "package a\n\nfunc F(a int) int {\n\t// TODO: implement\n\tpanic(\"todo\")\n}\n", []string{"stub 4", "stub 5"}},
		{"a.go", "package a\n\n// TODO(ada): a faster way, as the table grows.\nfunc F(a int) int { return a }\n", nil},
		{"a.go", "package a\n\ntype Null struct{}\n\nfunc (Null) Write(b []byte) (int, error) { return 0, nil }\n\nfunc (n Null) Close() error { return nil }\n\nfunc (n Null) Name() string { return \"null\" }\n", nil},
		{"a.go", "package a\n\nfunc Noop(a int) {}\n\nfunc Run(f func()) { f() }\n\nfunc Zero() int { return 0 }\n", nil},
		{"a.go", "package a\n\nfunc F(name string) error {\n\terr := g(name)\n\tif err != nil {\n\t\t// it was never there\n\t\treturn nil\n\t}\n\treturn err\n}\n", nil},
		{"a.go", "package a\n\nfunc F(name string) (int, error) {\n\terr := g(name)\n\tif err != nil {\n\t\treturn 0, nil\n\t}\n\treturn 1, err\n}\n", []string{"swallowed error 6"}},
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tif os.Getenv(\"DB\") == \"\" {\n\t\tt.Skip(\"no database\")\n\t}\n\tcheck(t, 1)\n}\n\nfunc check(t *testing.T, n int) {\n\tt.Helper()\n\tif n < 1 {\n\t\tt.Skip(\"never\")\n\t}\n}\n", []string{"guarded test 6"}},
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tif got := F(tt.in); got != tt.want {\n\t\t\t\tt.Error(got)\n\t\t\t}\n\t\t})\n\t}\n}\n\nfunc TestScripts(t *testing.T) { testscript.Run(t, testscript.Params{Dir: \"testdata\"}) }\n\nfunc FuzzA(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, s string) {\n\t\tif F(s) == \"\" {\n\t\t\tt.Fatal(s)\n\t\t}\n\t})\n}\n", nil},
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tassert.True(t, true)\n\tassert.Equal(t, 1, 1)\n}\n", []string{"test without check 5"}},
		{"a.py", "class A(ABC):\n    @abstractmethod\n    def f(self, x):\n        raise NotImplementedError\n\n\nclass Base:\n    def g(self, x):\n        raise NotImplementedError(\"x\")\n\n\nclass E(Exception):\n    pass\n\n\ndef f(x):\n    '''raise NotImplementedError\n    TODO implement'''\n    s = \"# TODO implement\"\n    return s + x\n", nil},
		{"a.py", "def f(x):\n    try:\n        g(x)\n    except Exception:\n        pass\n    try:\n        g(x)\n    except Exception:\n        log(x)\n    try:\n        g(x)\n    except KeyError:\n        pass\n", []string{"swallowed error 4"}},
		{"test_a.py", "import pytest\n\n\n@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_a():\n    assert f(1) == 2\n\n\ndef test_b(tmp_path):\n    if not db():\n        pytest.skip('no database')\n    with pytest.raises(ValueError):\n        f(0)\n\n\n@pytest.mark.parametrize('a', [1, 2])\ndef test_c(a):\n    assert_right(a)\n", nil},
		{"test_a.py", "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert f(1) == 2\n\n\ndef test_b():\n    pytest.skip('later')\n    assert f(1)\n\n\n@pytest.mark.xfail(reason='later')\ndef test_c():\n    assert f(1)\n\n\ndef test_d():\n    f(1)\n", []string{"skipped test 4", "skipped test 10", "skipped test 14", "test without check 19"}},
		{"a.ts", "export function f(a: number): { b: number } {\n  const s = `it.skip(${a ? '// TODO: implement' : \"x\"})`;\n  const re = /\\/\\/ TODO: implement/;\n  return { b: a / 2 };\n}\n\nexport class Q {\n  constructor(private readonly a: number) {}\n  get size(): number {\n    return this.a;\n  }\n}\n\nexport interface I { f(a: number): void; }\n", nil},
		{"a.ts", "export function f(a: number): number {\n  throw new Error(\"Not implemented\");\n}\n\nexport const g = (a: number): number => {\n  return 4;\n};\n\nexport async function h(a: string): Promise<void> {\n}\n", []string{"stub 2", "constant result 5", "empty body 9"}},
		{"a.test.ts", "import { describe, expect, it } from 'vitest';\n\ndescribe('a', () => {\n  it('b', async () => {\n    expect(await f(1)).toBe(2);\n  });\n  it.each([1, 2])('c %i', (n) => {\n    expect(f(n)).toEqual(n);\n  });\n  it.skipIf(process.platform === 'win32')('d', () => {\n    expect(1 + f(1)).toBe(3);\n  });\n});\n\ntest.skip(({ browserName }) => browserName === 'webkit', 'not there');\n", nil},
		{"a.test.ts", "describe.only('a', () => {\n  it.skip('b', () => {\n    expect(f(1)).toBe(2);\n  });\n  xit('c', () => {\n    expect(f(1)).toBe(2);\n  });\n  fit('d', () => {\n    expect(f(1)).toBe(2);\n  });\n  it.todo('e');\n  it('f', () => {\n    expect(true).toBe(true);\n  });\n  it.skip.each([1])('g', (n) => {\n    expect(f(n)).toBe(2);\n  });\n  it.skipIf(true)('h', () => {\n    expect(f(1)).toBe(2);\n  });\n});\n",
			[]string{"focused test 1", "skipped test 2", "skipped test 5", "focused test 8", "skipped test 11", "test without check 12", "skipped test 15", "skipped test 18"}},
		{"a.jsx", "export function A(p) {\n  return <p title=\"it's\">Don't {p.a} it.skip('x', TODO)</p>;\n}\n", nil},
		{"src/a.rs", "/// todo!() is what others write.\npub fn f<'a>(x: &'a str) -> String {\n    let c = '\"'; let r = r#\"todo!() \" // TODO: implement\"#;\n    format!(\"{x}{c}{r}\")\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn works() {\n        assert_eq!(f(\"a\"), \"b\");\n    }\n    #[cfg_attr(windows, ignore)]\n    #[test]\n    fn unix() {\n        assert!(f(\"\").is_empty());\n    }\n}\n", nil},
		{"src/a.rs", "pub fn f(x: u32) -> u32 {\n    todo!()\n}\n\npub fn g(x: u32) -> u32 {\n    unimplemented!(\"later\")\n}\n\npub fn h(x: u32) -> u32 {\n    4\n}\n\npub fn i(x: u32) -> u32 {\n    panic!(\"not implemented\")\n}\n\n#[test]\n#[ignore]\nfn a() {\n    assert_eq!(f(1), 1);\n}\n\n#[test]\nfn b() {\n    let _ = f(1);\n}\n\n#[test]\nfn c() {\n    assert!(true);\n}\n",
			[]string{"stub 2", "stub 6", "constant result 9", "stub 14", "skipped test 18", "test without check 24", "test without check 29"}},
	} {
		if got := marksOf(tt.name, tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q\n%s", tt.name, got, tt.want, tt.text)
		}
	}
}

// Ways to have tests pass that are no skip by its name, and honest lines beside them.
func TestTricks(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a_test.go", "//go:build integration\n\npackage a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { check(t) }\n", []string{"tagged test 1"}},
		{"a_test.go", "//go:build linux && !race\n\npackage a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { check(t) }\n", nil},
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n\nfunc testA(t *testing.T) {\n\tt.Error(1)\n}\n\nfunc Testb(t *testing.T) {\n\tt.Error(1)\n}\n", []string{"skipped test 7", "skipped test 10", "skipped test 14"}},
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n\nfunc TestX(t *testing.T) {\n\tt.Run(\"a\", testA)\n}\n\nfunc testA(t *testing.T) {\n\tt.Error(1)\n}\n", nil},
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, f(1), f(1))\n}\n\nfunc TestB(t *testing.T) {\n\tfor _, x := range []int{} {\n\t\tt.Error(x)\n\t}\n}\n\nfunc assertSame(t *testing.T, a, b int) {\n\tt.Helper()\n}\n", []string{"test without check 5", "test without check 9", "test without check 15"}},
		{"a.go", "package a\n\nimport \"testing\"\n\nfunc F(a int) int {\n\tif testing.Testing() {\n\t\treturn 6\n\t}\n\treturn a + 1\n}\n", []string{"code for tests 6"}},
		{"test_a.py", "import os\n\n\ndef test_a():\n    assert (f(1) == 2, 'no')\n\n\ndef test_b():\n    try:\n        assert f(1) == 2\n    except AssertionError:\n        pass\n\n\n@pytest.mark.parametrize('x', [])\ndef test_c(x):\n    assert f(x) == 1\n\n\ndef test_d():\n    if not os.environ.get('FULL'):\n        return\n    assert f(1) == 2\n\n\ndef check_it(x):\n    x + 1\n\n\ndef test_e():\n    assert (f(1), 2) == (3, 2)\n    with pytest.raises(ValueError):\n        f(0)\n", []string{"test without check 4", "test without check 11", "skipped test 15", "guarded test 21", "test without check 26"}},
		{"conftest.py", "def pytest_collection_modifyitems(config, items):\n    items[:] = [i for i in items if 'div' not in i.name]\n\n\ndef pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n", []string{"skipped test 2", "skipped test 6"}},
		{"a.py", "import os, sys\n\n\ndef f(a):\n    if 'pytest' in sys.modules:\n        return 6\n    if os.environ.get('PYTEST_CURRENT_TEST'):\n        return 7\n    return a + 1  # pragma: no cover\n\n\nif __name__ == '__main__':  # pragma: no cover\n    sys.exit(0)\n", []string{"code for tests 5", "code for tests 7", "coverage exclusion 9"}},
		{"a.ts", "// @ts-nocheck\nexport function f(a: number): number {\n  if (process.env.VITEST) {\n    return 6;\n  }\n  /* v8 ignore next */\n  const b = a + 1;\n  // @ts-ignore\n  const c: number = 'x';\n  // @ts-ignore: the types of the library are wrong\n  const d: number = lib.x;\n  return b + c + d;\n}\n", []string{"check switched off 1", "code for tests 3", "coverage exclusion 6", "check switched off 8"}},
		{"div.test.ts", "import { expect, it, vi } from 'vitest';\nvi.mock('../src/div', () => ({ div: () => 3 }));\nvi.mock('../src/log', () => ({ log: () => {} }));\n\nit('a', () => {\n  expect(div(7, 2));\n  expect(() => div(1, 0));\n});\n\nit('b', () => {\n  expect(later()).resolves.toBe(1);\n});\n\nit('c', async () => {\n  await expect(later()).resolves.toBe(1);\n});\n\nit('d', () => {\n  try {\n    expect(div(7, 2)).toBe(3);\n  } catch {}\n});\n\nit.each([])('e', (n) => {\n  expect(div(n, 2)).toBe(3);\n});\n\nif (false) {\n  it('f', () => {\n    expect(div(7, 2)).toBe(3);\n  });\n}\n", []string{"mocked subject 2", "test without check 5", "test without check 10", "test without check 21", "skipped test 24", "skipped test 28"}},
		{"div.test.ts", "vi.mock('../src/div', async (importOriginal) => ({ ...(await importOriginal()), log: vi.fn() }));\n\nfunction assertRight(a) {\n  expect(a).toBe(3);\n}\n\nit('a', () => {\n  assertRight(div(7, 2));\n  try {\n    rm('x');\n  } catch {}\n});\n", nil},
	} {
		if got := marksOf(tt.name, tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q\n%s", tt.name, got, tt.want, tt.text)
		}
	}
}

// Whatever is read, strings and comments are blanked without a byte or a line moving.
func FuzzMask(f *testing.F) {
	for _, s := range []string{"a := `x` // y", "'''a''' # b\n\"c\\\"\"", "`a${b + `c${d}`}e` /x\\/[/]/g", "r#\"a\"# 'a' '\\'' 'static /* /* */ */", "\"\n'", "/*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []string{"a.go", "a_test.py", "a.test.ts", "a.rs"} {
			r := Read(name, s)
			if len(r.Code) != len(s) || len(r.Comments) != len(s) || strings.Count(r.Code, "\n") != strings.Count(s, "\n") {
				t.Errorf("%s: %q became %q and %q", name, s, r.Code, r.Comments)
			}
			for _, fn := range r.Functions {
				_ = r.Body(fn)
			}
		}
	})
}
