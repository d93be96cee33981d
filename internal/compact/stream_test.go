package compact

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// What must not be touched comes out whole, however large it is and whoever
// takes it.
func TestLeftAlone(t *testing.T) {
	large := numbered(rawWhole/20, "a line of the %08d output") // more than is held of others
	binary := "\xff\xfe" + large
	tests := []struct{ name, command, output string }{
		{"excluded", "cd x && curl -s example", large},
		{"excluded, short", "curl -s example", "one\ntwo\n"},
		{"not text", "cat logo.png", binary},
	}
	for _, tt := range tests {
		env := Envelope{Command: tt.command}
		opt := Options{Level: Normal, Exclude: []string{"curl"}}
		var passed bytes.Buffer
		through := opt
		through.Passthrough = &passed
		streams := map[string]interface {
			Write([]byte) (int, error)
			Finish(*int) Result
		}{
			"result": NewStream(env, opt), "passthrough": NewStream(env, through),
		}
		for how, s := range streams {
			for rest := tt.output; rest != ""; {
				n := min(len(rest), 100_000)
				s.Write([]byte(rest[:n]))
				rest = rest[n:]
			}
			res := s.Finish(new(int))
			if got := passed.String() + res.Reduced; got != tt.output || !res.Meta.Unchanged {
				t.Errorf("%s, %s: %d bytes became %d", tt.name, how, len(tt.output), len(got))
			}
			passed.Reset()
		}
	}
}

// A command is excluded by its own words, not by how the line begins.
func TestExcludes(t *testing.T) {
	long := numbered(20000, "row %d")
	for command, want := range map[string]bool{
		"git show HEAD":                                     true,
		"git -C dir show HEAD":                              true,
		"FOO=1 /usr/bin/git show HEAD":                      true,
		"cd sub && git show HEAD | cat":                     true,
		"git showtool":                                      false,
		"git diff; echo git show":                           false,
		"grep -r 'git show' . | head -50":                   false,
		"cairn plan content show rules":                     true,
		"cd x && /opt/bin/cairn plan context a | head -300": true,
		"make cairn":                                        false,
		"cd cairn && ./cairn.sh":                            false,
	} {
		res := Compact(Envelope{Command: command, CombinedText: long}, Options{Level: Normal, Exclude: []string{"git show"}})
		if got := res.Reduced == long; got != want {
			t.Errorf("%s: excluded %v, want %v", command, got, want)
		}
	}
}

// Where somebody left something out before us, that stays to be seen.
func TestClippedStays(t *testing.T) {
	const marker = "…1038606 chars truncated…"
	text := strings.Repeat("=== RUN   TestA\n--- PASS: TestA (0.00s)\n", 200)
	for _, command := range []string{"go test -v ./...", "seq 1 400", "make"} {
		env := Envelope{Command: command, CombinedText: text + marker + "\n" + text, Clipped: marker, ExitCode: new(int)}
		if got := Compact(env, Options{Level: Aggressive}).Reduced; strings.Count(got, "\n"+marker+"\n") != 1 || len(got) > len(text)/2 {
			t.Errorf("%s: %d bytes: %.500q", command, len(got), got)
		}
	}
}

// What is known to be fine is counted by the header, or by the marker that has the
// summary; what nobody knows has a marker of its own.
func TestOneMarkerForWhatPassed(t *testing.T) {
	var raw strings.Builder
	for i := range 4 {
		for j := range 3 + i {
			fmt.Fprintf(&raw, "=== RUN   TestFine%d%d\n--- PASS: TestFine%d%d (0.00s)\n", i, j, i, j)
		}
		fmt.Fprintf(&raw, "=== RUN   TestBad%d\n    a_test.go:%d1: basket %d is torn\n--- FAIL: TestBad%d (0.00s)\n", i, i, i, i)
	}
	raw.WriteString("FAIL\nFAIL\texample.com/shop\t0.1s\nFAIL\n")
	got := Compact(Envelope{Command: "go test -v", CombinedText: raw.String(), ExitCode: new(1)}, Options{Level: Normal}).Reduced
	if n := strings.Count(got, "[…"); n != 1 || !strings.Contains(got, "lines: 18 passed …]") {
		t.Errorf("%d markers:\n%s", n, got)
	}
	raw.Reset()
	for i := range 200 {
		fmt.Fprintf(&raw, "row %c of something that nobody knows %[1]c\n", 'a'+i%26)
	}
	if got := Compact(Envelope{Command: "./own", CombinedText: raw.String()}, Options{Level: Normal}).Reduced; !strings.Contains(got, " lines …]\n") {
		t.Errorf("no marker:\n%s", got)
	}
}

// The header marks what is missing right below it.
func TestTopOmission(t *testing.T) {
	raw := strings.Repeat("PASS test/a.test.js\n", 9) + "Tests:       9 passed, 9 total\n" + strings.Repeat("PASS test/b.test.js\n", 9)
	res := Compact(Envelope{Command: "npx jest", CombinedText: raw}, Options{Level: Normal})
	if want := "[cairn: 19 → 1 lines · tests/jest]\nTests:       9 passed, 9 total\n"; res.Reduced != want {
		t.Errorf("got\n%s", res.Reduced)
	}
	raw = strings.Repeat("ok  \texample.com/a\t0.1s\n", 9) + "FAIL\texample.com/b\t0.1s\n" + strings.Repeat("ok  \texample.com/c\t0.1s\n", 9)
	res = Compact(Envelope{Command: "go test ./...", CombinedText: raw}, Options{Level: Normal})
	if !strings.HasSuffix(res.Reduced, "]\nFAIL\texample.com/b\t0.1s\n") {
		t.Errorf("got\n%s", res.Reduced)
	}
}

// Of statements that take turns each is counted for itself.
func TestCountsOfRepeats(t *testing.T) {
	var log strings.Builder
	for i := range 60 {
		fmt.Fprintf(&log, "2026-03-04 09:00:%02d INFO served order %d\n", i, i)
		if i%6 == 0 {
			fmt.Fprintf(&log, "2026-03-04 09:00:%02d DEBUG heartbeat of the queue %d\n", i, i)
		}
	}
	got := Compact(Envelope{Command: "cat app.log", CombinedText: log.String()}, Options{Level: Normal, Rule: "logs/log"}).Reduced
	for _, want := range []string{"served order 0 … ×60\n", "heartbeat of the queue 0 … ×10\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

// An output that is left alone after all was not cut, has no id and nothing
// that was brought back.
func TestKept(t *testing.T) {
	m := Meta{Rule: "x", LinesBefore: 90, LinesAfter: 9, BytesBefore: 900, BytesAfter: 99, TokensBefore: 225, TokensAfter: 25, Restored: 2, TeeID: "k3f9x"}
	m.VerifierFired, m.VerifierRestored = true, 1
	want := Meta{Rule: "x", LinesBefore: 90, LinesAfter: 90, BytesBefore: 900, BytesAfter: 900, TokensBefore: 225, TokensAfter: 225, Unchanged: true}
	want.VerifierFired = true // it was paid for
	if got := m.Kept(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
