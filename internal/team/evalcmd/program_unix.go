//go:build unix

package evalcmd

import (
	"os/exec"
	"syscall"
)

// endWithChildren makes what a program started end with it when time is up.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
