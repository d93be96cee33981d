//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// killGroup starts cmd in a process group of its own, which dies as a whole
// when its time is over.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
