package record

import (
	"strings"
	"testing"
)

const rustcOutput = `   Compiling app v0.1.0 (/home/dev/app)
error[E0433]: cannot find ` + "`X`" + ` in this scope
  --> src/a.rs:3:33
   |
 3 | fn f(x: &X) {
   |          ^ not found in this scope
   |
help: consider importing this struct
   |
 1 + use crate::X;
   |

warning: unused variable: ` + "`i`" + `
 --> src/b.rs:5:9
  |
5 |     let i = 1;
  |         ^ help: prefix it with an underscore
  |
  = note: ` + "`#[warn(unused_variables)]`" + ` on by default

For more information about this error, try ` + "`rustc --explain E0433`" + `.
warning: ` + "`app`" + ` (bin "app") generated 1 warning
error: could not compile ` + "`app`" + ` (bin "app") due to 1 previous error; 1 warning emitted`

func TestRustc(t *testing.T) {
	rs := parse(t, "rustc", rustcOutput)
	var classes []string
	for _, r := range rs {
		if r.Class >= Warn {
			classes = append(classes, map[Class]string{Warn: "warn", Keep: "keep", Failure: "fail"}[r.Class]+" "+r.Site)
		}
	}
	if got := strings.Join(classes, ", "); got != "fail src/a.rs:3:33, warn src/b.rs:5:9, fail " {
		t.Errorf("records: %s", got)
	}
	if got := kept(rs); !strings.Contains(got, "\n1 + use crate::X;\n") || strings.Contains(got, "Compiling") || strings.Contains(got, "--explain") {
		t.Errorf("kept:\n%s", got)
	}
}

func TestCargoSuccess(t *testing.T) {
	text := strings.Repeat("   Compiling dep v1.0.0\n", 40) + "   Compiling app v0.1.0 (/home/dev/app)\n    Finished `dev` profile [unoptimized] target(s) in 2.77s"
	if got := kept(parse(t, "rustc", text)); got != "    Finished `dev` profile [unoptimized] target(s) in 2.77s\n" {
		t.Errorf("kept:\n%s", got)
	}
}

const ctestOutput = `Test project /home/dev/x/build
      Start  1: parse
 1/3 Test  #1: parse .......................   Passed    0.00 sec
      Start  2: print
 2/3 Test  #2: print .......................***Failed    0.01 sec
print.c:12:prints_all:PASS
print.c:55:prints_zero:FAIL: Expected 1 Was 2

-----------------------
2 Tests 1 Failures 0 Ignored
FAIL
      Start  3: long
 3/3 Test  #3: long ........................***Timeout   1.00 sec

33% tests passed, 2 tests failed out of 3

The following tests FAILED:
	  2 - print (Failed)
	  3 - long (Timeout)
Errors while running CTest`

func TestCtest(t *testing.T) {
	got := kept(parse(t, "ctest", ctestOutput))
	for _, want := range []string{"***Failed", "prints_zero:FAIL", "***Timeout", "33% tests passed", "#2: print ***", "2 - print", "3 - long"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "PASS") || strings.Contains(got, "Passed") {
		t.Errorf("passed tests are kept:\n%s", got)
	}
}

// Under -V a test's output comes before its result, marked with its number.
func TestCtestVerbose(t *testing.T) {
	rs := parse(t, "ctest", "test 1\n    Start 1: a\n1: Test command: /x/a\n1: fine\n2: Assertion `x' failed.\n1/2 Test #1: a ....   Passed    0.0 sec\n2/2 Test #2: b ....***Failed    0.0 sec\n2: late")
	for _, r := range rs {
		good := strings.HasPrefix(r.Lines[0].Text, "1: ")
		if good != (r.Class == Good && good) {
			t.Errorf("%q has class %d", r.Lines[0].Text, r.Class)
		}
		if strings.HasPrefix(r.Lines[0].Text, "2: ") && r.Class == Good {
			t.Errorf("%q of the failed test is dropped", r.Lines[0].Text)
		}
	}
}

// Two errors with one head and different labels are two errors, and dots for
// source that is not shown end nothing, in cargo test's output either.
func TestRustcLabels(t *testing.T) {
	text := `error[E0308]: mismatched types
 --> src/a.rs:3:5
  |
3 |     7
  |     ^ expected ` + "`String`" + `, found integer

error[E0308]: mismatched types
  --> src/a.rs:9:5
   |
1  | fn f() -> u8 {
   |           -- expected ` + "`u8`" + ` because of return type
...
9  |     "x"
   |     ^^^ expected ` + "`u8`, found `&str`" + `
`
	for _, parser := range [...]string{"rustc", "cargotest"} {
		rs := parse(t, parser, text)
		got := kept(rs)
		if !strings.Contains(got, "expected `String`, found integer\n") || !strings.Contains(got, "expected `u8`, found `&str`\n") {
			t.Errorf("%s kept:\n%s", parser, got)
		}
		for _, r := range rs {
			if r.Class == Body && len(r.Lines) > 0 && r.Lines[0].Text != "" {
				t.Errorf("%s: %q belongs to no diagnostic", parser, r.Lines[0].Text)
			}
		}
	}
}

// The source that rustc shows goes: the place says where it is. What stands beside
// its marks stays, with the line where that is another.
func TestRustcFrameless(t *testing.T) {
	const in = "error[E0505]: cannot move out of `hull` because it is borrowed\n" +
		"   --> src/yard.rs:41:10\n" +
		"    |\n" +
		" 38 | fn launch(hull: Hull) {\n" +
		"    |           ---- binding `hull` declared here\n" +
		" 39 |     let deck = &hull;\n" +
		"    |                ----- borrow of `hull` occurs here\n" +
		"...\n" +
		" 41 |     sink(hull);\n" +
		"    |          ^^^^ move out of `hull` occurs here\n" +
		" 42 |     deck.scrub();\n" +
		"    |     ---- borrow later used here\n" +
		"    |\n" +
		"   ::: src/hull.rs:7:1\n" +
		"    |\n" +
		"  7 | struct Hull;\n" +
		"    | ----------- defined here\n" +
		"    = help: the following other types implement trait `Float`:\n" +
		"              Cork\n" +
		"              Wood\n" +
		"            and 12 others\n" +
		"    = note: this error originates in the macro `yard` (in Nightly builds, run with -Z macro-backtrace for more info)\n" +
		"help: consider cloning the value\n" +
		"    |\n" +
		" 39 |     let deck = &hull.clone();\n" +
		"    |                     ++++++++\n\n"
	want := "error[E0505]: cannot move out of `hull` because it is borrowed\n" +
		" --> src/yard.rs:41:10\n" +
		"  38: binding `hull` declared here\n" +
		"  39: borrow of `hull` occurs here\n" +
		"  ^ move out of `hull` occurs here\n" +
		"  42: borrow later used here\n" +
		" ::: src/hull.rs:7:1\n" +
		"  defined here\n" +
		" = help: the following other types implement trait `Float`:\n" +
		" = note: this error originates in the macro `yard`\n" +
		"help: consider cloning the value\n" +
		"39 |     let deck = &hull.clone();\n"
	if got := kept(parse(t, "rustc", in)); got != want {
		t.Errorf("got:\n%s", got)
	}
}

// A program that cargo runs may panic: its own frames tell where, and what it
// prints then goes on.
func TestCargoRunPanics(t *testing.T) {
	const in = "   Compiling mill v0.1.0 (/home/dev/mill)\n    Finished `dev` profile target(s) in 0.40s\n     Running `target/debug/mill`\nstarting\n\n" +
		"thread 'main' panicked at src/grind.rs:1:55:\nno grain\nstack backtrace:\n   0: core::panicking::panic_fmt\n             at /rustc/59/library/core/src/panicking.rs:80:14\n" +
		"   1: mill::grind\n             at ./src/grind.rs:1:55\n   2: mill::main\n             at ./src/main.rs:9:5\n" +
		"note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\nbye\n"
	want := "    Finished `dev` profile target(s) in 0.40s\n     Running `target/debug/mill`\nthread 'main' panicked at src/grind.rs:1:55:\nno grain\n  at ./src/main.rs:9:5\n"
	rs := parse(t, "rustc", in)
	if got := kept(rs); got != want {
		t.Errorf("got:\n%s", got)
	}
	if got := classes(rs)["bye"]; got != Body {
		t.Errorf("what it prints then is %d", got)
	}
}

// One crate's few warnings need not be counted; those of several are.
func TestRustcFewWarnings(t *testing.T) {
	crate := func(name string) string {
		return "warning: unused variable: `" + name + "`\n --> src/" + name + ".rs:3:9\n\nwarning: `" + name + "` (lib) generated 1 warning\n"
	}
	end := "    Finished `dev` profile [unoptimized] target(s) in 2.77s\n"
	if got := kept(parse(t, "rustc", crate("oven")+end)); strings.Contains(got, "generated") || !strings.Contains(got, "unused variable") {
		t.Errorf("one crate:\n%s", got)
	}
	if got := kept(parse(t, "rustc", crate("oven")+crate("rack")+end)); strings.Count(got, "generated") != 2 {
		t.Errorf("two crates:\n%s", got)
	}
}
