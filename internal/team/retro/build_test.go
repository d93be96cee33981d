package retro

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A builder writes a repository as git fast-import reads it.
type builder struct {
	t    *testing.T
	dir  string
	in   strings.Builder
	mark int
}

func build(t *testing.T) *builder {
	t.Helper()
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull, "HOME": t.TempDir(),
		"GIT_COMMITTER_NAME": "Committer", "GIT_COMMITTER_EMAIL": "c@example.com", "GIT_AUTHOR_NAME": "Author", "GIT_AUTHOR_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	b := &builder{t: t, dir: t.TempDir()}
	run(t, b.dir, "init", "-q", "-b", "main")
	return b
}

// A made commit. Files are path=content, -path, or old>new.
type made struct {
	who     string // Name <address>
	at      string // 2026-03-09 10:00 +0100, or seconds and a zone
	commit  string // when it was committed, where that is another time
	message string
	from    []int // marks; nil goes on from the last
	root    bool
	files   []string
}

func (b *builder) add(m made) int {
	b.t.Helper()
	b.mark++
	w := &b.in
	if m.root {
		fmt.Fprintf(w, "reset refs/heads/main\n\n")
	}
	committed := m.commit
	if committed == "" {
		committed = m.at
	}
	fmt.Fprintf(w, "commit refs/heads/main\nmark :%d\nauthor %s %s\ncommitter %s %s\n", b.mark, m.who, b.raw(m.at), "Committer <c@example.com>", b.raw(committed))
	fmt.Fprintf(w, "data %d\n%s\n", len(m.message), m.message)
	for i, from := range m.from {
		fmt.Fprintf(w, "%s :%d\n", [...]string{"from", "merge"}[min(i, 1)], from)
	}
	for _, f := range m.files {
		if old, to, ok := strings.Cut(f, ">"); ok && !strings.Contains(f, "=") {
			fmt.Fprintf(w, "R %s %s\n", old, to)
		} else if gone, ok := strings.CutPrefix(f, "-"); ok {
			fmt.Fprintf(w, "D %s\n", gone)
		} else {
			path, content, _ := strings.Cut(f, "=")
			if sha, ok := strings.CutPrefix(content, "submodule:"); ok {
				fmt.Fprintf(w, "M 160000 %s %s\n", sha, path)
				continue
			}
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(content), content)
		}
	}
	return b.mark
}

func (b *builder) raw(at string) string {
	b.t.Helper()
	if when, err := time.Parse("2006-01-02 15:04 -0700", at); err == nil {
		return fmt.Sprintf("%d %s", when.Unix(), when.Format("-0700"))
	}
	return at
}

// end writes the repository and checks main out.
func (b *builder) end() string {
	b.t.Helper()
	cmd := exec.Command("git", "fast-import", "--quiet", "--date-format=raw-permissive")
	cmd.Dir, cmd.Stdin = b.dir, strings.NewReader(b.in.String()+"done\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("%v: %s", err, out)
	}
	run(b.t, b.dir, "reset", "-q", "--hard", "main")
	return b.dir
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

// day is a time in UTC.
func day(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

func measured(t *testing.T, o Options, last string, days int) Report {
	t.Helper()
	r, err := Measure(context.Background(), o, day(last), days)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines is a text of so many lines.
func lines(n int, seed string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", seed, i)
	}
	return b.String()
}
