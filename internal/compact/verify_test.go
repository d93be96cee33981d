package compact

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// However wild the answer, what comes out are lines of the output in their
// order, no more than 40 besides those of the rule, and not longer than it.
func TestVerifierKeepsTheOrder(t *testing.T) {
	output := checked(3000, ending...)
	in := strings.Split(output, "\n")
	for range 50 {
		var a Answer
		for range rand.IntN(200) {
			a.Numbers = append(a.Numbers, rand.IntN(3010))
			a.Lines = append(a.Lines, in[rand.IntN(len(in))])
		}
		got := verified(t, output, 1, byDefault(), &model{answer: a})
		at, restored := 0, 0
		for _, l := range strings.Split(got.Reduced, "\n") {
			if strings.HasPrefix(l, "[") {
				continue
			}
			next := slices.Index(in[at:], l)
			if next < 0 {
				t.Fatalf("%q is not at its place in:\n%s", l, got.Reduced)
			}
			at += next + 1
			if strings.HasPrefix(l, "ledger") {
				restored++
			}
		}
		if restored != got.Meta.VerifierRestored || restored > maxVerified {
			t.Errorf("%d lines are restored, the meta data say %d", restored, got.Meta.VerifierRestored)
		}
	}
	// Equal lines: by number each its own, by text the first.
	q := Question{Lines: []QuestionLine{{N: 3, Text: "}"}, {N: 5, Text: "}", Shown: true}, {N: 9, Text: "}"}}}
	for _, tt := range []struct {
		a    Answer
		want string
	}{
		{Answer{Numbers: []int{9, 5}}, "[{9 } false}]"},
		{Answer{Lines: []string{"}"}}, "[{3 } false}]"},
		{Answer{Numbers: []int{3, 3}, Lines: []string{"}", "}", "}"}}, "[{3 } false} {9 } false}]"},
	} {
		if got := fmt.Sprint(q.Pick(tt.a)); got != tt.want {
			t.Errorf("%+v: %s", tt.a, got)
		}
	}
}

// An output that the restored lines would make longer than it was goes out,
// and is not stored.
func TestVerifierNeverLonger(t *testing.T) {
	tee := t.TempDir()
	output := strings.Repeat("ledger\n", 41) + strings.Join(ending, "\n") + "\n"
	var a Answer
	for n := range 50 {
		a.Numbers = append(a.Numbers, n)
	}
	v := byDefault()
	if got := verified(t, output, 1, v, nil); got.Meta.Unchanged {
		t.Fatal("the rule alone does not cut it")
	}
	m := &model{answer: a}
	v.Ask = m.ask
	exit := 1
	opt := Options{Level: Normal, Library: checkRule(t), Verify: v, Tee: Tee{Dir: tee}}
	got := Compact(Envelope{Command: "check", CombinedText: output, ExitCode: &exit}, opt)
	if stored, _ := os.ReadDir(tee); len(stored) > 0 {
		t.Errorf("stored: %v", stored)
	}
	if got.Reduced != output || !got.Meta.Unchanged || !got.Meta.VerifierFired || got.Meta.VerifierRestored != 0 {
		t.Errorf("meta %+v, got %s", got.Meta, got.Reduced)
	}
}

// No secret is sent, whatever kinds the user lets be stored, and what comes
// back is the line as it was sent.
func TestVerifierIsSentNoSecret(t *testing.T) {
	const body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ"
	secrets := "ledger key AKIA" + "IOSFODNN7EXAMPLE\x1b[0m\nledger -----BEGIN OPENSSH PRIVATE KEY-----\nledger " + body + "\nledger -----END OPENSSH PRIVATE KEY-----\nledger \x1b[31mred\x1b[0m\n"
	m := &model{answer: Answer{Numbers: []int{1, 2, 3, 5}}}
	got := verified(t, secrets+checked(200, ending...), 1, byDefault(), m)
	sent := fmt.Sprint(m.asked[0].Lines)
	for _, secret := range []string{"AKIA", body, "\x1b"} {
		if strings.Contains(sent+got.Reduced, secret) {
			t.Errorf("%q is in what was sent, or came out", secret)
		}
	}
	if m.asked[0].Redacted != 2 || got.Meta.VerifierRestored != 4 || !strings.Contains(got.Reduced, "\nledger key [redacted:aws]\n") || !strings.Contains(got.Reduced, "\nledger red\n") {
		t.Errorf("%d lines redacted, got %s", m.asked[0].Redacted, got.Reduced)
	}
}

// Of a long output both ends are sent, by their true numbers; also of one that
// is not held any more.
func TestVerifierIsSentBothEnds(t *testing.T) {
	for _, tt := range []struct{ total, width, most, want int }{
		{total: 1999, most: 0, want: 1999},
		{total: 2400, most: 0, want: questionLines},
		{total: 5000, most: 300, want: 300},
		{total: 3000, width: 1000, most: 0, want: questionBytes/1019 - 2},
		{total: 500, width: 1000, most: 0, want: questionBytes/1019 - 2},
		{total: 60_000, width: 100, most: 0, want: 1000},
	} {
		pad := strings.Repeat("x", tt.width)
		var b strings.Builder
		for i := 1; i <= tt.total; i++ {
			fmt.Fprintf(&b, "ledger %5d %s\n", i, pad)
		}
		m := &model{}
		s := NewStream(Envelope{Command: "check"}, Options{Level: Normal, Verify: Verify{Ask: m.ask, Always: true, MaxLines: tt.most}})
		s.Write([]byte(b.String()))
		s.Finish(nil)
		if len(m.asked) != 1 {
			t.Errorf("%+v: asked %d times", tt, len(m.asked))
			continue
		}
		sent, size := m.asked[0].Lines, 0
		for _, l := range sent {
			size += len(l.Text)
			if l.Text != fmt.Sprintf("ledger %5d %s", l.N, pad) {
				t.Fatalf("%+v: line %d is %.50q", tt, l.N, l.Text)
			}
		}
		first, last := sent[0].N, sent[len(sent)-1].N
		if first != 1 || last != tt.total || size > questionBytes || len(sent) < tt.want || len(sent) > tt.want+tt.want/5 {
			t.Errorf("%+v: %d lines from %d to %d, %d bytes", tt, len(sent), first, last, size)
		}
	}
	// The end of a key whose beginning is gone.
	s := Stream{n: 200_000}
	s.raw.Write([]byte(strings.Repeat("0123456789abcdef\n", 300_000)))
	s.raw.Write([]byte("c2VjcmV0\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----\nthe end\n"))
	for n, l := range s.rawLines() {
		if l == "c2VjcmV0" || l == "the end" && n != s.n-1 {
			t.Errorf("line %d: %q", n, l)
		}
	}
}

// The answer has five seconds, or less when the caller has less.
func TestVerifierTime(t *testing.T) {
	for _, tt := range []struct{ until, want time.Duration }{{0, 5 * time.Second}, {time.Minute, 5 * time.Second}, {2 * time.Second, 2 * time.Second}} {
		v := byDefault()
		if tt.until > 0 {
			v.Until = time.Now().Add(tt.until)
		}
		var left time.Duration
		v.Ask = func(ctx context.Context, _ Question) (Answer, error) {
			at, _ := ctx.Deadline()
			left = time.Until(at)
			return Answer{}, nil
		}
		verified(t, checked(200, ending...), 1, v, nil)
		if left > tt.want || left < tt.want-time.Second {
			t.Errorf("until %v: %v are left", tt.until, left)
		}
	}
}

// At most a tenth of a session's calls, rounded up, and one question a call.
func TestQuota(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "verifier")
	ask := func(session string, always bool) bool {
		q := &Quota{Dir: dir}
		q.Call(session)
		first, second := q.take(always), q.take(always)
		if second {
			t.Error("two questions in one call")
		}
		return first
	}
	for _, session := range []string{"s", "../other"} {
		asked := 0
		for call := 1; call <= 100; call++ {
			if ask(session, false) {
				asked++
			}
			if most := (call + 9) / 10; asked != most {
				t.Fatalf("%s: %d questions in %d calls", session, asked, call)
			}
		}
		if !ask(session, true) {
			t.Error("refused, though it was asked for")
		}
	}
	// A shim's call is counted when it asks. Calls that ask nothing count too.
	for range 30 {
		(&Quota{Dir: dir}).Call("quiet")
	}
	asked := 0
	for range 10 {
		if q := (&Quota{Dir: dir, Session: "quiet"}); q.take(false) {
			asked++
		}
	}
	if asked != 4 {
		t.Errorf("%d questions in 40 calls", asked)
	}
	// Without a session some are free each day.
	asked = 0
	for range 100 {
		if ask("", false) {
			asked++
		}
	}
	if asked != quotaFree {
		t.Errorf("%d questions outside of a session", asked)
	}
	// Files of sessions that are over are removed, those of others kept.
	files, _ := os.ReadDir(dir)
	if len(files) != 4 {
		t.Errorf("files: %v", files)
	}
	old := time.Now().Add(-3 * 24 * time.Hour)
	for _, f := range files[:3] {
		if fi, err := f.Info(); err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), fi, err)
		}
		os.Chtimes(filepath.Join(dir, f.Name()), old, old)
	}
	ask("new", false)
	if files, _ = os.ReadDir(dir); len(files) != 2 {
		t.Errorf("files: %v", files)
	}
	// What cannot be counted is not asked.
	blocked := filepath.Join(dir, files[0].Name())
	if q := (&Quota{Dir: blocked, Session: "s"}); q.take(false) {
		t.Error("asked without a count")
	}
}
