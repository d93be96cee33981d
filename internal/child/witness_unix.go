//go:build unix

package child

import (
	"os"
	"os/exec"
	"time"

	"golang.org/x/term"
)

const (
	// witnessAfter spares short commands the price of a witness.
	witnessAfter = 50 * time.Millisecond

	// testify is how long a signal may take to get to all whom a sender means:
	// the kernel needs microseconds for a group, but hosts also walk a tree
	// and signal its processes one by one.
	testify = 50 * time.Millisecond
)

// witness is a process in our group that does nothing and dies of any signal
// that asks to end. If it dies when we get one, the signal went to the group
// (or to all our children), and the tool has it already. It is a shell and not
// this program again, since that starts in half a millisecond, takes 1 MB, and
// dies in the kernel and not when a runtime gets round to it.
type witness struct {
	cmd  *exec.Cmd
	keep *os.File // the write end of its stdin
	died chan struct{}
	when time.Time // valid once died is closed
}

func (w *witness) start() {
	r, keep, err := os.Pipe()
	if err != nil {
		return
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", "read end") // which comes when we are gone
	cmd.Stdin = r
	if cmd.Start() != nil {
		keep.Close()
		return
	}
	died := make(chan struct{})
	w.cmd, w.keep, w.died = cmd, keep, died
	go func() {
		_ = cmd.Wait()
		w.when = time.Now()
		close(died)
	}()
}

func (w *witness) stop() {
	if w.cmd == nil {
		return
	}
	w.cmd.Process.Kill()
	<-w.died
	w.keep.Close()
	w.cmd = nil
}

// saw reports whether a signal that we just got went to the whole group.
// Without a witness, a terminal is the likely sender.
func (w *witness) saw() bool {
	if w.cmd == nil {
		return term.IsTerminal(0)
	}
	select {
	case <-w.died:
	case <-time.After(testify):
		return false
	}
	group := time.Since(w.when) < time.Second // or else it had an accident
	w.stop()
	w.start()
	return group
}
