package hook

import (
	"fmt"
	"strings"
	"testing"
)

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of a file\n", i+1)
	}
	return b.String()
}

// The host numbers the lines of what it gets: whatever is shown must be the
// start of the file, line by line.
func TestCutTail(t *testing.T) {
	long := lines(2000)
	minified := strings.Repeat("function(a,b){return a+b};", 2000)
	tests := []struct {
		file, content string
		cut           bool
	}{
		{"/p/package-lock.json", long, true},
		{"/p/package-lock.json", lines(100), false}, // short
		{"/p/go.sum", long, true},
		{`C:\p\yarn.lock`, long, true},
		{"/var/log/build.log", long, true},
		{"/p/rows.csv", long, true},
		{"/p/dist/app.min.js", minified, true},
		{"/p/dist/app.js", minified, true},
		{"/p/app.min.js", minified + "\n" + long, true}, // a first line that is too long, and more
		{"/p/dist/app.js", minified + "\n", true},
		{"/p/dist/app.js", "/* licence */\n" + minified + "\n" + minified, true},
		{"/p/main.go", long, false},
		{"/p/app.js", long, false},
		{"/p/data.json", long, false},
		{"/p/notes.md", long, false},
		{"/p/lock", long, false},
		{"/p/package-lock.json.go", long, false},
		{"/p/pack.py", minified, false},
	}
	for _, tt := range tests {
		got := cutTail(tt.file, tt.content, "")
		if !tt.cut {
			if got != tt.content {
				t.Errorf("%s: cut to %d bytes", tt.file, len(got))
			}
			continue
		}
		if len(got) > readBytes+200 {
			t.Fatalf("%s: %d bytes are left", tt.file, len(got))
		}
		in, out := strings.Split(strings.TrimSuffix(tt.content, "\n"), "\n"), strings.Split(got, "\n")
		last := out[len(out)-1]
		for i, line := range out {
			whole := line == in[i]
			head, rest, _ := strings.Cut(line, " [… ")
			clipped := len(in[i]) > readBytes && strings.HasPrefix(in[i], head) && len(head) > 200 && strings.HasSuffix(strings.SplitAfter(rest+"]", "]")[0], " bytes …]")
			if !whole && !clipped && i < len(out)-1 {
				t.Errorf("%s: line %d is %.60q, want %.60q", tt.file, i+1, line, in[i])
			}
		}
		if missing := len(in) - len(out) + 1; missing > 1 && last != fmt.Sprintf("[… %s lines …]", thousands(missing)) {
			t.Errorf("%s: %d lines are missing and the last is %.80q", tt.file, missing, last)
		}
	}
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
