package compactcmd

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"cairn/internal/child"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/propose"
	"cairn/internal/compact/shell"
	"cairn/internal/must"
	"cairn/internal/redact"
	"cairn/internal/term"
)

// capture runs a command and makes a fixture of what it prints.
func capture(c *command.Call, argv []string) compact.Fixture {
	var f compact.Fixture
	p := must.Get(child.Find(argv[0]))
	var out sample
	code := must.Get(child.Pipe(child.Command{Path: p, Args: argv, Copier: child.Copier()}, &out)).ExitCode()
	if isInterrupt(code) {
		term.Print(c.Stderr, errors.New("interrupted: half an output makes no rule, nothing was written"))
		must.Fail(command.Status(code))
	}
	text := redact.Text(strings.ToValidUTF8(out.String(), "\uFFFD"))
	f.Envelope = compact.Envelope{Command: redact.Text(shell.Join(argv)), CombinedText: text, ExitCode: &code}
	f.Keep = propose.Keep(f.CombinedText)
	if f.CombinedText == "" {
		must.Fail(command.Dataf("%s printed nothing, so there is nothing to cut", argv[0]))
	}
	return f
}

// isInterrupt reports whether a command ended like this because somebody
// stopped it.
func isInterrupt(code int) bool {
	return slices.Contains([]syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM}, syscall.Signal(code-128))
}

// A sample is what a fixture holds of an output: all of it, or of a long one
// the lines at both ends.
type sample struct {
	head, tail []byte
	missing    int // bytes between them
}

const sampleEnd = 256 << 10 // bytes

func (s *sample) Write(p []byte) (int, error) {
	n := min(len(p), sampleEnd-len(s.head))
	s.head = append(s.head, p[:n]...)
	s.tail = append(s.tail, p[n:]...)
	if over := len(s.tail) - sampleEnd; over > sampleEnd {
		s.missing += over
		s.tail = append(s.tail[:0], s.tail[over:]...)
	}
	return len(p), nil
}

func (s *sample) String() string {
	if s.missing == 0 {
		return string(s.head) + string(s.tail)
	}
	head := s.head[:bytes.LastIndexByte(s.head, '\n')+1]
	tail := redact.AfterCut(string(s.tail[bytes.IndexByte(s.tail, '\n')+1:]))
	missing := s.missing + len(s.head) - len(head) + len(s.tail) - len(tail)
	return fmt.Sprintf("%s[… %d bytes …]\n%s", head, missing, tail)
}
