package child

import (
	"context"
	"os/exec"
	"time"
)

// Shell is a line for the system's shell, in a group of its own: when the context
// ends, what the line started ends with it (on Windows only the shell does, and the
// pipes are closed). Its streams are nowhere unless they are set.
func Shell(ctx context.Context, line string) *exec.Cmd {
	cmd := shell(ctx, line)
	EndTogether(cmd)
	return cmd
}

// EndTogether makes what a program started end with it when its context does.
func EndTogether(cmd *exec.Cmd) {
	cmd.WaitDelay = time.Second // what it started may hold the pipes
	endTogether(cmd)
}
