package shim

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// endWithParent makes the kernel send SIGTERM to this process, or to the tool
// that takes its place, when the subshell that called it is killed: in
// `make & kill $!` that one gets the signal, and without our function it would
// be the tool itself.
func endWithParent() {
	runtime.LockOSThread() // the setting belongs to a thread, and exec keeps it
	_ = unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGTERM), 0, 0, 0)
}

// parentIgnores reports whether our parent ignores a signal.
func parentIgnores(sig syscall.Signal) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", os.Getppid()))
	if err != nil {
		return false
	}
	_, mask, _ := strings.Cut(string(status), "\nSigIgn:")
	mask, _, _ = strings.Cut(mask, "\n")
	bits, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
	return err == nil && bits&(1<<(sig-1)) != 0
}
