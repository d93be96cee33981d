//go:build unix

package child

import "syscall"

func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
