//go:build unix

package child

import (
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Exit ends our process as the tool ended: with its code, or by the signal it
// died of, so that a shell sees what it would have seen without us.
func (s Status) Exit() {
	if s.Signal != 0 {
		dieOf(s.Signal)
	}
	os.Exit(s.ExitCode())
}

// dieOf returns only if that fails.
func dieOf(sig syscall.Signal) {
	// The tool has dumped its core, ours would only be in the way. The limit
	// is 1 and not 0 since only 1 also holds when core_pattern is a pipe
	// (core(5)).
	var core unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CORE, &core) == nil {
		core.Cur = min(core.Max, 1)
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &core)
	}
	// Go's runtime has a handler for nearly every signal and offers no way
	// back to the default action: some would be ignored, others would print
	// stacks. execve(2) resets them all.
	kill := "kill -" + strconv.Itoa(int(sig)) + " $$; exit " + strconv.Itoa(128+int(sig))
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", kill}, os.Environ())
}

// Exec replaces our process by c and returns only if it cannot.
func Exec(c Command) error {
	err := syscall.Exec(c.Path, c.Args, c.env())
	if err == unix.ENOEXEC {
		path, args := script(c)
		err = syscall.Exec(path, args, c.env())
	}
	return startError(c.Path, badInterpreter(c.Path, err))
}
