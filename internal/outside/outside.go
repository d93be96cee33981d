// Package outside is what a command, or a hook, may touch of the outside: its
// streams, its environment, its directory. Hooks import it, and with it nothing of
// what makes commands.
package outside

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Env is what a command may touch of the outside: its streams and environment.
// Nothing in it is opened before a command asks.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	// Dir is where relative names start; "" is the process's own directory.
	Dir string
	// Detach starts this program again in the background; nil leaves that out.
	Detach func(args ...string) error
}

// Wd is the directory in which the command runs.
func (env *Env) Wd() (string, error) {
	if env.Dir != "" {
		return env.Dir, nil
	}
	return os.Getwd()
}

// Here is Wd, or "" if the process's directory is gone.
func (env *Env) Here() string {
	dir, _ := env.Wd()
	return dir
}

// WorkDir is Here unless something, such as an envelope, names another.
func (env *Env) WorkDir(named string) string {
	if named != "" {
		return named
	}
	return env.Here()
}

// Path is where a file is that somebody named.
func (env *Env) Path(name string) string {
	if env.Dir == "" || name == "" || name == "-" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(env.Dir, name)
}

// Abs is Path as an absolute one; that of "" is the directory itself.
func (env *Env) Abs(name string) (string, error) {
	if env.Dir != "" && !filepath.IsAbs(name) {
		return filepath.Join(env.Dir, name), nil
	}
	return filepath.Abs(name)
}

// Paths is Path of each.
func (env *Env) Paths(names []string) (paths []string) {
	for _, name := range names {
		paths = append(paths, env.Path(name))
	}
	return paths
}

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

// ReadLine reads stdin to the end of a line, and nothing behind it.
func (env *Env) ReadLine() (line []byte, err error) {
	var one [1]byte
	for len(line) < 64<<10 {
		n, err := env.Stdin.Read(one[:])
		if n == 1 && one[0] == '\n' || err == io.EOF {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
		line = append(line, one[:n]...)
	}
	return nil, errors.New("the line is too long")
}
