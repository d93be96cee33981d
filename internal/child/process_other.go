//go:build unix && !linux

package child

import "syscall"

func sysProcAttr() *syscall.SysProcAttr { return nil }
