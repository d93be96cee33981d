// Package runs is where commands find the runs of evals and where they keep them:
// files of results, the user's store, and the runs of the team. What a ref means
// and how a run is stored is package eval's; here it meets files, git, the
// environment and the team of the checkout.
package runs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/team/result/reader"
	"cairn/internal/term"
)

// A Store is the user's store, or that together with the runs of the team.
type Store struct {
	*eval.Store
	env *command.Env
}

// Own is the user's own store.
func Own(env *command.Env) Store { return Store{eval.Open(home.Find(env.Getenv).Evals()), env} }

// List returns the runs of the store, the newest first, and warns of files that
// cannot be read.
func (s Store) List() ([]eval.Entry, error) {
	entries, broken, err := s.Store.List()
	for i, b := range broken {
		if i == 3 {
			term.Warn(s.env.Stderr, "and %d more runs cannot be read", len(broken)-i)
			break
		}
		term.Warn(s.env.Stderr, "left out: %v", b)
	}
	return entries, err
}

// Repo is the repository that the working directory is in, as runs name it, and
// its top directory; both are "" outside of one.
func Repo(env *command.Env) (repo, top string) {
	top, ok := git.Top(env.Here())
	if !ok {
		return "", ""
	}
	remote, _ := git.Run(context.Background(), top, "config", "--get", "remote.origin.url")
	return cmp.Or(eval.RepoSlug(remote), filepath.Base(git.MainTree(top))), top
}

// Branch is the branch of a working tree; with a detached head, as in CI, the one
// that the environment names.
func Branch(env *command.Env, dir string) string {
	if branch, _ := git.Branch(context.Background(), dir); branch != "" {
		return branch
	}
	return cmp.Or(env.Getenv("GITHUB_HEAD_REF"), env.Getenv("GITHUB_REF_NAME"), env.Getenv("CI_COMMIT_REF_NAME"))
}

// Read reads the results in a file, or in stdin for "-", whatever tool wrote
// them, and says on stderr what was odd in them.
func Read(env *command.Env, name string, m reader.Mapping) ([]*result.Run, error) {
	file, err := ReadFile(env, name, m)
	if err != nil {
		return nil, err
	}
	for _, w := range file.Warnings {
		term.Warn(env.Stderr, "%s: %s", command.Shown(name), term.Printable(w))
	}
	return file.Runs, nil
}

// ReadFile is Read that says nothing.
func ReadFile(env *command.Env, name string, m reader.Mapping) (reader.File, error) {
	data, err := readAll(env, name)
	if err != nil {
		return reader.File{}, command.Data(err)
	}
	file, err := reader.ReadMapped(command.Shown(name), data, m)
	return file, command.Data(term.Hint(err, "cairn eval schema prints the format"))
}

// readAll reads a file of results, or stdin, up to what one may hold.
func readAll(env *command.Env, name string) ([]byte, error) {
	in, size := env.Stdin, int64(0)
	if name != "-" {
		fi, err := os.Stat(env.Path(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s does not exist", command.Shown(name))
		case err != nil:
			return nil, err
		case fi.IsDir():
			return nil, isDirectory(name)
		case fi.Size() > result.MaxBytes:
			return nil, term.Hint(tooLarge(name), "split the run, or leave transcripts out")
		}
		f, err := os.Open(env.Path(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in, size = f, fi.Size()
	}
	var data bytes.Buffer
	data.Grow(int(size) + bytes.MinRead) // a file that grows as it is read would be copied again and again
	_, err := data.ReadFrom(io.LimitReader(in, result.MaxBytes+1))
	if err == nil && data.Len() > result.MaxBytes {
		err = tooLarge(name)
	}
	return data.Bytes(), err
}

func isDirectory(name string) error {
	return fmt.Errorf("%s must be a file of results, not a directory", command.Shown(name))
}

func tooLarge(name string) error {
	return fmt.Errorf("%s must have at most %d MB of results", command.Shown(name), result.MaxBytes>>20)
}

// contextOf is what is known here of a run that was read from a file.
func contextOf(env *command.Env, file string) eval.Context {
	c := eval.Context{Time: time.Now(), Label: env.Getenv("EVAL_LABEL")}
	if fi, err := os.Stat(env.Path(file)); err == nil {
		c.Time = fi.ModTime()
	}
	c.Hostname, _ = os.Hostname()
	c.Scope, c.JudgeTier = env.Getenv("EVAL_TIER"), env.Getenv("EVAL_JUDGE_TIER")
	if tier, ok := judge.ParseTier(c.JudgeTier); ok && c.JudgeTier != "" {
		c.JudgeTier = tier
	}
	dir := env.Here()
	if !git.Repo(dir) {
		return c
	}
	ctx := context.Background()
	if out, err := git.Run(ctx, dir, "log", "-1", "--format=%H %ct"); err == nil {
		var seconds int64
		if _, err := fmt.Sscan(out, &c.SHA, &seconds); err == nil {
			c.Committed = time.Unix(seconds, 0)
		}
	}
	c.Branch = Branch(env, dir)
	if out, err := git.Run(ctx, dir, "status", "--porcelain", "--untracked-files=no"); err == nil {
		c.Dirty = out != ""
	}
	c.Repo, _ = Repo(env)
	return c
}
