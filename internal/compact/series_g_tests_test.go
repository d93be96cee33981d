package compact

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The requirements' cases about test runners: G4 to G6, and P6 and P29 for
// each of them.

// linesWith returns the lines of text that satisfy is.
func linesWith(text string, is func(string) bool) (found []string) {
	for _, l := range strings.Split(text, "\n") {
		if is(l) {
			found = append(found, l)
		}
	}
	return found
}

// wantLines checks that the result has all lines of want, verbatim.
func wantLines(t *testing.T, res Result, want []string) {
	t.Helper()
	if len(want) == 0 {
		t.Error("the fixture has none of the lines")
	}
	for _, l := range want {
		if !strings.Contains("\n"+res.Reduced, "\n"+l+"\n") {
			t.Errorf("%s: lost %q", res.Meta.Rule, l)
		}
	}
}

func TestG4PytestTracebacks(t *testing.T) {
	for _, name := range []string{"tests/pytest-fail", "tests/pytest-fail-verbose", "tests/pytest-fail-short", "tests/pytest-fail-chain", "tests/pytest-fail-collection"} {
		f, res := captured(t, name)
		wantLines(t, res, linesWith(f.CombinedText, func(l string) bool {
			comparison := strings.HasPrefix(l, "E         ") || strings.HasPrefix(l, "E     ") && !strings.HasPrefix(l, "E       ") // which may say no more than the assertion above it
			return strings.HasPrefix(l, "E  ") && !comparison || strings.HasPrefix(l, ">  ") || strings.HasPrefix(l, "tests/") && strings.HasSuffix(l, "Error")
		}))
	}
}

func TestG5CargoPanicPlace(t *testing.T) {
	for _, name := range []string{"tests/cargo-test-fail", "tests/cargo-test-fail-first"} {
		f, res := captured(t, name)
		wantLines(t, res, linesWith(f.CombinedText, func(l string) bool { return strings.Contains(l, " panicked at ") }))
	}
}

func TestG6GoSubtests(t *testing.T) {
	f, res := captured(t, "tests/go-test-pass-verbose")
	passed := strings.Count(f.CombinedText, "--- PASS: ")
	if passed < 200 {
		t.Fatalf("the fixture has %d tests", passed)
	}
	if !strings.Contains(res.Reduced, fmt.Sprintf(": %d passed …]", passed)) || strings.Contains(res.Reduced, "--- PASS") || res.Meta.LinesAfter > 8 {
		t.Errorf("%d tests became:\n%s", passed, res.Reduced)
	}
}

// deepStacks are failures whose decisive frame is the fourth line of a stack
// of 200; the others belong to libraries.
var deepStacks = []struct {
	name, command, head, frame, other, tail string
}{
	{"go test", "go test ./...", "--- FAIL: TestPay (0.00s)\npanic: nil wallet\n\ngoroutine 7 [running]:\nexample.com/gw/lib.Call(0x1)\n\t/home/dev/go/pkg/mod/example.com/gw@v1.2.0/call.go:8 +0x1\nexample.com/shop/wallet.(*Wallet).Pay(0x0)",
		"\t/home/dev/shop/wallet/wallet.go:42 +0x1d", "example.com/gw/lib.Call(0x%d)\n\t/home/dev/go/pkg/mod/example.com/gw@v1.2.0/call.go:9 +0x2\n", "FAIL\texample.com/shop/wallet\t0.1s\nFAIL\n"},
	{"pytest", "pytest --tb=short", "=================================== FAILURES ===================================\n___________________________________ test_pay ___________________________________\n/usr/lib/python3/dist-packages/gw/call.py:8: in call\n    return self.next()",
		"shop/wallet.py:42: in pay", "    self.send()\n/usr/lib/python3/dist-packages/gw/call.py:%d: in call\n", "    raise Refused()\nE   gw.Refused: nil wallet\n=========================== short test summary info ============================\nFAILED tests/test_pay.py::test_pay - gw.Refused: nil wallet\n1 failed in 0.10s\n"},
	{"unittest", "python -m unittest", "======================================================================\nERROR: test_pay (tests.test_pay.Pay)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File \"/usr/lib/python3/dist-packages/gw/call.py\", line 8, in call",
		"  File \"/home/dev/shop/wallet.py\", line 42, in pay", "    self.send()\n  File \"/usr/lib/python3/dist-packages/gw/call.py\", line %d, in call\n", "    raise Refused()\ngw.Refused: nil wallet\n\n----------------------------------------------------------------------\nRan 1 test in 0.1s\n\nFAILED (errors=1)\n"},
	{"cargo test", "cargo test", "running 1 test\ntest pay ... FAILED\n\nfailures:\n\n---- pay stdout ----\n\nthread 'pay' panicked at /home/dev/.cargo/registry/src/gw-1.2.0/call.rs:8:5:\nnil wallet\nstack backtrace:\n   0: gw::call\n             at /home/dev/.cargo/registry/src/gw-1.2.0/call.rs:8:5\n   1: shop::wallet::pay",
		"             at ./src/wallet.rs:42:9", "   2: gw::call\n             at /home/dev/.cargo/registry/src/gw-1.2.0/call.rs:%d:5\n", "\n\nfailures:\n    pay\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n"},
	{"rspec", "bundle exec rspec", "Failures:\n\n  1) Wallet pays\n     Failure/Error: wallet.pay\n\n     Gw::Refused:\n       nil wallet\n     # /usr/lib/ruby/gems/3.1.0/gems/gw-1.2.0/call.rb:7:in `call'\n     # /usr/lib/ruby/gems/3.1.0/gems/gw-1.2.0/call.rb:8:in `call'\n     # /usr/lib/ruby/gems/3.1.0/gems/gw-1.2.0/call.rb:9:in `call'",
		"     # ./lib/wallet.rb:42:in `pay'", "     # /usr/lib/ruby/gems/3.1.0/gems/gw-1.2.0/call.rb:%d:in `call'\n", "\nFinished in 0.1 seconds (files took 0.1 seconds to load)\n1 example, 1 failure\n\nFailed examples:\n\nrspec ./spec/wallet_spec.rb:3 # Wallet pays\n"},
}

func TestP6FrameInEveryRunner(t *testing.T) {
	for _, tt := range deepStacks {
		t.Run(tt.name, func(t *testing.T) {
			in := tt.head + "\n" + tt.frame + "\n" + strings.TrimSuffix(numbered(200, strings.TrimSuffix(tt.other, "\n")), "\n") + "\n" + tt.tail
			res := run(tt.command, in, 1)
			if !Shows(res.Reduced, tt.frame) {
				t.Errorf("lost %q:\n%s", tt.frame, res.Reduced)
			}
			if !strings.Contains(res.Reduced, "nil wallet") || res.Meta.LinesAfter > 25 {
				t.Errorf("%d lines became %d:\n%s", res.Meta.LinesBefore, res.Meta.LinesAfter, res.Reduced)
			}
		})
	}
}

// A run that was killed has no summary: what failed so far and the test it
// was in must be there, and the raw output is stored whole.
func TestP29KilledRuns(t *testing.T) {
	for _, tt := range []struct {
		command, passed string
		rest            []string
	}{
		{"pytest -v", "tests/test_a.py::test_%d PASSED   [ 10%%]", []string{"tests/test_a.py::test_tax FAILED   [ 10%]", "tests/test_a.py::test_huge Killed"}},
		{"go test -v ./...", "=== RUN   Test%[1]d\n--- PASS: Test%[1]d (0.00s)", []string{"=== RUN   TestHuge", "    huge_test.go:9: reading everything", "signal: killed", "FAIL\texample.com/shop\t9.5s"}},
		{"cargo test", "test tests::t%d ... ok", []string{"test tests::tax ... FAILED", "error: test failed, to rerun pass `--lib`", "Killed"}},
		{"rspec -f d", "Cart %[1]d\n  example %[1]d", []string{"rspec: line 3: 4711 Killed   bundle exec rspec"}},
		{"python -m unittest -v", "test_%d (tests.test_a.A) ... ok", []string{"Killed"}},
	} {
		t.Run(tt.command, func(t *testing.T) {
			in := numbered(300, tt.passed) + strings.Join(tt.rest, "\n") + "\n"
			exit := 137
			res := Compact(Envelope{Command: tt.command, CombinedText: in, ExitCode: &exit}, Options{Level: Normal, Tee: Tee{Dir: t.TempDir()}})
			wantLines(t, res, tt.rest)
			if res.Meta.FailureSignal != "exit" || res.Meta.LinesAfter > 40 {
				t.Errorf("signal %s, %d lines", res.Meta.FailureSignal, res.Meta.LinesAfter)
			}
			if res.Meta.TeeFile == nil {
				t.Fatal("the raw output was not stored")
			}
			if stored, err := os.ReadFile(*res.Meta.TeeFile); err != nil || string(stored) != in {
				t.Errorf("%d of %d bytes are stored, %v", len(stored), len(in), err)
			}
		})
	}
}
