//go:build unix && !linux

package child

import "syscall"

func sysProcAttr(lifetime) *syscall.SysProcAttr { return nil }
