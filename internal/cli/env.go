package cli

import (
	"bytes"
	"encoding/json"
	"os"

	"cairn/internal/command"
	"cairn/internal/term"
)

// Env is what a command may touch of the outside.
type Env = command.Env

func osEnv() *Env {
	return &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Detach: detach}
}

// printJSON prints v on stdout as one line.
func printJSON(env *Env, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := env.Stdout.Write(term.PrintableJSON(b.Bytes()))
	return err
}
