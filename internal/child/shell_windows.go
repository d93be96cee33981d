package child

import (
	"context"
	"os/exec"
	"syscall"
)

// shell runs a line. cmd reads quotes in its own way, so that the line is given
// as it is.
func shell(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /d /s /c "` + line + `"`}
	return cmd
}

func endTogether(*exec.Cmd) {}
