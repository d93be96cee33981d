//go:build unix

package headless

import (
	"os"
	"os/exec"
	"syscall"
)

// apart gives an agent a group of its own: what ends us does not end it in mid-write, and
// it is ended with all that it started.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func end(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
