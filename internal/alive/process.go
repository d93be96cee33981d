//go:build unix

// Package alive tells whether a process is still there, on every system.
//
// It is a leaf: every package may import it and it imports none of ours.
package alive

import (
	"errors"
	"syscall"
)

// Process reports whether there is a process of that id; one of another user's
// is alive too.
func Process(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
