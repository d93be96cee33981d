package shim

import (
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// endWithSubshell makes the kernel send SIGTERM to this process, or to the
// tool that takes its place, when the shell that called it dies. In
// `make & kill $!` it is a subshell that gets the signal, where without our
// function it is the tool itself. A shell waits for a function's command, so
// unless it is killed it ends after us. top is the process id of the call's
// own shell: what that one started directly may outlive it.
func endWithSubshell(top string) {
	if top == "" || strconv.Itoa(os.Getppid()) == top {
		return
	}
	runtime.LockOSThread() // the setting belongs to a thread, and exec keeps it
	unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGTERM), 0, 0, 0)
}
