package install

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func planOf(c Change) *Plan { return &Plan{Settings: []*Change{&c}} }

func TestDiff(t *testing.T) {
	t.Parallel()
	p := planOf(Change{Path: "/home/dev/.claude/settings.json",
		Before: []byte("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl"), After: []byte("a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n")})
	want := `--- /home/dev/.claude/settings.json
+++ /home/dev/.claude/settings.json
@@ -1,5 +1,5 @@
 a
-b
+B
 c
 d
 e
@@ -9,4 +9,4 @@
 i
 j
 k
-l
\ no newline at end of file
+l
`
	if got := p.Diff(); got != want {
		t.Errorf("got\n%s", got)
	}
	p = planOf(Change{Path: "x", After: []byte("new\n")})
	if got := p.Diff(); got != "--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+new\n" {
		t.Errorf("a new file:\n%s", got)
	}
	p = planOf(Change{Path: "x", Before: []byte("same"), After: []byte("same")})
	if got := p.Diff(); got != "" {
		t.Errorf("no change:\n%s", got)
	}
}

// patch(1) makes After out of Before with what Diff prints.
func TestDiffIsAPatch(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("patch is not installed")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	file := filepath.Join(t.TempDir(), "f")
	for range 50 {
		var a, b strings.Builder
		for range 1 + rnd.IntN(30) {
			line := string(rune('a'+rnd.IntN(5))) + "\n"
			switch rnd.IntN(5) {
			case 0:
				a.WriteString(line)
			case 1:
				b.WriteString(line)
			default:
				a.WriteString(line)
				b.WriteString(line)
			}
		}
		if a.Len() == 0 || b.Len() == 0 {
			continue
		}
		p := planOf(Change{Path: file, Before: []byte(a.String()), After: []byte(b.String())})
		if err := os.WriteFile(file, []byte(a.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("patch", "-s", file)
		cmd.Stdin = strings.NewReader(p.Diff())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v %s\n%q\n%s", err, out, a.String(), p.Diff())
		}
		if got := read(t, file); got != b.String() {
			t.Fatalf("%q became %q, want %q by\n%s", a.String(), got, b.String(), p.Diff())
		}
	}
}
