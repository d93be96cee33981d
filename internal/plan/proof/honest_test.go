package proof

import (
	"testing"

	"cairn/test/cairntest"
)

// The words in strings, and the skips under a condition, are those of an honest
// project: none of them is a mark.
var goSpec = spec{
	before: map[string]string{
		"go.mod":         "module example.com/x\n\ngo 1.21\n",
		"slug/slug.go":   "// Package slug makes names for addresses.\npackage slug\n\n// Max is how long one may be.\nconst Max = 40\n",
		"calc/old.go":    "package calc\n\n// Twice doubles.\nfunc Twice(a int) int {\n\tn := a\n\tn += a\n\treturn n\n}\n",
		"calc/o_test.go": "package calc\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Error(\"no\")\n\t}\n}\n",
	},
	commits: []step{
		{"test(01-01): slugs", map[string]string{"slug/slug_test.go": `package slug

import (
	"runtime"
	"testing"
)

func TestMake(t *testing.T) {
	for in, want := range map[string]string{"Hello World": "hello-world", "A": "a", "": "", "TODO: implement": "todo-implement", "t.Skip(x)": "t-skip-x"} {
		if got := Make(in); got != want {
			t.Errorf("Make(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if runtime.GOOS == "plan9" {
		t.Skip("no such files")
	}
	t.Run("cut", func(t *testing.T) {
		if got := Make("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee"); len(got) != Max {
			t.Error(got)
		}
	})
}
`}},
		{"feat(01-01): slugs", map[string]string{"slug/make.go": `package slug

import "strings"

// Make makes a slug. A caller that panic("not implemented") is none of ours.
func Make(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if n := b.Len(); n > 0 && b.String()[n-1] != '-' {
			b.WriteByte('-')
		}
	}
	return cut(strings.Trim(b.String(), "-"))
}

func cut(s string) string {
	if len(s) > Max {
		return s[:Max]
	}
	return s
}
`}},
		{"feat(01-02): sums", map[string]string{"calc/sum.go": `package calc

// Sum adds numbers.
func Sum(list ...int) int {
	n := 0
	for _, i := range list {
		n += i
	}
	return n
}
`, "calc/sum_test.go": `package calc

import "testing"

func TestSum(t *testing.T) {
	if got := Sum(1, 2, 3); got != 6 {
		t.Errorf("got %d", got)
	}
	if got := Sum(); got != 0 {
		t.Errorf("got %d", got)
	}
}
`}},
		{"feat(01-02): dividing", map[string]string{"calc/div.go": `package calc

import "errors"

// ErrZero is for a divisor of nothing.
var ErrZero = errors.New("todo lists cannot be divided by zero")

// Div divides.
func Div(a, b int) (int, error) {
	if b == 0 {
		return 0, ErrZero
	}
	return a / b, nil
}

// Half is Div by two.
func Half(a int) (int, error) {
	n, err := Div(a, 2)
	if err != nil {
		return 0, err
	}
	return n, nil
}
`, "calc/div_test.go": `package calc

import (
	"errors"
	"testing"
)

func TestDiv(t *testing.T) {
	if got, err := Div(7, 2); got != 3 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := Div(7, 0); !errors.Is(err, ErrZero) {
		t.Error(err)
	}
	if got, err := Half(8); got != 4 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
}
`}},
	},
	verify: [3]string{"go test ./slug -run 'TestMake|TestLong'", "go test ./calc -run TestSum", "go test ./calc -run TestDiv"},
	files:  [3]string{"slug/make.go, slug/slug_test.go", "calc/sum.go, calc/sum_test.go", "calc/div.go, calc/div_test.go"},
}

var pythonSpec = spec{
	before: map[string]string{
		"README.md": "x\n", "app/__init__.py": "", "tests/__init__.py": "",
		"app/old.py": "def twice(a):\n    return a + a\n", "tests/test_old.py": "import unittest\nfrom app.old import twice\n\n\nclass Old(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(twice(2), 4)\n",
	},
	commits: []step{
		{"test(01-01): slugs", map[string]string{"tests/test_slug.py": `import sys
import unittest

from app.slug import make


class Slug(unittest.TestCase):
    def test_make(self):
        for given, want in {"Hello World": "hello-world", "A": "a", "# TODO: implement": "todo-implement"}.items():
            self.assertEqual(make(given), want)

    @unittest.skipIf(sys.platform == "win32", "no such files there")
    def test_long(self):
        self.assertEqual(len(make("a" * 60)), 40)
`}},
		{"feat(01-01): slugs", map[string]string{"app/slug.py": `"""Slugs. raise NotImplementedError is what others do."""
import re


def make(text):
    """Makes a slug of a text."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return cut("-".join(words))


def cut(text, most=40):
    return text[:most]
`}},
		{"feat(01-02): sums", map[string]string{"app/sums.py": `class Shape:
    def area(self):
        raise NotImplementedError


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return total([self.side] * self.side)


def total(numbers):
    n = 0
    for i in numbers:
        n += i
    return n
`, "tests/test_sums.py": `import unittest

from app.sums import Square, total


class Sums(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2, 3]), 6)
        self.assertEqual(total([]), 0)

    def test_area(self):
        self.assertEqual(Square(3).area(), 9)
`}},
		{"feat(01-02): dividing", map[string]string{"app/div.py": `def div(a, b):
    if b == 0:
        raise ValueError("todo lists cannot be divided by nothing")
    return a // b


def half(a):
    try:
        return div(a, 2)
    except TypeError:
        pass
    return None
`, "tests/test_div.py": `import unittest

from app.div import div, half


class Div(unittest.TestCase):
    def test_div(self):
        self.assertEqual(div(7, 2), 3)
        with self.assertRaises(ValueError):
            div(1, 0)

    def test_half(self):
        self.assertEqual(half(8), 4)
        self.assertIsNone(half("x"))
`}},
	},
	verify: [3]string{"python3 -m unittest tests.test_slug", "python3 -m unittest tests.test_sums", "python3 -m unittest tests.test_div"},
	files:  [3]string{"app/slug.py, tests/test_slug.py", "app/sums.py, tests/test_sums.py", "app/div.py, tests/test_div.py"},
}

var scriptSpec = spec{
	before: map[string]string{
		"package.json": "{\"name\": \"x\", \"scripts\": {\"test\": \"node --test\"}}\n", "src/old.js": "exports.twice = function twice(a) {\n  return a + a;\n};\n",
		"test/old.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\nconst { twice } = require('../src/old.js');\n\ntest('twice', () => {\n  assert.equal(twice(2), 4);\n});\n",
	},
	commits: []step{
		{"test(01-01): slugs", map[string]string{"test/slug.test.js": `const test = require('node:test');
const assert = require('node:assert');
const { make } = require('../src/slug.js');

test('makes slugs', () => {
  for (const [given, want] of Object.entries({ 'Hello World': 'hello-world', A: 'a', 'it.skip(x)': 'it-skip-x', 'TODO: implement': 'todo-implement' })) {
    assert.strictEqual(make(given), want);
  }
});

const posix = process.platform === 'win32' ? test.skip : test;
posix('cuts', () => {
  assert.strictEqual(make('a'.repeat(60)).length, 40);
});
`}},
		{"feat(01-01): slugs", map[string]string{"src/slug.js": `'use strict';

// make makes a slug. Who wants throw new Error('not implemented') looks elsewhere.
function make(text) {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) || [];
  return cut(words.join('-'));
}

const cut = (text, most = 40) => {
  return text.slice(0, most);
};

module.exports = { make };
`}},
		{"feat(01-02): sums", map[string]string{"src/sums.js": `'use strict';

class Numbers {
  constructor(list) {
    this.list = list;
  }

  total() {
    let n = 0;
    for (const i of this.list) {
      n += i;
    }
    return n;
  }
}

module.exports = { Numbers };
`, "test/sums.test.js": `const test = require('node:test');
const assert = require('node:assert');
const { Numbers } = require('../src/sums.js');

test('adds', () => {
  assert.equal(new Numbers([1, 2, 3]).total(), 6);
  assert.equal(new Numbers([]).total(), 0);
});
`}},
		{"feat(01-02): dividing", map[string]string{"src/div.js": `'use strict';

function div(a, b) {
  if (b === 0) {
    throw new RangeError('todo lists cannot be divided by nothing');
  }
  return Math.trunc(a / b);
}

function half(a) {
  try {
    return div(a, 2);
  } catch {
    // what is no number has no half
  }
  return undefined;
}

module.exports = { div, half };
`, "test/div.test.js": `const test = require('node:test');
const assert = require('node:assert');
const { div, half } = require('../src/div.js');

test('divides', () => {
  assert.equal(div(7, 2), 3);
  assert.throws(() => div(1, 0), RangeError);
});

test('halves', () => {
  assert.equal(half(8), 4);
});
`}},
	},
	verify: [3]string{"node --test test/slug.test.js", "node --test test/sums.test.js", "node --test test/div.test.js"},
	files:  [3]string{"src/slug.js, test/slug.test.js", "src/sums.js, test/sums.test.js", "src/div.js, test/div.test.js"},
}

var specs = map[string]spec{"go": goSpec, "python3": pythonSpec, "node": scriptSpec, "vitest": typeSpec}

// Honest projects are proven: each verify was red before and is green, and nothing is
// unproven. A second proof runs nothing again.
func TestHonest(t *testing.T) {
	cairntest.Long(t)
	for tool := range specs {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			p := cleanOf(t, tool)
			if tool == "vitest" {
				installed(t, p)
			}
			r := p.prove(runs, "")
			if !r.Proven {
				t.Fatalf("not proven:%s", show(r.Of(Unproven)))
			}
			t.Logf("%.1f s, %d ran:%s", r.Seconds, r.Ran, show(r.Claims))
			verified := 0
			for _, c := range r.Claims {
				if c.Kind == "verify" && c.Verdict == Proven {
					verified++
				}
			}
			if verified != 3 {
				t.Errorf("%d tasks are proven:%s", verified, show(r.Claims))
			}
			if again := p.prove(runs, ""); again.Ran != 0 || !again.Proven || len(again.Claims) != len(r.Claims) {
				t.Errorf("the second proof ran %d:%s", again.Ran, show(again.Claims))
			}
			if left := p.git("worktree", "list"); len(left) == 0 || len(p.git("status", "--porcelain", "--", ".", ":(exclude).planning")) > 0 {
				t.Errorf("left behind: %s", left)
			}
		})
	}
}
