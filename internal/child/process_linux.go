package child

import "syscall"

func sysProcAttr(life lifetime) *syscall.SysProcAttr {
	if life == endsWithUs {
		return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	}
	return nil
}
