package compact

import (
	"strconv"
	"strings"
	"testing"

	"cairn/internal/compact/lines"
)

// The rows of the G-series that are about builds and linters. Each runs on
// output captured from the real tool.

func capturedText(t *testing.T, name string) (f Fixture, got string) {
	t.Helper()
	f, res := captured(t, name)
	return f, res.Reduced
}

func wantText(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

// G12: cargo build, success: the progress goes, the final target stays.
func TestG12(t *testing.T) {
	_, got := capturedText(t, "build/cargo-build-pass")
	wantText(t, got, "Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.65s")
	if strings.Contains(got, "Compiling") {
		t.Errorf("progress is left:\n%s", got)
	}
	_, got = capturedText(t, "build/cargo-build-warnings")
	wantText(t, got, "Finished `dev` profile", "warning: unused variable: `depth`", "--> crates/vm/src/lib.rs:27:11", "generated 5 warnings")
}

// silent is the command's output when it finds nothing: tsc and eslint print
// not a byte then.
func silent(t *testing.T, command string) {
	t.Helper()
	zero := 0
	res := Compact(Envelope{Command: command, ExitCode: &zero}, Options{Level: Normal})
	if res.Reduced != "" || !res.Meta.Unchanged {
		t.Errorf("%s: nothing became %q", command, res.Reduced)
	}
}

// clean checks that a run without findings stays small and does not look like
// a failure.
func clean(t *testing.T, name string) {
	t.Helper()
	f, got := capturedText(t, name)
	if len(got) > len(f.CombinedText) || strings.Count(got, "\n") > 5 {
		t.Errorf("%s: a clean run became:\n%s", name, got)
	}
	if res := Compact(f.Envelope, Options{Level: Normal}); res.Meta.FailureSignal != "none" {
		t.Errorf("%s: signal %s", name, res.Meta.FailureSignal)
	}
}

// G14: tsc --noEmit, clean.
func TestG14(t *testing.T) {
	silent(t, "npx tsc --noEmit")
	clean(t, "build/tsc-pass")
}

// G15: tsc --noEmit with errors: all of them, with their places, however they
// are printed.
func TestG15(t *testing.T) {
	for _, name := range []string{"build/tsc-fail", "build/tsc-fail-pretty", "build/tsc-fail-many", "build/tsc-fail-npm"} {
		f, got := capturedText(t, name)
		errors := 0
		for _, l := range strings.Split(f.CombinedText, "\n") {
			if l = lines.Clean(l); strings.Contains(l, "error TS") {
				errors++
				if !Shows(got, l) {
					t.Errorf("no %q in:\n%s", l, got)
				}
			}
		}
		if errors == 0 {
			t.Errorf("%s has %d errors: the fixture shows nothing", name, errors)
		}
	}
}

// G16: eslint ., clean.
func TestG16(t *testing.T) {
	silent(t, "npx eslint .")
	clean(t, "lint/eslint-pass")
}

// G17: eslint . with violations: by rule with how many, the places and what
// can be fixed.
func TestG17(t *testing.T) {
	f, got := capturedText(t, "lint/eslint-fail-many")
	counts := map[string]int{}
	for _, l := range strings.Split(f.CombinedText, "\n") {
		words := strings.Fields(l)
		if len(words) > 3 && (words[1] == "error" || words[1] == "warning") {
			counts[words[len(words)-1]]++
		}
	}
	if len(counts) < 4 {
		t.Fatalf("rules in the fixture: %v", counts)
	}
	for _, l := range strings.Split(got, "\n") {
		said, n, _ := strings.Cut(l, " ×")
		times, _ := strconv.Atoi(n)
		counts[said[strings.LastIndexByte(said, ' ')+1:]] -= times
	}
	for rule, n := range counts {
		if n != 0 {
			t.Errorf("%s: %d more or less in:\n%s", rule, n, got)
		}
	}
	wantText(t, got, "✖ 1029 problems (912 errors, 117 warnings)", "117 errors and 0 warnings potentially fixable with the `--fix` option.",
		"/home/dev/ledgerline/legacy/{batch", "batch01.js", "batch24.js")
	if len(got)*5 > len(f.CombinedText) {
		t.Errorf("%d bytes became %d", len(f.CombinedText), len(got))
	}
	f, got = capturedText(t, "lint/eslint-fail")
	for _, k := range f.Lost(got) {
		t.Errorf("no %q in:\n%s", k, got)
	}
}
