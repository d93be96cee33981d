package headless

import (
	"os"
	"os/exec"
	"syscall"
)

// apart gives an agent a group of its own: an interrupt of ours is not its.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func end(p *os.Process) error { return p.Kill() }
