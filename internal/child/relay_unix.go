//go:build unix

package child

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// caught lists the signals that are passed on. Those ignored when we were
// started (nohup, a background job of a script) stay ignored, for the tool
// too. The stop signals keep their default: the terminal and the shell send
// them to the group. SIGPIPE is caught so that a broken stdout of ours is an
// error that the tool hears of, and does not kill us first.
func caught() []os.Signal {
	var list []os.Signal
	for _, s := range []syscall.Signal{
		unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2,
		unix.SIGALRM, unix.SIGCONT, unix.SIGWINCH, unix.SIGPIPE,
	} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}

// grace is how long the rest of a tree has to obey SIGTERM.
const grace = time.Second

// relay passes signals on to a tool.
type relay struct {
	tool    *os.Process
	output  os.FileInfo // where the tool writes
	witness witness

	asked syscall.Signal // the INT or TERM that was passed on last
	hung  bool           // HUP was passed on
	tree  []proc         // who got it
}

func (r *relay) pass(s syscall.Signal) {
	switch s {
	case unix.SIGPIPE:
	case unix.SIGHUP, unix.SIGINT, unix.SIGTERM:
		if !r.witness.saw() {
			r.end(s)
		}
	case unix.SIGQUIT:
		if !r.witness.saw() {
			r.tool.Signal(s)
		}
	default:
		r.tool.Signal(s)
	}
}

// end sends s to the whole tree. The tool may take its time; a second INT or
// TERM is made stronger.
func (r *relay) end(s syscall.Signal) {
	switch {
	case s == unix.SIGHUP:
		r.hung = true // for many a request to reload, any number of times
	case r.asked == 0:
		r.asked = s
	case r.asked == unix.SIGINT:
		s, r.asked = unix.SIGTERM, unix.SIGTERM
	default:
		s = unix.SIGKILL
	}
	r.tree = treeOf(r.tool.Pid, r.tree, r.output)
	r.tool.Signal(s) // first: it should not see its children die before it knows
	kill(r.tree, s)
}

// cleanUp ends what is left of the tree if the tool ended because we were told
// to end it. A background job of a shell ignores INT, for instance, and what
// ignores TERM is killed. After any other end descendants live on: a tool may
// leave a server behind on purpose.
func (r *relay) cleanUp(status Status) {
	hungUp := r.hung && status.ExitCode() == 128+int(unix.SIGHUP)
	if r.asked == 0 && !hungUp {
		return
	}
	left := func() []proc { return treeOf(0, r.tree, r.output) }
	kill(left(), unix.SIGTERM)
	for end := time.Now().Add(grace); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if len(left()) == 0 {
			return
		}
	}
	kill(left(), unix.SIGKILL)
}

func kill(list []proc, s syscall.Signal) {
	for _, p := range list {
		unix.Kill(p.pid, s)
	}
}
