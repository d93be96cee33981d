//go:build unix

package child

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// announce prints the pid of the shell that runs it.
const announce = `sh -c 'echo pid $PPID'; `

func TestEndingSignalsEndTheTree(t *testing.T) {
	trees := map[string]string{
		"plain":        announce + `sh -c 'echo pid $$; exec sleep 60'; true`,
		"background":   announce + `sh -c 'echo pid $$; exec sleep 60' & wait`, // ignores INT, by POSIX
		"own group":    announce + `set -m; sh -c 'echo pid $$; exec sleep 60' & wait`,
		"ignores TERM": announce + `sh -c 'trap "" TERM INT HUP; echo pid $$; while :; do sleep 1; done' & wait`,
	}
	if runtime.GOOS == "linux" {
		trees["orphan"] = announce + `(sh -c 'echo pid $$; exec sleep 60' &); sleep 60`
	}
	for kind, script := range trees {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
			t.Run(kind+"/"+sig.String(), func(t *testing.T) {
				t.Parallel()
				u := launch(t, "pipe", "sh", "-c", script)
				pids := u.pids("pid", 2)
				u.Process.Signal(sig)
				if got := u.ends(); got.Signal != sig {
					t.Errorf("ended with %+v, want %v", got, sig)
				}
				for _, pid := range pids {
					// What was killed is gone when it next gets a processor.
					eventually(t, strconv.Itoa(pid)+" does not survive", func() bool { return !running(pid) })
				}
			})
		}
	}
}

// What ignores INT, as every background job of a script does, is asked by TERM
// before it is killed.
func TestTheRestMayCleanUp(t *testing.T) {
	u := launch(t, "pipe", "sh", "-c", announce+`sh -c 'trap "echo cleaned; exit" TERM; echo pid $$; while :; do sleep 0.01; done' & wait`)
	u.pids("pid", 2)
	u.Process.Signal(syscall.SIGINT)
	if u.ends(); !strings.Contains(u.output(), "cleaned") {
		t.Errorf("output %q", u.output())
	}
}

// counter counts what it gets, and ends when it is told to by USR2.
const counter = `
for s in HUP INT QUIT TERM USR1 WINCH CONT ALRM; do trap "echo got $s" $s; done
trap 'exit 9' USR2
echo ready; while :; do sleep 0.01; done`

func TestSignalsArePassedOnOnce(t *testing.T) {
	cairntest.Long(t)
	for _, to := range []string{"us", "group"} {
		t.Run(to, func(t *testing.T) {
			u := launch(t, "pipe", "bash", "-c", counter)
			u.says("ready")
			time.Sleep(4 * witnessAfter) // the witness is up
			target, want := u.Process.Pid, "HUP INT QUIT USR1 WINCH CONT ALRM"
			if to == "group" {
				// The rest does not ask to end and may arrive twice.
				target, want = -target, "HUP INT QUIT TERM"
			}
			for name := range strings.FieldsSeq(want) {
				syscall.Kill(target, numbers[name])
				u.says("got " + name)
				time.Sleep(2 * testify)
				if n := strings.Count(u.output(), "got "+name+"\n"); n != 1 {
					t.Errorf("%s came %d times", name, n)
				}
			}
			syscall.Kill(u.Process.Pid, syscall.SIGUSR2)
			if got := u.ends(); got.Code != 9 {
				t.Errorf("ended with %+v", got)
			}
		})
	}
}

var numbers = map[string]syscall.Signal{
	"HUP": syscall.SIGHUP, "INT": syscall.SIGINT, "QUIT": syscall.SIGQUIT, "TERM": syscall.SIGTERM,
	"USR1": syscall.SIGUSR1, "WINCH": syscall.SIGWINCH, "CONT": syscall.SIGCONT, "ALRM": syscall.SIGALRM,
}

func TestTheToolDecidesAndASecondRequestIsStronger(t *testing.T) {
	u := launch(t, "pipe", "bash", "-c", `trap 'echo got INT' INT; trap 'echo got TERM' TERM
		echo ready; while :; do sleep 0.01; done`)
	u.says("ready")
	time.Sleep(4 * witnessAfter)
	u.Process.Signal(syscall.SIGINT)
	u.says("got INT")
	time.Sleep(100 * time.Millisecond)
	if !running(u.Process.Pid) {
		t.Fatal("did not wait for the tool")
	}
	u.Process.Signal(syscall.SIGINT)
	u.says("got TERM")
	u.Process.Signal(syscall.SIGTERM)
	if got := u.ends(); got.Signal != syscall.SIGKILL {
		t.Errorf("ended with %+v", got)
	}
}

func TestIgnoredSignalsStayIgnored(t *testing.T) {
	for _, sig := range []string{"HUP", "INT"} {
		script := `trap "" ` + sig + `; exec "$@"`
		cmd := launch(t, "exec", "sh", "-c", script, "-", os.Args[0], "pipe", "sh", "-c",
			`echo ready; kill -`+sig+` $$; read x; echo alive`)
		if got := cmd.ends(); got.Code != 0 || !strings.Contains(cmd.output(), "alive") {
			t.Errorf("%s: ended with %+v, output %q", sig, got, cmd.output())
		}
	}
}

func TestKilledWithoutAChance(t *testing.T) {
	cairntest.Long(t)
	if runtime.GOOS != "linux" {
		t.Skip("needs Pdeathsig")
	}
	u := launch(t, "pipe", "sh", "-c", `echo pid $$; exec sleep 60`) // silent: it must not die of SIGPIPE
	pid := u.pids("pid", 1)[0]
	time.Sleep(2 * witnessAfter)
	children := childrenOf(u.Process.Pid)
	if len(children) != 2 {
		t.Errorf("%d children, want the tool and the witness", len(children))
	}
	u.Process.Kill()
	u.ends()
	for _, child := range children {
		if child != pid {
			eventually(t, "the witness is gone", func() bool { return !running(child) })
		}
	}
	eventually(t, "the tool is gone: "+strconv.Itoa(pid), func() bool { return !running(pid) })
}

func TestABackgroundServerLivesOn(t *testing.T) {
	for name, signal := range map[string]bool{"normal exit": false, "killed by itself": true} {
		script := `sh -c 'echo pid $$; exec sleep 60' > /dev/tty2 2>&1 & `
		script = strings.Replace(script, "/dev/tty2", t.TempDir()+"/log", 1) + `echo pid $!; `
		if signal {
			script += `kill -TERM $$`
		}
		u := launch(t, "pipe", "sh", "-c", script)
		pid := u.pids("pid", 1)[0]
		u.ends()
		time.Sleep(50 * time.Millisecond)
		if !running(pid) {
			t.Errorf("%s: the server is dead", name)
		}
	}
}

func childrenOf(pid int) (list []int) {
	for p, parent := range processes() {
		if parent == pid {
			list = append(list, p.pid)
		}
	}
	return list
}
