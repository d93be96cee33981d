package record

import (
	"strings"
	"testing"
)

func TestCargoTest(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"output before the panic", `     Running unittests src/lib.rs (target/debug/deps/a-0123)

running 2 tests
test tests::one ... ok
test tests::two ... FAILED

failures:

---- tests::two stdout ----
loading two
thread 'tests::two' panicked at src/lib.rs:7:5:
two is not there
note: run with ` + "`RUST_BACKTRACE=1`" + ` environment variable to display a backtrace


failures:
    tests::two

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass ` + "`--lib`" + `
`, `loading two
thread 'tests::two' panicked at src/lib.rs:7:5:
two is not there
test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
error: test failed, to rerun pass ` + "`--lib`" + `
`},
		{"a result of type Err", `---- tests::three stdout ----
Error: ParseIntError { kind: InvalidDigit }

failures:
    tests::three
`, `---- tests::three stdout ----
Error: ParseIntError { kind: InvalidDigit }
`},
		{"doc test that does not compile", `---- src/lib.rs - add (line 3) stdout ----
error[E0425]: cannot find function ` + "`ad`" + ` in this scope
 --> src/lib.rs:4:1
  |
3 | ad(1, 2);
  | ^^ help: a function with a similar name exists: ` + "`add`" + `

error: aborting due to 1 previous error

Couldn't compile the test.

failures:
    src/lib.rs - add (line 3)

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s
`, `---- src/lib.rs - add (line 3) stdout ----
error[E0425]: cannot find function ` + "`ad`" + ` in this scope
 --> src/lib.rs:4:1
  |
3 | ad(1, 2);
  | ^^ help: a function with a similar name exists: ` + "`add`" + `
error: aborting due to 1 previous error
Couldn't compile the test.
test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s
`},
		{"nextest", `────────────
 Nextest run ID 01-23 with nextest profile: default
    Starting 3 tests across 1 binary
        PASS [   0.003s] (1/3) shop cart::one
        FAIL [   0.004s] (2/3) shop cart::two
  stdout ───

    running 1 test
    test cart::two ... FAILED

    failures:

    failures:
        cart::two

    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 2 filtered out; finished in 0.00s

  stderr ───

    thread 'cart::two' panicked at src/cart.rs:9:5:
    assertion ` + "`left == right`" + ` failed
      left: 1
     right: 2

────────────
     Summary [   0.005s] 3 tests run: 2 passed, 1 failed, 0 skipped
        FAIL [   0.004s] (2/3) shop cart::two
error: test run failed
`, `        FAIL [   0.004s] (2/3) shop cart::two
    thread 'cart::two' panicked at src/cart.rs:9:5:
    assertion ` + "`left == right`" + ` failed
      left: 1
     right: 2
     Summary [   0.005s] 3 tests run: 2 passed, 1 failed, 0 skipped
error: test run failed
`},
		{"quiet, with the output of what passed", `running 3 tests
.i 2/3
tests::two --- FAILED

successes:

---- tests::one stdout ----
one says: failed to fail


successes:
    tests::one

failures:

---- tests::two stdout ----
Error: "no"


failures:
    tests::two

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
`, `tests::two --- FAILED
---- tests::two stdout ----
Error: "no"
test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
`},
		{"killed", `running 1 test
error: test failed, to rerun pass ` + "`--lib`" + `

Caused by:
  process didn't exit successfully: ` + "`target/debug/deps/a-0123`" + ` (signal: 9, SIGKILL: kill)
`, `error: test failed, to rerun pass ` + "`--lib`" + `
Caused by:
  process didn't exit successfully: ` + "`target/debug/deps/a-0123`" + ` (signal: 9, SIGKILL: kill)
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := kept(parse(t, "cargotest", tt.in)); got != tt.want {
				t.Errorf("got:\n%swant:\n%s", got, tt.want)
			}
			scramble(t, "cargotest", tt.in)
		})
	}
}

func TestCargoBacktrace(t *testing.T) {
	got := kept(parse(t, "cargotest", `---- test_x stdout ----

thread 'test_x' (30886) panicked at tests/x.rs:21:5:
did not match
stack backtrace:
   0: rust_begin_unwind
             at /rustc/5980/library/std/src/panicking.rs:689:5
   1: x::deep::check
             at ./tests/x.rs:25:9
   2: x::test_x
             at ./tests/x.rs:21:5
   3: x::test_x::{{closure}}
             at ./tests/x.rs:20:20
   4: core::ops::function::FnOnce::call_once
             at /rustc/5980/library/core/src/ops/function.rs:250:5
note: Some details are omitted, run with `+"`RUST_BACKTRACE=full`"+` for a verbose backtrace.
`))
	want := `thread 'test_x' (30886) panicked at tests/x.rs:21:5:
did not match
  at ./tests/x.rs:25:9
`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

// A failed test is named by its output, and one without any by its result; the
// results of binaries that passed are one.
func TestCargoNamesOnce(t *testing.T) {
	const in = `test a::loads - should panic ... FAILED
test a::sinks ... FAILED
test a::floats ... ok

failures:

---- a::loads stdout ----

thread 'a::loads' panicked at src/a.rs:3:5:
too heavy
note: panic did not contain expected string

failures:
    a::loads
    a::sinks

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`
	want := `test a::sinks ... FAILED
thread 'a::loads' panicked at src/a.rs:3:5:
too heavy
note: panic did not contain expected string
test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`
	if got := kept(parse(t, "cargotest", in)); got != want {
		t.Errorf("got:\n%s", got)
	}
	var sites []string
	for _, r := range parse(t, "cargotest", "test result: ok. 0 passed; 0 failed; finished in 0.00s\ntest result: ok. 7 passed; 0 failed; 2 ignored; finished in 0.35s\n") {
		sites = append(sites, r.Key+" "+r.Site)
	}
	if got := strings.Join(sites, ", "); got != "test result: ok 0 passed, test result: ok 7 passed 2 ignored 0.35s" {
		t.Error(got)
	}
}
