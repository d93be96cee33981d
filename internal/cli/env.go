package cli

import (
	"os"

	"cairn/internal/command"
)

// Env is what a command may touch of the outside.
type Env = command.Env

func osEnv() *Env {
	return &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Detach: detach}
}
