package command

import (
	"os"

	"cairn/internal/term"
)

// IsFile reports whether somebody named a file that is there, of whatever kind but
// a directory.
func (env *Env) IsFile(name string) bool {
	fi, err := os.Stat(env.Path(name))
	return err == nil && !fi.IsDir()
}

// IsDir reports whether somebody named a directory that is there.
func (env *Env) IsDir(name string) bool {
	fi, err := os.Stat(env.Path(name))
	return err == nil && fi.IsDir()
}

// IsRegular keeps what waits for a writer, and what has no end, from being read
// by a command that nobody watches. What is not there is an error of who reads it.
func (env *Env) IsRegular(name string) bool {
	fi, err := os.Stat(env.Path(name))
	return err != nil || fi.Mode().IsRegular()
}

// Shown is the name of a file in a message; - is stdin.
func Shown(name string) string {
	if name == "-" {
		return "stdin"
	}
	return term.Printable(name)
}
