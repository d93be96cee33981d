package proof

import (
	"strings"
	"testing"
)

// What people do to tests that are there, and that makes none of them weaker.
func init() {
	const div = "calc/div_test.go"
	fairs = append(fairs,
		honesty{"go", "a table with cases that fail", replaced("test(01-02)", div, `package calc

import (
	"errors"
	"testing"
)

func TestDiv(t *testing.T) {
	for _, tt := range []struct {
		a, b, want int
		err        error
	}{
		{7, 2, 3, nil},
		{7, 0, 0, ErrZero},
	} {
		got, err := Div(tt.a, tt.b)
		if tt.err != nil {
			if !errors.Is(err, tt.err) {
				t.Errorf("%d/%d: %v", tt.a, tt.b, err)
			}
			continue
		}
		if got != tt.want || err != nil {
			t.Errorf("%d/%d: got %d, %v", tt.a, tt.b, got, err)
		}
	}
	if got, err := Half(8); got != 4 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
}
`)},
		honesty{"go", "a helper that compares", edited("test(01-02)", "calc/sum_test.go",
			"func TestSum(t *testing.T) {\n\tif got := Sum(1, 2, 3); got != 6 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n\tif got := Sum(); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n",
			"func same(t *testing.T, got, want int) {\n\tt.Helper()\n\tif got != want {\n\t\tt.Errorf(\"got %d, want %d\", got, want)\n\t}\n}\n\nfunc TestSum(t *testing.T) {\n\tsame(t, Sum(1, 2, 3), 6)\n\tsame(t, Sum(), 0)\n}\n")},
		honesty{"go", "parts that run by themselves", edited("test(01-02)", "calc/sum_test.go",
			"func TestSum(t *testing.T) {\n\tif got := Sum(1, 2, 3); got != 6 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n\tif got := Sum(); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n",
			"func TestSum(t *testing.T) {\n\tt.Parallel()\n\tt.Run(\"three\", func(t *testing.T) {\n\t\tt.Parallel()\n\t\tif got := Sum(1, 2, 3); got != 6 {\n\t\t\tt.Fatalf(\"got %d, want 6\", got)\n\t\t}\n\t})\n\tt.Run(\"none\", func(t *testing.T) {\n\t\tif got := Sum(); got != 0 {\n\t\t\tt.Fatalf(\"got %d, want 0\", got)\n\t\t}\n\t})\n}\n")},
		honesty{"go", "a table of structs for a map", edited("test(01-01)", "slug/slug_test.go",
			"\tfor in, want := range map[string]string{\"Hello World\": \"hello-world\", \"A\": \"a\", \"\": \"\", \"TODO: implement\": \"todo-implement\", \"t.Skip(x)\": \"t-skip-x\"} {\n\t\tif got := Make(in); got != want {\n\t\t\tt.Errorf(\"Make(%q) = %q, want %q\", in, got, want)\n\t\t}\n\t}\n",
			"\ttests := []struct{ name, in, want string }{\n\t\t{\"words\", \"Hello World\", \"hello-world\"},\n\t\t{\"upper\", \"A\", \"a\"},\n\t\t{\"nothing\", \"\", \"\"},\n\t\t{\"marks\", \"TODO: implement\", \"todo-implement\"},\n\t\t{\"code\", \"t.Skip(x)\", \"t-skip-x\"},\n\t}\n\tfor _, tc := range tests {\n\t\tt.Run(tc.name, func(t *testing.T) {\n\t\t\tgot := Make(tc.in)\n\t\t\tif got != tc.want {\n\t\t\t\tt.Errorf(\"Make(%q) = %q, want %q\", tc.in, got, tc.want)\n\t\t\t}\n\t\t})\n\t}\n")},
		honesty{"python3", "assert for a method", edited("test(01-02)", "tests/test_sums.py", "self.assertEqual(total([1, 2, 3]), 6)", "assert total([1, 2, 3]) == 6")},
		honesty{"python3", "a case more, in parts", edited("test(01-02)", "tests/test_sums.py", "        self.assertEqual(total([1, 2, 3]), 6)\n",
			"        for numbers, want in (([1, 2, 3], 6), ([4], 4), ([], 0)):\n            with self.subTest(numbers=numbers):\n                if not numbers:\n                    self.assertEqual(total(numbers), 0)\n                    continue\n                self.assertEqual(total(numbers), want)\n")},
		honesty{"node", "a stricter comparison", edited("test(01-02)", "test/div.test.js", "assert.equal(div(7, 2), 3)", "assert.strictEqual(div(7, 2), 3)")},
		honesty{"node", "parts that are named", edited("test(01-02)", "test/div.test.js", "test('halves', () => {\n  assert.equal(half(8), 4);\n});\n",
			"test.describe('half', () => {\n  for (const [n, want] of [[8, 4], [7, 3]]) {\n    test.it(`of ${n}`, () => {\n      assert.equal(half(n), want);\n    });\n  }\n});\n")},
		honesty{"python3", "functions of pytest for a class", replaced("test(01-02)", "tests/test_div.py", `import pytest

from app.div import div, half


@pytest.mark.parametrize("a, b, want", [(7, 2, 3), (8, 2, 4)])
def test_div(a, b, want):
    assert div(a, b) == want


def test_div_by_zero():
    with pytest.raises(ValueError, match="zero|nothing"):
        div(1, 0)


def test_half():
    assert half(8) == 4
    assert half("x") is None
`)},
		honesty{"python3", "a fixture for what was written out", edited("test(01-02)", "tests/test_div.py", "    def test_half(self):\n        self.assertEqual(half(8), 4)\n", "    def setUp(self):\n        self.even = 8\n\n    def test_half(self):\n        self.assertEqual(half(self.even), 4)\n")},
		honesty{"vitest", "another name of equality", edited("test(01-02)", "test/div.test.ts", "expect(div(7, 2)).toBe(3)", "expect(div(7, 2)).toEqual(3)")},
		honesty{"vitest", "cases in a table, in a group", edited("test(01-02)", "test/div.test.ts", "test('divides', () => {\n  expect(div(7, 2)).toBe(3);\n  expect(() => div(1, 0)).toThrow(RangeError);\n});\n",
			"describe('div', () => {\n  it.each([\n    [7, 2, 3],\n    [-7, 2, -3],\n  ])('%d / %d', (a, b, want) => {\n    expect(div(a, b)).toBe(want);\n  });\n\n  it('refuses zero', () => {\n    expect(() => div(1, 0)).toThrow(RangeError);\n  });\n});\n",
			"import { expect, test } from", "import { describe, expect, it, test } from")},
		honesty{"vitest", "a message that is asked for too", edited("test(01-02)", "test/div.test.ts", "toThrow(RangeError)", "toThrow(/divided by nothing/)")},
		honesty{"go", "an error that is wrapped", edited("refactor(01-02)", "calc/div.go", "\treturn 0, ErrZero\n", "\treturn 0, fmt.Errorf(\"dividing %d: %w\", a, ErrZero)\n", "import \"errors\"", "import (\n\t\"errors\"\n\t\"fmt\"\n)")},
		honesty{"go", "a test that is divided in two", edited("test(01-02)", "calc/div_test.go", "\tif got, err := Half(8); got != 4 || err != nil {\n\t\tt.Errorf(\"got %d, %v\", got, err)\n\t}\n}\n", "}\n\nfunc TestHalf(t *testing.T) {\n\tgot, err := Half(8)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != 4 {\n\t\tt.Errorf(\"got %d, want 4\", got)\n\t}\n}\n")},
		honesty{"go", "an early end of a case", edited("test(01-01)", "slug/slug_test.go", "\t\tif got := Make(in); got != want {\n\t\t\tt.Errorf(\"Make(%q) = %q, want %q\", in, got, want)\n\t\t}\n", "\t\tgot := Make(in)\n\t\tif got == want {\n\t\t\tcontinue\n\t\t}\n\t\tt.Errorf(\"Make(%q) = %q, want %q\", in, got, want)\n")},
	)
}

// A test that became weaker is told of the commit that made it so, not of others that
// changed its file.
func TestWhoSoftened(t *testing.T) {
	p := cleanOf(t, "go").copyOf(t)
	edited("test(01-02)", "calc/sum_test.go", "func TestSum(", "func TestNone(t *testing.T) {\n\tif Sum() != 0 {\n\t\tt.Error(\"not 0\")\n\t}\n}\n\nfunc TestSum(")(p)
	edited("test(01-02)", "calc/sum_test.go", "\tif got := Sum(1, 2, 3); got != 6 {", "\tif got := Sum(1, 2, 3); got < 0 {")(p)
	who := p.git("rev-parse", "--short", "HEAD")
	var told []string
	for _, c := range p.prove(reads, "").Of(Unproven) {
		if c.Kind == "weakened test" {
			told = append(told, c.What)
		}
	}
	if len(told) != 1 || !strings.HasPrefix(told[0], who) {
		t.Errorf("%s softened it: %q", who, told)
	}
}
