package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"cairn/internal/team/eval"
	"cairn/internal/term"
)

// Env is what a verb may touch of the outside: its streams and environment.
// Nothing in it is opened before a verb asks.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	// Detach starts this program again in the background; nil leaves that out.
	Detach func(args ...string) error

	evals *eval.Store // instead of the user's own: see withTeam
}

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
