package record

import (
	"strings"
	"testing"
)

func TestDiagnosticForms(t *testing.T) {
	for _, c := range []struct{ line, site, label, code, text string }{
		{"src/a.c:12:5: error: expected ';'", "src/a.c:12:5", "error", "", "expected ';'"},
		{"a.ts(53,35): error TS2345: Argument of type", "a.ts(53,35)", "error", "TS2345", "Argument of type"},
		{"a.ts:6:78 - error TS2459: Module", "a.ts:6:78", "error", "TS2459", "Module"},
		{`C:\src\a.cs(3,4): warning CS0168: unused`, `C:\src\a.cs(3,4)`, "warning", "CS0168", "unused"},
		{"A.java:19: error: cannot find symbol", "A.java:19", "error", "", "cannot find symbol"},
		{"./age.go:357:2: declared and not used: x", "./age.go:357:2", "", "", "declared and not used: x"},
		{"Makefile:12: *** missing separator.  Stop.", "Makefile:12", "", "", "*** missing separator.  Stop."},
		{"  /p/feed.py:6:15 - error: Operator", "/p/feed.py:6:15", "error", "", "Operator"},
	} {
		d, ok := parseDiagnostic(c.line)
		if !ok || d.site != c.site || d.label != c.label || d.code != c.code || d.text != c.text {
			t.Errorf("%s: %+v %v", c.line, d, ok)
		}
	}
	for _, s := range []string{"12:30:05: error: late", "http://host:80/x: error", "a b.c:3: no", "x.c:12", "10.0.0.1:80: refused", "[12:3]: x", "file.c:3:PASS"} {
		if d, ok := parseDiagnostic(s); ok {
			t.Errorf("%s is no diagnostic, but %+v", s, d)
		}
	}
}

const javacOutput = `A.java:4: error: cannot find symbol
import java.util.Mop;
                ^
  symbol:   class Mop
  location: package java.util
A.java:9: error: cannot find symbol
  Lop x;
  ^
  symbol:   class Lop
Note: A.java uses unchecked operations.
2 errors`

// Source lines, carets and symbols belong to their diagnostic, and the symbol
// makes two of the same message distinct.
func TestDiagJavac(t *testing.T) {
	rs := parse(t, "diag", javacOutput)
	var found []Record
	for _, r := range rs {
		if r.Class == Failure {
			found = append(found, r)
		}
	}
	if len(found) != 2 || len(found[0].Lines) != 4 || len(found[1].Lines) != 3 || found[0].Key == found[1].Key || found[0].Site != "A.java:4" {
		t.Errorf("%+v", rs)
	}
	if got := kept(rs); !strings.HasSuffix(got, "2 errors\n") || strings.Contains(got, "^") {
		t.Errorf("kept:\n%s", got)
	}
}

const makeOutput = `make[1]: Entering directory '/home/dev/x'
gcc -O2 -c a.c
a.c: In function ‘f’:
a.c:3:5: warning: unused variable ‘i’ [-Wunused-variable]
    3 | int i;
      |     ^
gcc -O2 -c b.c
b.c:7:1: error: expected ‘;’
b.c:2:6: note: to match this
    2 | {
      | ^
  CC      src/quiet.o
make[1]: *** [Makefile:3: b.o] Error 1
make[1]: Leaving directory '/home/dev/x'
make: *** [Makefile:1: all] Error 2`

func TestDiagMake(t *testing.T) {
	got := kept(parse(t, "diag", makeOutput))
	want := strings.Join(append(strings.Split(makeOutput, "\n")[3:5], `b.c:7:1: error: expected ‘;’
b.c:2:6: note: to match this
make[1]: *** [Makefile:3: b.o] Error 1
make: *** [Makefile:1: all] Error 2
`), "\n")
	if got != want {
		t.Errorf("kept:\n%s\nwant:\n%s", got, want)
	}
}

const linkOutput = `cc -o app main.o
/usr/bin/ld: main.o: in function ` + "`main':" + `
main.c:(.text+0x9): undefined reference to ` + "`sqrt'" + `
/usr/bin/ld: main.c:(.text+0x19): undefined reference to ` + "`sqrt'" + `
collect2: error: ld returned 1 exit status`

// Undefined symbols are grouped, and the command that left them out is kept.
func TestDiagLink(t *testing.T) {
	rs := parse(t, "diag", linkOutput)
	var symbols []string
	for _, r := range rs {
		if r.Group != "" {
			symbols = append(symbols, r.Site)
		}
	}
	if strings.Join(symbols, " ") != "sqrt sqrt" {
		t.Errorf("symbols %v", symbols)
	}
	if got := kept(rs); !strings.Contains(got, "cc -o app main.o") || !strings.Contains(got, "collect2: error") || strings.Contains(got, "in function") {
		t.Errorf("kept:\n%s", got)
	}
}

const traceOutput = `Exception in thread "main" java.lang.IllegalStateException: cannot read
	at com.example.Load.run(Load.java:15)
Caused by: java.lang.NumberFormatException: For input string: "x"
	at java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:67)
	at java.base/java.lang.Integer.parseInt(Integer.java:668)
	at com.example.Load.read(Load.java:23)
	... 1 more
done`

func TestDiagTrace(t *testing.T) {
	got := kept(parse(t, "diag", traceOutput))
	for _, want := range []string{"cannot read", "Load.java:15", "For input string", "NumberFormatException.java:67", "Load.java:23"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Integer.java:668") || strings.Contains(got, "done") {
		t.Errorf("foreign frames and other lines are kept:\n%s", got)
	}
}

const prettyOutput = `src/a.ts:8:9 - error TS2322: Type 'x' is not assignable.

8   [1.2, 'notice'],
          ~~~~~~~~

  src/b.ts:2:1
    2 export type A = 'x';
      ~~~~~~
    The expected type comes from here.

Found 1 error in src/a.ts:8

Errors  Files
     1  src/a.ts:8`

func TestDiagPretty(t *testing.T) {
	rs := parse(t, "diag", prettyOutput)
	got := kept(rs)
	if !strings.Contains(got, "The expected type comes from here.\nFound 1 error") || strings.Contains(got, "Errors  Files") {
		t.Errorf("kept:\n%s", got)
	}
}

func TestDiagCMake(t *testing.T) {
	got := kept(parse(t, "diag", "-- Looking for x\nCMake Error at CMakeLists.txt:16 (find_package):\n  Could NOT find OpenSSL\n\n  try harder\nCall Stack (most recent call first):\n  a.cmake:5 (f)\n\n\n-- Configuring incomplete, errors occurred!"))
	want := "CMake Error at CMakeLists.txt:16 (find_package):\n  Could NOT find OpenSSL\n  try harder\nCall Stack (most recent call first):\n  a.cmake:5 (f)\n-- Configuring incomplete, errors occurred!\n"
	if got != want {
		t.Errorf("kept:\n%s", got)
	}
}

func TestScrambledBuilds(t *testing.T) {
	for _, text := range []string{javacOutput, makeOutput, linkOutput, traceOutput, prettyOutput, rustcOutput, ctestOutput} {
		for _, parser := range []string{"diag", "rustc", "ctest"} {
			scramble(t, parser, text)
		}
	}
}

func TestTscBuild(t *testing.T) {
	in := `11:41:32 PM - Projects in this build:
    * core/tsconfig.json
    * api/tsconfig.json

11:41:32 PM - Project 'core/tsconfig.json' is up to date because newest input 'core/src/f1.ts' is older than output 'core/tsconfig.tsbuildinfo'

[11:41:40 PM] Project 'api/tsconfig.json' is out of date because output 'api/tsconfig.tsbuildinfo' is older than input 'api/src/f1.ts'

11:41:40 PM - Building project '/home/dev/wharf/api/tsconfig.json'...

api/src/f1.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.
11:41:40 PM - Skipping build of project 'web' because its dependency 'api' has errors
`
	if got, want := kept(parse(t, "diag", in)), "api/src/f1.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.\n"; got != want {
		t.Errorf("kept:\n%s", got)
	}
	scramble(t, "diag", in)
}
