package evalcmd

import "os/exec"

// endWithChildren leaves what a program started to itself: its pipes are
// closed when time is up.
func endWithChildren(*exec.Cmd) {}
