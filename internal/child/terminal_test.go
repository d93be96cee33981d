//go:build unix

package child

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"cairn/test/cairntest"
)

// screen is an interactive bash on a terminal, with `us` for the program
// under test.
type screen struct {
	*os.File
	t    *testing.T
	bash *os.Process
	mu   sync.Mutex
	// what the terminal has shown and expect has not consumed
	shown string
}

func terminal(t *testing.T, verb string) *screen {
	t.Helper()
	bash := exec.Command("bash", "--norc", "--noprofile", "--noediting", "-i")
	bash.Env = append(os.Environ(), "PS1=ready> ", "HISTFILE=", "TERM=dumb")
	tty, err := pty.Start(bash)
	if err != nil {
		t.Skip("no terminal: ", err)
	}
	s := &screen{File: tty, t: t, bash: bash.Process}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.shown += strings.ReplaceAll(string(buf[:n]), "\r", "")
			s.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		bash.Process.Kill()
		tty.Close()
		bash.Wait()
	})
	s.expect("ready> ")
	// The echo of what is typed would look like an answer.
	s.send("stty -echo; us() { " + os.Args[0] + " " + verb + ` "$@"; }` + "\n")
	s.expect("ready> ")
	return s
}

func (s *screen) send(text string) {
	if _, err := s.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// expect waits until the terminal shows what matches want and returns its
// first group.
func (s *screen) expect(want string) string {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + want)
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		m := re.FindStringSubmatchIndex(s.shown)
		if m == nil {
			s.mu.Unlock()
			continue
		}
		group := ""
		if len(m) > 2 {
			group = s.shown[m[2]:m[3]]
		}
		s.shown = s.shown[m[1]:]
		s.mu.Unlock()
		return group
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t.Fatalf("the terminal never showed %q, but %q", want, s.shown)
	return ""
}

const interrupt, suspend = "\x03", "\x1a"

// settled waits for the witness, so that what follows does not depend on it
// being late.
func settled() { time.Sleep(4 * witnessAfter) }

func TestJobControl(t *testing.T) {
	cairntest.Long(t)
	for _, verb := range []string{"exec", "pipe"} { // exec: is the test right?
		t.Run(verb, func(t *testing.T) {
			s := terminal(t, verb)
			s.send("us sh -c 'echo started; exec sleep 100'\n")
			s.expect("^started$")
			settled()
			s.send(suspend)
			s.expect(`Stopped`)
			s.expect("ready> ")
			s.send("jobs\n")
			s.expect(`^\[1\]\+  Stopped `)
			s.expect("ready> ")
			s.send("fg\n")
			s.expect(`child.*"\$@"`)
			time.Sleep(50 * time.Millisecond)
			s.send(interrupt)
			s.expect("ready> ")
			s.send("echo code $?; jobs; echo end\n")
			s.expect("^code 130\nend$")
		})
	}
}

func TestCtrlCComesOnce(t *testing.T) {
	cairntest.Long(t)
	for _, late := range []bool{false, true} { // without and with a witness
		s := terminal(t, "pipe")
		s.send(`us bash -c 'trap "echo got INT" INT; trap "exit 9" QUIT; echo started; while :; do sleep 0.01; done'` + "\n")
		s.expect("^started$")
		if late {
			settled()
		}
		for range 2 { // the second is no stronger: the terminal sent it to the tool itself
			s.send(interrupt)
			s.expect("^got INT$")
			time.Sleep(3 * testify)
		}
		s.send("\x1c")
		s.expect("ready> ")
		s.send("echo code $?\n")
		s.expect("^code 9$")
		s.mu.Lock()
		if strings.Contains(s.shown, "got") {
			t.Errorf("more than once: %q", s.shown)
		}
		s.mu.Unlock()
	}
}

func TestASignalForUsAloneOnATerminal(t *testing.T) {
	s := terminal(t, "exec sh -c 'echo we $$; exec \"$@\"' - "+os.Args[0]+" pipe")
	s.send(`us sh -c 'echo tool $$; exec sleep 100'` + "\n")
	we := atoi(s.expect(`^we (\d+)$`))
	tool := atoi(s.expect(`^tool (\d+)$`))
	settled()
	syscall.Kill(we, syscall.SIGINT)
	s.expect("ready> ")
	if running(tool) {
		t.Error("the tool still runs")
	}
}

func TestCtrlCEndsTheScriptAroundUs(t *testing.T) {
	for _, verb := range []string{"exec", "pipe"} {
		s := terminal(t, verb)
		s.send("bash -c '" + os.Args[0] + " " + verb + ` sh -c "echo started; exec sleep 100"; echo next'` + "\n")
		s.expect("^started$")
		settled()
		s.send(interrupt)
		s.expect("ready> ")
		s.send("echo code $?\n")
		s.expect("^code 130$")
	}
}

func TestStdinIsTheTerminal(t *testing.T) {
	cairntest.Long(t)
	for _, verb := range []string{"exec", "pipe"} {
		s := terminal(t, verb)
		s.send("us sh -c 'test -t 0 && read x && echo got $x' | cat\n")
		time.Sleep(4 * witnessAfter)
		s.send("line\n")
		s.expect("^got line$")
		s.expect("ready> ")

		// In the background it is stopped when it reads, and fg resumes it.
		s.send("us sh -c 'read x; echo got $x' &\n")
		s.expect("ready> ")
		// A tool that has not read yet runs.
		s.send("until jobs | grep Stopped; do sleep 0.05; done\n")
		s.expect(`Stopped `)
		s.expect("ready> ")
		s.send("fg\n")
		time.Sleep(4 * witnessAfter)
		s.send("more\n")
		s.expect("^got more$")
		s.expect("ready> ")
	}
}

func TestClosingTheTerminalEndsTheTool(t *testing.T) {
	s := terminal(t, "pipe")
	s.send("us sh -c 'echo tool $$; exec sleep 100'\n")
	tool := atoi(s.expect(`^tool (\d+)$`))
	settled()
	s.bash.Signal(syscall.SIGHUP) // as the kernel does, or sshd
	eventually(t, "the tool is gone", func() bool { return !running(tool) })
}

func atoi(s string) (n int) {
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}
