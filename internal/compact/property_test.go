package compact

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/rule"
	"cairn/internal/redact"
	"cairn/test/cairntest"
)

var (
	passedLabel = regexp.MustCompile(`^(<[\w-]+)> (passed|skipped|without a failure)( ×\d)`)

	marker = regexp.MustCompile(`^\s*\[(cairn: |… ).*\]$|\s*\[… [^\]]*…\]`)
	count  = regexp.MustCompile(` (… )?×[\d,]+| [+−]\d+| @\d[\d,…]*| =>|: [\d,-]+$`)
)

// invented returns the first line of reduced that came from nowhere: neither
// is it a part of a line of raw, nor are all of its words in raw, as they are
// in a row under a header.
func invented(raw, reduced string) string {
	var have strings.Builder
	for _, l := range strings.Split(raw, "\n") {
		text := lines.Clean(l)
		have.WriteString(redact.Line(squeeze(lines.Clip(text))) + "\n" + squeeze(text) + "\n")
	}
	all := have.String()
	for _, l := range strings.Split(reduced, "\n") {
		l = strings.TrimPrefix(l, "(no extension)") // a label of ours
		l = passedLabel.ReplaceAllString(l, "$1$3") // another: tests in a report of XML
		bare := squeeze(count.ReplaceAllString(marker.ReplaceAllString(l, " "), " "))
		if strings.Contains(all, bare) {
			continue
		}
		for _, w := range strings.FieldsFunc(bare, func(r rune) bool { return strings.ContainsRune(" :;·×,{}[]\"/…()–›", r) }) {
			if !strings.Contains(all, strings.TrimLeft(w, "*./|")) {
				return l
			}
		}
	}
	return ""
}

// What comes out are lines that came in, or parts of them under a header,
// plus markers and counts.
func TestSubsequence(t *testing.T) {
	cairntest.Long(t)
	for _, name := range fixtures(t) {
		f := readFixture(t, name)
		for _, level := range []Level{Minimal, Normal, Aggressive} {
			res := Compact(f.Envelope, Options{Level: level})
			if l := invented(f.CombinedText, res.Reduced); l != "" && !res.Meta.Unchanged {
				t.Errorf("%s at level %s: invented %q", name, level, l)
			}
		}
	}
}

// The same bytes give the same result however they are cut into writes.
func TestChunksDoNotMatter(t *testing.T) {
	for _, name := range fixtures(t) {
		f := readFixture(t, name)
		want := Compact(f.Envelope, Options{Level: Normal})
		for _, size := range []int{1, 7, 4096} {
			if size == 1 && len(f.CombinedText) > 20_000 {
				continue
			}
			s := NewStream(f.Envelope, Options{Level: Normal})
			for rest := []byte(f.CombinedText); len(rest) > 0; {
				n := min(size, len(rest))
				s.Write(rest[:n])
				rest = rest[n:]
			}
			if got := s.Finish(f.ExitCode); got.Reduced != want.Reduced && len(f.CombinedText) < sampleBytes {
				t.Errorf("%s in chunks of %d differs", name, size)
			}
		}
	}
}

func FuzzCompact(f *testing.F) {
	lib := rule.Load()
	commands := []string{"", "go test -v ./...", "git diff", "git log", "npm test", "make", "pytest", "ls -la", "cat x.json", "cargo build", "eslint ."}
	for _, name := range fixtures(f)[:20] {
		fx := readFixture(f, name)
		f.Add(fx.CombinedText[:min(2000, len(fx.CombinedText))], uint8(0), fx.Command, uint8(1))
	}
	f.Add("[cairn: 1", uint8(3), "git diff", uint8(0))
	f.Add("a\r\nb\x00\x1b[31mc\xff\n\n\n", uint8(1), "", uint8(2))
	f.Fuzz(func(t *testing.T, output string, pick uint8, command string, exit uint8) {
		if pick > 0 {
			command = commands[int(pick)%len(commands)]
		}
		code := int(exit)
		res := Compact(Envelope{Command: command, CombinedText: output, ExitCode: &code}, Options{Level: Level(exit % 3), Library: lib})
		if len(res.Reduced) > len(output) {
			t.Errorf("%d bytes became %d", len(output), len(res.Reduced))
		}
		if utf8.ValidString(output) && !utf8.ValidString(res.Reduced) {
			t.Error("the result is not UTF-8")
		}
		if output == "" && res.Reduced != "" {
			t.Error("something came out of nothing")
		}
	})
}

// A line that a rule keeps is in the result whatever else the rule does.
func FuzzKeep(f *testing.F) {
	f.Add("noise\nKEEP this\nmore\n", 3, 2)
	f.Add(strings.Repeat("x\n", 500)+"KEEP\n"+strings.Repeat("y\n", 500), 0, 0)
	f.Fuzz(func(t *testing.T, output string, head, tail int) {
		r := &rule.Rule{ID: "my/keep", Primitives: rule.Primitives{
			Filter:   rule.Filter{Keep: []string{"KEEP"}, Drop: []string{"noise|KEEP", "^x"}},
			Dedupe:   &rule.Dedupe{Normalize: true, Across: true},
			Truncate: &rule.Truncate{HeadLines: max(0, head%50), TailLines: max(0, tail%50)},
		}}
		if !utf8.ValidString(output) || len(output) > 1<<16 {
			return
		}
		p, err := r.Program()
		if err != nil {
			t.Fatal(err)
		}
		s := NewStream(Envelope{}, Options{Level: Normal})
		s.begin(p)
		s.raw.whole = output
		s.text(output)
		got := squeeze(s.Finish(nil).Reduced)
		for _, l := range strings.Split(output, "\n") {
			if c := lines.Clean(l); strings.Contains(c, "KEEP") && len(c) < lines.ClipOver && !strings.Contains(got, squeeze(redact.Line(c))) {
				t.Errorf("lost %q in %q", l, got)
			}
		}
	})
}
