package cli

import "os/exec"

// killGroup leaves cmd as it is: it starts nothing that could outlive it.
func killGroup(*exec.Cmd) {}
