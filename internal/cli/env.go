package cli

import (
	"encoding/json"
	"io"
	"os"
)

// Env is what a verb may touch of the outside: its streams and environment.
// Nothing in it is opened before a verb asks.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
}

func osEnv() *Env {
	return &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
}

// printJSON prints v on stdout as one line.
func printJSON(env *Env, v any) error {
	enc := json.NewEncoder(env.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
