//go:build !windows

package watch

import (
	"errors"
	"syscall"
)

// alive reports whether there is a process of that id; one of another user's
// is alive too.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
