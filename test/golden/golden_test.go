// Package golden freezes what the command line says: for every command its help,
// its answers as text, JSON and the other forms, its exit codes and its errors, as
// the built binary prints them.
//
// A file of testdata is a story: calls, and below each of them what it answered.
//
//	# why this is here
//	@ world plan
//	+ git checkout -q -b work
//	$ cairn plan state get Status
//	exit 0
//	| In progress
//	! cairn: warning: what goes to stderr
//
// "@ world NAME" starts over in a new copy of a world: a directory with a repository,
// which has the files of testdata/worlds/NAME if there are any, and a home. The script
// testdata/worlds/NAME.sh puts in all the rest. The calls below it follow each other in
// that copy. A line with + prepares something and must not fail. A
// line with $ is a call. Both are for sh, with cairn in its PATH, at $WORK/repo.
//
// To add a call, write its $ line and run
//
//	go test ./test/golden -update
//
// which writes what it answered below it. The same command accepts a change of what
// cairn says: then read the difference (git diff test/golden) before you commit it.
// What differs from run to run is replaced by the list in normal_test.go.
//
// A new command or flag has to appear here: TestEverythingIsCalled names what does
// not, and its exceptions have reasons.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	_ "cairn/internal/cli" // go test keeps a result until what the test is made of changes
	"cairn/test/cairntest"
)

var update = flag.Bool("update", false, "write what the calls answer into the stories")

// A story is a file of testdata.
type story struct {
	name  string // below testdata, without .txt
	lines []*line
}

// A line is one of a story: a comment, a world, a preparation or a call.
type line struct {
	number int
	text   string
	result string // of a call: what the story says
	now    string // of a call: what it answered in this run
	out    string // of a call: its standard output, as it was
	code   int
}

func (l *line) is(mark string) (rest string, ok bool) { return strings.CutPrefix(l.text, mark+" ") }

// read reads the stories.
func read(t *testing.T) (stories []*story) {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(file, "testdata"+string(filepath.Separator))), ".txt")
		stories = append(stories, parse(name, string(data)))
	}
	return stories
}

func parse(name, text string) *story {
	s := &story{name: name}
	var call *line
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if call != nil && isResult(l) {
			call.result += l + "\n"
			continue
		}
		next := &line{number: i + 1, text: l}
		s.lines = append(s.lines, next)
		if call = nil; strings.HasPrefix(l, "$ ") {
			call = next
		}
	}
	return s
}

// isResult says whether a line of a story is a call's answer.
func isResult(l string) bool {
	for _, mark := range []string{"exit ", "|", "!", "\\"} {
		if strings.HasPrefix(l, mark) {
			return true
		}
	}
	return false
}

func (s *story) String() string {
	var b strings.Builder
	for _, l := range s.lines {
		b.WriteString(l.text + "\n" + l.now)
	}
	return b.String()
}

// play runs a story.
func (s *story) play(t *testing.T) {
	var w *world
	leave := func() {
		if err := w.end(); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	defer func() { leave() }()
	for _, l := range s.lines {
		if name, ok := l.is("@ world"); ok {
			leave()
			w = nil
			w = enter(t, name)
		} else if command, ok := l.is("+"); ok {
			if out, errs, code := w.sh(t, command); code != 0 {
				t.Fatalf("%s.txt:%d: %s\nexit %d\n%s%s", s.name, l.number, l.text, code, out, errs)
			}
		} else if command, ok := l.is("$"); ok {
			out, errs, code := w.sh(t, command)
			l.code, l.out = code, out
			l.now = fmt.Sprintf("exit %d\n%s%s", code, marked("|", w.normal(out)), marked("!", w.normal(errs)))
		}
	}
}

// marked puts a mark before each line. What cannot be seen is written as in Go.
func marked(mark, text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		whole := strings.HasSuffix(l, "\n")
		b.WriteString(mark)
		if l = strings.TrimSuffix(l, "\n"); l != "" {
			b.WriteString(" " + visible(l))
		}
		if b.WriteString("\n"); !whole {
			b.WriteString("\\ no newline at the end\n")
		}
	}
	return b.String()
}

func visible(l string) string {
	var b strings.Builder
	for _, r := range l {
		if r < ' ' && r != '\t' || r == 0x7f || r == 0xfffd {
			fmt.Fprintf(&b, "\\x%02x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

var (
	played     = map[string]*story{}
	playedLock sync.Mutex
)

func TestGolden(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t) // each call is a process
	if runtime.GOOS != "linux" {
		t.Skip("sh, and paths of the same length, are Linux's; the texts are the same elsewhere")
	}
	stories := read(t)
	t.Run("stories", func(t *testing.T) {
		for _, s := range stories {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				s.play(t)
				s.check(t)
				playedLock.Lock()
				played[s.name] = s
				playedLock.Unlock()
			})
		}
	})
	if len(played) == len(stories) { // not with -run of some
		t.Run("EverythingIsCalled", func(t *testing.T) { checkCoverage(t, stories) })
	}
}

// check compares a story with its file, or writes it.
func (s *story) check(t *testing.T) {
	file := filepath.Join("testdata", filepath.FromSlash(s.name)+".txt")
	if *update {
		if t.Failed() {
			return
		}
		if err := os.WriteFile(file, []byte(s.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	failed := 0
	for _, l := range s.lines {
		if l.now == l.result {
			continue
		}
		if failed++; failed > 20 {
			t.Errorf("%s: and more calls; go test ./test/golden -run 'Golden/stories/%s' -update writes them all", file, s.name)
			return
		}
		t.Errorf("%s:%d: %s\n%s", file, l.number, l.text, difference(l.result, l.now))
	}
}

// difference shows the lines that are only in one of two texts.
func difference(want, got string) string {
	dir, err := os.MkdirTemp("", "golden-diff")
	if err != nil {
		return got
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"want": want, "got": got} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return got
		}
	}
	cmd := exec.Command("git", "diff", "--no-index", "--no-color", "-U1", "want", "got")
	cmd.Dir = dir
	out, _ := cmd.Output() // it ends with 1 when they differ
	if _, rest, ok := bytes.Cut(out, []byte("\n@@")); ok {
		return "@@" + string(rest)
	}
	return got
}
