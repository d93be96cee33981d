package newcomer

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/test/cairntest"
)

var build struct {
	sync.Once
	dir string
	err error
}

// built is a directory with the binary in it, the same for all tests.
func built(t *testing.T) string {
	t.Helper()
	build.Do(func() {
		if build.dir, build.err = os.MkdirTemp("", "newcomer"); build.err == nil {
			build.err = cairntest.Build(filepath.Join(build.dir, "cairn"))
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return build.dir
}

// start runs a line that ends with & until it has said how to go on, and
// returns what it said. The process ends with the test.
func (p *place) start(line string) string {
	p.t.Helper()
	cmd := p.command("exec " + strings.TrimSuffix(strings.TrimSpace(line), "&"))
	stderr, err := cmd.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	said := make(chan string, 1)
	go func() {
		var text strings.Builder
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			text.WriteString(lines.Text() + "\n")
			if strings.HasPrefix(lines.Text(), "  cairn sync init ") {
				said <- text.String()
			}
		}
		said <- text.String()
	}()
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	select {
	case text := <-said:
		p.url, _, _ = strings.Cut(strings.TrimPrefix(text, "cairn serves "), "\n")
		return text
	case <-time.After(time.Minute):
		p.t.Fatalf("%s says nothing", line)
	}
	return ""
}

// like finds the command that was printed to go on with, which is to be the
// page's but for the port and the token.
func (p *place) like(said, line string) {
	p.t.Helper()
	want := regexp.MustCompile("^" + strings.NewReplacer("TOKEN", `[0-9a-zA-Z_-]{20,}`, "7373", `\d+`).Replace(regexp.QuoteMeta(line)) + "$")
	for printed := range strings.Lines(said) {
		if printed = strings.TrimSpace(printed); want.MatchString(printed) {
			p.next = printed
			return
		}
	}
	p.t.Fatalf("none of these is\n%s\n\n%s", line, said)
}

// export is the shell's, for all lines that come.
func (p *place) export(line string) {
	words, ok := strings.CutPrefix(line, "export ")
	if !ok {
		p.t.Fatalf("%s exports nothing", line)
	}
	p.env = append(p.env, strings.Fields(words)...)
}
