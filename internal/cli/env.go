package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

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
	// Dir is where relative names start; "" is the process's own directory.
	Dir string
	// Detach starts this program again in the background; nil leaves that out.
	Detach func(args ...string) error

	evals *eval.Store // instead of the user's own: see withTeam
}

func osEnv() *Env {
	return &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Detach: detach}
}

// wd is the directory in which the command runs.
func (env *Env) wd() (string, error) {
	if env.Dir != "" {
		return env.Dir, nil
	}
	return os.Getwd()
}

// dir is wd, or "" if the process's directory is gone.
func (env *Env) dir() string {
	dir, _ := env.wd()
	return dir
}

// workDir is dir unless something, such as an envelope, names another.
func (env *Env) workDir(named string) string {
	if named != "" {
		return named
	}
	return env.dir()
}

// path is where a file is that somebody named.
func (env *Env) path(name string) string {
	if env.Dir == "" || name == "" || name == "-" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(env.Dir, name)
}

// abs is path as an absolute one; that of "" is the directory itself.
func (env *Env) abs(name string) (string, error) {
	if env.Dir != "" && !filepath.IsAbs(name) {
		return filepath.Join(env.Dir, name), nil
	}
	return filepath.Abs(name)
}

// paths is path of each.
func (env *Env) paths(names []string) (paths []string) {
	for _, name := range names {
		paths = append(paths, env.path(name))
	}
	return paths
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
