//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// group makes a command the head of a group, which end kills.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
