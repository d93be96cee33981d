//go:build !linux

package shim

import "syscall"

// Only Linux tells a process that its parent died, and what it ignores.

func endWithParent() {}

func parentIgnores(syscall.Signal) bool { return false }
