//go:build unix

package golden

import (
	"os/exec"
	"syscall"
)

// endsWithItsChildren makes what a call started end with it when it takes too long.
func endsWithItsChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
