package compact

import (
	"fmt"
	"strings"
	"testing"
)

// found is what becomes of the output of a command that failed.
func found(command, output string) string {
	code := 1
	return Compact(Envelope{Command: command, CombinedText: output, ExitCode: &code}, Options{Level: Normal}).Reduced
}

// However a tool writes its places, each message is there once, with all its
// places, and each file's directory is written once.
func TestFindingsByMessage(t *testing.T) {
	for _, form := range []struct{ command, place, text string }{
		{"npx tsc", "%s(%d,7): ", "error TS2304: Cannot find name '%s'."},
		{"make", "%s:%d:7: ", "error: ‘%s’ was not declared in this scope"},
		{"mypy .", "%s:%d: ", `error: Name "%s" is not defined  [name-defined]`},
		{"ruff check --output-format concise", "%s:%d:7: ", "F821 Undefined name `%s`"},
		{"golangci-lint run", "%s:%d:7: ", "undefined: %s (typecheck)"},
	} {
		var in []string
		for i := range 40 {
			file := fmt.Sprintf("lib/harbour/pier%d.py", i%4)
			in = append(in, fmt.Sprintf(form.place+form.text, file, i+1, []string{"tide", "gauge", "buoy"}[i%3]))
		}
		got := found(form.command, strings.Join(in, "\n")+"\n")
		for _, l := range in {
			if !Shows(got, l) {
				t.Errorf("%s: lost %q in:\n%s", form.command, l, got)
			}
		}
		if n := strings.Count(got, "lib/harbour/"); n != 1 {
			t.Errorf("%s: the directory is there %d times:\n%s", form.command, n, got)
		}
		if len(got)*3 > len(strings.Join(in, "\n")) {
			t.Errorf("%s: %d bytes:\n%s", form.command, len(got), got)
		}
	}
}

// Values that differ are all there for a failure; of warnings about style the
// first is, with a sign that others have another.
func TestFindingsWithNumbers(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "main.c:%d: error: expected %d bytes\n", i+1, i*3)
	}
	if got := found("make", b.String()); !strings.Contains(got, "30 87: error: expected … bytes") {
		t.Errorf("read:\n%s", got)
	}
	b.Reset()
	for i := range 30 {
		fmt.Fprintf(&b, "main.py:%d:80: E501 line too long (%d > 79 characters)\n", i+1, i+80)
	}
	if got := found("flake8", b.String()); !strings.Contains(got, "E501 line too long (80… > 79 characters) ×30") || !strings.Contains(got, "30:80") {
		t.Errorf("read:\n%s", got)
	}
}

// The source is shown where few things fail; a comment that is not needed is
// part of what is said of it.
func TestFindingsAndSource(t *testing.T) {
	one := "src/pump.c: In function ‘fill’:\nsrc/pump.c:12:9: error: ‘tnak’ undeclared; did you mean ‘tank’?\n   12 |     use(tnak);\n      |         ^~~~\n      |         tank\nmake: *** [Makefile:4: pump.o] Error 1\n"
	if got := found("make", one); !strings.Contains(got, "\n  12 |     use(tnak);\n") || strings.Contains(got, "In function") {
		t.Errorf("read:\n%s", got)
	}
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "src/pump%d.c:12:9: error: ‘tnak%d’ undeclared\n   12 |     use(tnak%d);\n      |         ^~~~\n", i, i, i)
	}
	fmt.Fprintf(&b, "src/pump.c:9:1: error: stray thing\nsrc/pump.c:10:1: error: a valve without a pipe\nsrc/pump.c:11:1: error: nothing to pump\n")
	if got := found("make", b.String()); strings.Contains(got, "use(") {
		t.Errorf("read:\n%s", got)
	}
	b.Reset()
	for i := range 9 {
		fmt.Fprintf(&b, "lib/a.py:%d: error: Unused \"type: ignore\" comment  [unused-ignore]\n        x = f(%d)  # type: ignore[%s]\n        ^~~~~~~~\n", i+1, i, []string{"arg-type", "misc"}[i%2])
	}
	got := found("mypy --pretty lib", b.String())
	if !strings.Contains(got, "# type: ignore[arg-type]") || !strings.Contains(got, "# type: ignore[misc]") || strings.Count(got, "f(") != 2 {
		t.Errorf("read:\n%s", got)
	}
}

// A message that mypy --pretty breaks over lines is read as one.
func TestFindingsUnwrapped(t *testing.T) {
	out := "lib/a.py:8: error: Cannot find implementation or library stub for\nmodule named \"harbour.pier\"  [import]\n    import harbour.pier\n    ^\nlib/b.py:9: error: Cannot find implementation or library stub for module named\n\"harbour\"  [import]\n    import harbour\n    ^\nFound 2 errors in 2 files (checked 2 source files)\n"
	got := found("mypy --pretty lib", out)
	if !strings.Contains(got, "library stub for module named … [import]") || !strings.Contains(got, "9 harbour") || strings.Contains(got, "^") {
		t.Errorf("read:\n%s", got)
	}
}

// The name of a task stays with the places of what it printed.
func TestFindingsOfTasks(t *testing.T) {
	var b strings.Builder
	b.WriteString("Scope: 2 of 3 workspace projects\n")
	for i := range 8 {
		fmt.Fprintf(&b, "packages/%s build: src/index.ts(%d,14): error TS2322: Type 'string' is not assignable to type 'number'.\n", []string{"web", "db"}[i%2], i+1)
	}
	got := found("pnpm -r run build", b.String())
	if !strings.Contains(got, "web build: src/index.ts(1,14") || !strings.Contains(got, "db build: src/index.ts(2,14") {
		t.Errorf("read:\n%s", got)
	}
}

// Very many findings stay bounded, and the counts of all are told.
func TestFindingsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "src/area%d/mod%d.c:%d:5: error: no member named ‘f%d’ in ‘struct valve’\n", i%40, i%700, i+1, i)
	}
	got := found("make", b.String())
	if len(got) > 20_000 || !strings.Contains(got, "no member named") {
		t.Errorf("%d bytes:\n%.3000s", len(got), got)
	}
}

// Targets that make could not make are listed once, whatever their number is
// long; one alone stands as make printed it.
func TestMakeTargets(t *testing.T) {
	var b strings.Builder
	for i := range 15 {
		fmt.Fprintf(&b, "/home/dev/tide/t%d.cpp: In function ‘int main()’:\n/home/dev/tide/t%d.cpp:3:%d: error: ‘ebb’ is not a member of ‘tide’\n    3 | tide::ebb(%d);\n      |       ^~~\n", i+1, i+1, len(fmt.Sprint(i+1))+7, i+1)
		fmt.Fprintf(&b, "gmake[2]: *** [CMakeFiles/t%d.dir/build.make:76: CMakeFiles/t%d.dir/t%d.cpp.o] Error 1\ngmake[1]: *** [CMakeFiles/Makefile2:%d: CMakeFiles/t%d.dir/all] Error 2\n", i+1, i+1, i+1, 161+26*i, i+1)
	}
	b.WriteString("gmake: *** [Makefile:101: all] Error 2\n")
	got := found("cmake --build build -j4", b.String())
	for _, want := range []string{"t9.cpp 3:8, t10.cpp 3:9", "gmake[2]: *** [build.make 76] Error 1 ×15\n", "CMakeFiles/t15.dir/t15.cpp.o", "161,187,", "\ngmake: *** [Makefile:101: all] Error 2\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if len(got)*4 > b.Len() {
		t.Errorf("%d bytes became %d", b.Len(), len(got))
	}
}

// Folding lines of an unknown tool that differ only in their places keeps every
// place.
func TestPlacesOfUnknownTools(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "plans/room%d.cad:%d: a wall without a door\n", i, i+10)
	}
	got := found("./check-plans", b.String())
	for i := range 30 {
		if at := fmt.Sprintf("room%d.cad %d", i, i+10); i > 0 && !strings.Contains(got, at) && !strings.Contains(got, strings.Replace(at, " ", ":", 1)) {
			t.Errorf("no %s in:\n%s", at, got)
		}
	}
}

// The forms in which linters say file, line and message on one line.
func TestFindingsOfLinters(t *testing.T) {
	for _, c := range []struct {
		command string
		each    []string // of file %d and line
		want    []string
	}{
		{"ruff check --output-format grouped", []string{"lib/m%[1]d.py:\n  %[2]d:1 F401 [*] `os` imported but unused\n  %[2]d:80 E501 Line too long (9%[1]d > 88)\n"}, []string{"F401 [*] `os` imported but unused", "E501 Line too long (90… > 88)", "m2.py 12:80"}},
		{"ruff check --output-format github", []string{"::error title=Ruff (F401),file=/home/dev/x/lib/m%[1]d.py,line=%[2]d,col=8::lib/m%[1]d.py:%[2]d:8: F401 `os` imported but unused\n"}, []string{"F401 `os` imported but unused\n lib/{m0.py 10:8", "m2.py 12:8"}},
		{"npx eslint -f github", []string{"::error file=lib/m%[1]d.js,line=%[2]d,col=8::Missing semicolon.\n"}, []string{"lib/{m0.js 10:8", "m2.js 12:8"}},
		{"rubocop -f simple", []string{"== lib/m%[1]d.rb ==\nW: %[2]d:  5: Lint/UselessAssignment: Useless assignment to variable - x.\n"}, []string{"W: Lint/UselessAssignment: Useless assignment to variable - x.\n lib/{m0.rb 10:5"}},
		{"rubocop -f clang", []string{"lib/m%[1]d.rb:%[2]d:5: W: Lint/UselessAssignment: Useless assignment to variable - `x`.\n    x = 1\n    ^\n"}, []string{"lib/{m0.rb 10:5", "m2.rb 12:5"}},
		{"dart analyze", []string{"  error • lib/m%[1]d.dart:%[2]d:5 • Undefined name 'foo%[1]d'. • undefined_identifier\n"}, []string{"error: Undefined name …. undefined_identifier\n lib/{m0.dart 10:5 foo0"}},
		{"flutter analyze", []string{"   info • Unused import • lib/m%[1]d.dart:%[2]d:5 • unused_import\n"}, []string{"info: Unused import unused_import\n lib/{m0.dart 10:5, m1.dart"}},
		{"markdownlint docs", []string{"lib/m%[1]d.md:%[2]d:81 MD013/line-length Line length [Expected: 80; Actual: 12%[1]d]\n"}, []string{"MD013/line-length Line length", "m2.md 12:81"}},
		{"hadolint Dockerfile", []string{"lib/m%[1]d/Dockerfile:%[2]d DL3008 warning: Pin versions\n"}, []string{"DL3008 warning: Pin versions\n lib/m0/Dockerfile:10, lib/m1/Dockerfile:11"}},
		{"phpstan analyse --error-format=raw", []string{"lib/m%[1]d.php:%[2]d:Undefined variable: $x%[1]d\n"}, []string{"Undefined variable: …\n lib/{m0.php 10 $x0"}},
		{"golangci-lint run", []string{"lib/m%[1]d.go:%[2]d:9: Error return value of `f.Close` is not checked (errcheck)\n\tf.Close()\n\t       ^\n"}, []string{"(errcheck)\n  f.Close()\n lib/{m0.go 10:9"}},
		{"clang-tidy m.cpp", []string{"lib/m%[1]d.cpp:%[2]d:9: warning: use nullptr [modernize-use-nullptr]\n   12 |   int *p = 0;\n      |            ^\n      |            nullptr\n"}, []string{"warning: use nullptr [modernize-use-nullptr]\n lib/{m0.cpp 10:9"}},
		{"bandit -r lib", []string{">> Issue: [B101:assert_used] Use of assert detected.\n   Severity: Low   Confidence: High\n   More Info: https://docs.example.com\n   Location: lib/m%[1]d.py:%[2]d:4\n9\t    x = 1\n%[2]d\t    assert x\n\n--------------------------------------------------\n"}, []string{"[B101:assert_used] Use of assert detected.\n lib/{m0.py 10:4, m1.py 11:4, m2.py 12:4, m3.py 13:4, m4.py 14:4}\n"}},
		{"vendor/bin/phpcs", []string{"\nFILE: /home/dev/p/lib/m%[1]d.php\n----------------------------\nFOUND 1 ERROR AFFECTING 1 LINE\n----------------------------\n  %[2]d | ERROR | [x] Missing doc comment\n    |       |     for the class\n----------------------------\n"}, []string{"[x] Missing doc comment for the class\n /home/dev/p/lib/{m0.php 10, m1.php 11"}},
		{"vendor/bin/phpstan analyse", []string{" ------ --------------------------- \n  Line   lib/m%[1]d.php             \n ------ --------------------------- \n  %[2]d     Method foo() has no       \n         return type.              \n ------ --------------------------- \n\n"}, []string{"Method foo() has no return type.\n lib/{m0.php 10, m1.php 11"}},
		{"actionlint", []string{"lib/m%[1]d.yml:%[2]d:9: \"step\" section is missing [syntax-check]\n   |\n%[2]d |       - name: x\n   |         ^~~~~\n"}, []string{"\"step\" section is missing [syntax-check]\n  10 |", " lib/{m0.yml 10:9, m1.yml 11:9, m2.yml 12:9"}},
		{"cl /c m.cpp", []string{"lib\\m%[1]d.cpp(%[2]d,5): error C2065: 'tide': undeclared identifier\n"}, []string{"error C2065: 'tide': undeclared identifier\n lib\\{m0.cpp(10,5), "}},
	} {
		var b strings.Builder
		for i := range 5 {
			for _, each := range c.each {
				fmt.Fprintf(&b, each, i, i+10)
			}
		}
		got := found(c.command, b.String())
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in:\n%s", c.command, want, got)
			}
		}
		if strings.Contains(got, "^") {
			t.Errorf("%s: a caret is left in:\n%s", c.command, got)
		}
	}
}

// By which template an error came about stands with it.
func TestFindingsOfTemplates(t *testing.T) {
	got := found("make", "In file included from src/main.cpp:3:\nsrc/box.hpp: In instantiation of ‘T Box<T>::get() const [with T = Foo]’:\nsrc/main.cpp:12:20:   required from here\nsrc/box.hpp:7:17: error: no match for ‘operator<’ (operand types are ‘const Foo’ and ‘const Foo’)\n    7 |     return a < b ? a : b;\n      |            ~~^~~\n      |            ~~^~~ what is compared here has no order\ng++ -O2 -Wall -Isrc -c -o main.o src/main.cpp\nmake: *** [Makefile:7: main.o] Error 1\n")
	if !strings.Contains(got, "and ‘const Foo’) (required from src/main.cpp:12:20)\n") || !strings.HasPrefix(got[strings.IndexByte(got, '\n')+1:], "src/box.hpp:7:17: error: ") {
		t.Errorf("read:\n%s", got)
	}
}
