package record

import (
	"strings"
	"testing"
)

// passing is what no reader needs of a pytest run.
const pytestHead = `============================= test session starts ==============================
platform linux -- Python 3.12.1, pytest-8.1.0, pluggy-1.4.0
rootdir: /home/dev/shop
plugins: xdist-3.5.0, cov-4.1.0
`

func TestPytest(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"xdist", pytestHead + `created: 2/2 workers
2 workers [3 items]

scheduling tests via LoadScheduling

tests/test_a.py::test_one 
tests/test_a.py::test_two 
[gw0] [ 33%] PASSED tests/test_a.py::test_one 
[gw1] [ 66%] FAILED tests/test_a.py::test_two 
=================================== FAILURES ===================================
___________________________________ test_two ___________________________________
[gw1] linux -- Python 3.12.1 /usr/bin/python3

    def test_two():
>       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:6: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_two - assert 1 == 2
========================= 1 failed, 1 passed in 0.41s ==========================
`, `___________________________________ test_two ___________________________________
>       assert 1 == 2
E       assert 1 == 2
tests/test_a.py:6: AssertionError
FAILED tests/test_a.py::test_two
========================= 1 failed, 1 passed in 0.41s ==========================
`},
		{"warnings and coverage", `..                                       [100%]
=============================== warnings summary ===============================
tests/test_a.py::test_one
tests/test_a.py::test_two
  /home/dev/shop/cart.py:3: DeprecationWarning: old() goes away
    old()

-- Docs: https://docs.pytest.org/en/stable/how-to/capture-warnings.html

---------- coverage: platform linux, python 3.12.1-final-0 -----------
Name        Stmts   Miss  Cover
-------------------------------
cart.py        10      0   100%
-------------------------------
TOTAL          20      3    85%
2 passed, 2 warnings in 0.12s
`, `  /home/dev/shop/cart.py:3: DeprecationWarning: old() goes away
    old()
Name        Stmts   Miss  Cover
TOTAL          20      3    85%
2 passed, 2 warnings in 0.12s
`},
		{"native traceback and output", `=================================== FAILURES ===================================
__________________________________ test_three __________________________________
Traceback (most recent call last):
  File "/home/dev/shop/tests/test_a.py", line 9, in test_three
    load("x")
  File "/usr/lib/python3.12/json/__init__.py", line 3, in load
    return f()
  File "/home/dev/shop/cart.py", line 2, in load
    raise ValueError(name)
    ^^^^^^^^^^^^^^^^^^^^^^
ValueError: x
----------------------------- Captured stdout call -----------------------------
loading x
=========================== short test summary info ============================
FAILED tests/test_a.py::test_three - ValueError: x
`, `__________________________________ test_three __________________________________
  File "/home/dev/shop/tests/test_a.py", line 9, in test_three
    load("x")
  File "/home/dev/shop/cart.py", line 2, in load
    raise ValueError(name)
ValueError: x
----------------------------- Captured stdout call -----------------------------
loading x
FAILED tests/test_a.py::test_three
`},
		{"killed", `tests/test_a.py::test_one PASSED [ 10%]
tests/test_a.py::test_two FAILED [ 20%]
`, `tests/test_a.py::test_two FAILED [ 20%]
`},
		{"printing tests", `tests/test_a.py::test_one one prints
PASSED
tests/test_a.py::test_two 
-------------------------------- live log call ---------------------------------
WARNING  shop:shop.py:10 two is slow
FAILED                                                                   [ 66%]
tests/test_a.py::test_three three prints
`, `tests/test_a.py::test_two 
-------------------------------- live log call ---------------------------------
WARNING  shop:shop.py:10 two is slow
FAILED                                                                   [ 66%]
`},
		{"locals and a long comparison", `=================================== FAILURES ===================================
____ test_x ____
    def test_x():
        a = [1, 2]
>       assert a == b
E       assert equal
E         Full diff:
` + strings.Repeat("E            0,\n", 40) + `E         -  1,
E         +  2,
E            3,
E            4,
a          = [1, 2]

tests/test_x.py:3: AssertionError
`, `____ test_x ____
>       assert a == b
E       assert equal
E            0,
` + strings.Repeat("E            0,\n", 6) + `E         -  1,
E         +  2,
E            3,
a          = [1, 2]
tests/test_x.py:3: AssertionError
`},
		{"usage", "ERROR: file or directory not found: tests/nope.py\n\nno tests ran in 0.00s\n",
			"ERROR: file or directory not found: tests/nope.py\nno tests ran in 0.00s\n"},
		{"line", `=================================== FAILURES ===================================
/home/dev/shop/tests/test_a.py:6: assert 1 == 2
/home/dev/shop/tests/test_a.py:6: assert 1 == 2
1 failed in 0.01s
`, "/home/dev/shop/tests/test_a.py:6: assert 1 == 2\n1 failed in 0.01s\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := kept(parse(t, "pytest", tt.in)); got != tt.want {
				t.Errorf("got:\n%swant:\n%s", got, tt.want)
			}
			scramble(t, "pytest", tt.in)
		})
	}
}

// Levels outside of the project say nothing about a fault in it, except the
// one that raised.
func TestPytestForeignLevels(t *testing.T) {
	got := kept(parse(t, "pytest", `=================================== FAILURES ===================================
____ test_x ____
tests/test_x.py:3: in test_x
    client.get("/")
/usr/lib/python3/dist-packages/httpx/_client.py:9: in get
    return self.request()
src/app.py:12: in handler
    json.loads(body)
/usr/lib/python3.12/json/decoder.py:355: in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
E   json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
`))
	want := `____ test_x ____
tests/test_x.py:3: in test_x
src/app.py:12: in handler
    json.loads(body)
/usr/lib/python3.12/json/decoder.py:355: in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
E   json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

const unittestRun = `test_one (tests.test_a.A.test_one) ... ok
test_two (tests.test_a.A.test_two)
A line that says what two is for ... FAIL

======================================================================
FAIL: test_two (tests.test_a.A.test_two)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/usr/lib/python3.12/unittest/mock.py", line 1390, in patched
    return func(*newargs)
           ^^^^^^^^^^^^^^
  File "/home/dev/shop/tests/test_a.py", line 9, in test_two
    self.assertEqual(1, 2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 2 tests in 0.001s

FAILED (failures=1)
`

func TestUnittest(t *testing.T) {
	want := `FAIL: test_two (tests.test_a.A.test_two)
  File "/home/dev/shop/tests/test_a.py", line 9, in test_two
    self.assertEqual(1, 2)
AssertionError: 1 != 2

Ran 2 tests in 0.001s
FAILED (failures=1)
`
	if got := kept(parse(t, "unittest", unittestRun)); got != want {
		t.Errorf("got:\n%s", got)
	}
	scramble(t, "unittest", unittestRun)
}

// Of two values that the message has no diff is shown, and of a diff no pointers.
func TestUnittestDiff(t *testing.T) {
	rule, border := strings.Repeat("-", 70), strings.Repeat("=", 70)
	got := kept(parse(t, "unittest", border+`
FAIL: test_cups (tea.T.test_cups)
`+rule+`
Traceback (most recent call last):
  File "/srv/tea.py", line 3, in test_cups
    self.assertEqual([1, 2], [1, 3])
AssertionError: Lists differ: [1, 2] != [1, 3]

First differing element 1:
2
3

- [1, 2]
?     ^

+ [1, 3]
?     ^


`+border+`
FAIL: test_label (tea.T.test_label)
`+rule+`
Traceback (most recent call last):
  File "/srv/tea.py", line 9, in test_label
    self.assertEqual(a, b)
AssertionError: 'mint\\nash' != 'mint\\noak'
  mint
- ash
+ oak


`+rule+`
Ran 2 tests in 0.001s

FAILED (failures=2)
`))
	for _, w := range []string{"[1, 2] != [1, 3]", "First differing element 1:\n2\n3\n", "- ash\n+ oak\n"} {
		if !strings.Contains(got, w) {
			t.Errorf("lost %q:\n%s", w, got)
		}
	}
	if strings.Contains(got, "^") || strings.Contains(got, "- [1") {
		t.Errorf("got:\n%s", got)
	}
}

func TestPythonTraceback(t *testing.T) {
	in := `starting
Traceback (most recent call last):
  File "/home/dev/shop/run.py", line 4, in f
    return d["k"]
           ~^^^^^
KeyError: 'k'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/home/dev/shop/run.py", line 9, in <module>
    f()
RuntimeError: no key
  a second line of the message
done
`
	want := `Traceback (most recent call last):
  File "/home/dev/shop/run.py", line 4, in f
    return d["k"]
KeyError: 'k'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/home/dev/shop/run.py", line 9, in <module>
    f()
RuntimeError: no key
  a second line of the message
`
	if got := kept(parse(t, "python", in)); got != want {
		t.Errorf("got:\n%s", got)
	}
	scramble(t, "python", in)
}

// A traceback of any depth is held in bounded room, and keeps its own frames
// and its message.
func TestPythonRecursion(t *testing.T) {
	for _, parser := range []string{"python", "unittest"} {
		head, tail := "", ""
		if parser == "unittest" {
			head = strings.Repeat("=", 70) + "\nERROR: test_deep (tests.A)\n" + strings.Repeat("-", 70) + "\n"
			tail = "\n" + strings.Repeat("-", 70) + "\nRan 1 test in 0.1s\n"
		}
		own := "  File \"/home/dev/shop/own.py\", line 7, in first\n    deep()\n"
		in := head + pyTraceHead + "\n" + own + strings.Repeat("  File \"/usr/lib/python3.12/json/x.py\", line 3, in deep\n    deep()\n", 3000) + "RecursionError: too deep\n" + tail
		got := kept(parse(t, parser, in))
		if !strings.Contains(got, own) || !strings.Contains(got, "RecursionError: too deep\n") || strings.Count(got, "\n") > 12 {
			t.Errorf("%s: got:\n%s", parser, got)
		}
		var held int
		p := New(parser)
		out := 0
		for i, l := range strings.Split(in[:len(in)/2], "\n") {
			p.Line(Line{N: i, Text: l}, func(r Record) { out += len(r.Lines) })
			held = i + 1 - out
		}
		if held > pyTraceMax+1 {
			t.Errorf("%s holds %d lines", parser, held)
		}
	}
}

// The summary says of a failure only which test it was, if what it says is shown.
func TestPytestSummaryRepeats(t *testing.T) {
	got := kept(parse(t, "pytest", `=================================== FAILURES ===================================
__________________________________ test_label __________________________________
tests/test_tea.py:4: in test_label
    assert label(tea) == "mint"
tea.py:9: in label
    return tea["label"] + suffix
E   KeyError: 'label of a tea that nobody knows'
__________________________________ test_sort ___________________________________

    def test_sort():
>       assert sort("b a") == "a b"
E       AssertionError: assert 'b a' == 'a b'
E         - a b
E         + b a
E         ?   +

tests/test_tea.py:9: AssertionError
=========================== short test summary info ============================
FAILED tests/test_tea.py::test_label - KeyError: 'label of a tea that nobody...
FAILED tests/test_tea.py::test_sort - AssertionError: assert 'b a' == 'a b'
FAILED tests/test_tea.py::test_else - AssertionError: not shown
2 failed, 9 passed in 0.10s
`))
	want := `__________________________________ test_label __________________________________
tests/test_tea.py:4: in test_label
tea.py:9: in label
    return tea["label"] + suffix
E   KeyError: 'label of a tea that nobody knows'
__________________________________ test_sort ___________________________________
>       assert sort("b a") == "a b"
E       AssertionError: assert 'b a' == 'a b'
tests/test_tea.py:9: AssertionError
FAILED tests/test_tea.py::test_label
FAILED tests/test_tea.py::test_sort
FAILED tests/test_tea.py::test_else - AssertionError: not shown
2 failed, 9 passed in 0.10s
`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

// The end of a run is read as such, though its headings are missing.
func TestPytestEnd(t *testing.T) {
	got := kept(parse(t, "pytest", "FAILED tests/test_tea.py::test_sort - assert 1 == 2\nERROR tests/test_tea.py::test_pot - OSError: no pot\n2 failed, 9 passed in 0.10s\n"))
	if want := "FAILED tests/test_tea.py::test_sort - assert 1 == 2\nERROR tests/test_tea.py::test_pot - OSError: no pot\n2 failed, 9 passed in 0.10s\n"; got != want {
		t.Errorf("got:\n%s", got)
	}
}

// Files that cannot be collected for one reason are named; of those that are
// shown the summary says no more.
func TestPytestCollecting(t *testing.T) {
	one := func(name, module string) string {
		return "_______ ERROR collecting tests/" + name + " _______\nImportError while importing test module '/srv/tea/tests/" + name + "'.\nHint: make sure your test modules/packages have valid Python names.\nTraceback:\n" +
			"/usr/lib/python3.12/importlib/__init__.py:90: in import_module\n    return _bootstrap._gcd_import(name[level:], package, level)\ntests/" + name + ":1: in <module>\n    from tea import " + module + "\nE   ModuleNotFoundError: No module named 'tea." + module + "'\n"
	}
	got := kept(parse(t, "pytest", "==================================== ERRORS ====================================\n"+one("test_a.py", "pot")+one("test_b.py", "cup")+
		"=========================== short test summary info ============================\nERROR tests/test_a.py\nERROR tests/test_b.py\nERROR tests/test_c.py\n!!!!!!!!!!!!!!!!!!! Interrupted: 2 errors during collection !!!!!!!!!!!!!!!!!!!!\n2 errors in 0.10s\n"))
	want := `_______ ERROR collecting tests/test_a.py _______
/usr/lib/python3.12/importlib/__init__.py:90: in import_module
tests/test_a.py:1: in <module>
E   ModuleNotFoundError: No module named 'tea.pot'
_______ ERROR collecting tests/test_b.py _______
tests/test_b.py:1: in <module>
E   ModuleNotFoundError: No module named 'tea.cup'
ERROR tests/test_c.py
!!!!!!!!!!!!!!!!!!! Interrupted: 2 errors during collection !!!!!!!!!!!!!!!!!!!!
2 errors in 0.10s
`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

// Of a group of exceptions each one is shown.
func TestPytestExceptionGroup(t *testing.T) {
	in := "============ test session starts ============\ncollected 2 items\n\ntest_a.py .F\n\n=========== FAILURES ===========\n_________ test_group _________\n  + Exception Group Traceback (most recent call last):\n  |   File \"/srv/shop/test_a.py\", line 14, in test_group\n  |     def test_group(): raise ExceptionGroup(\"many\", [ValueError(\"one bad\"), TypeError(\"two bad\")])\n  |                       ^^^^^^\n  | ExceptionGroup: many (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | ValueError: one bad\n    +---------------- 2 ----------------\n    | TypeError: two bad\n    +------------------------------------\n========= short test summary info =========\nFAILED test_a.py::test_group - ExceptionGroup: many (2 sub-exceptions)\n====== 1 failed, 1 passed in 0.1s ======\n"
	got := strings.Join(shown(parse(t, "pytest", in), Keep, Failure), "\n")
	for _, want := range []string{"ValueError: one bad", "TypeError: two bad", "test_a.py\", line 14", "many (2 sub-exceptions)"} {
		if !strings.Contains(got, want) {
			t.Errorf("lost %q of\n%s", want, got)
		}
	}
}
