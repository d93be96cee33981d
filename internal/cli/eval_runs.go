package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// runStore is where a command finds runs: the user's store, or that with the
// team's (see withTeam).
type runStore struct {
	*eval.Store
	env *Env
}

// evalStore is the user's own store.
func evalStore(env *Env) runStore { return runStore{eval.Open(home.Find(env.Getenv).Evals()), env} }

// list returns the runs of the store, the newest first, and warns of files
// that cannot be read.
func (s runStore) list() ([]eval.Entry, error) {
	env := s.env
	entries, broken, err := s.List()
	for i, b := range broken {
		if i == 3 {
			term.Warn(env.Stderr, "and %d more runs cannot be read", len(broken)-i)
			break
		}
		term.Warn(env.Stderr, "left out: %v", b)
	}
	return entries, err
}

func isFile(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && !fi.IsDir()
}

// isRegular keeps what waits for a writer, and what has no end, from being
// read only because it lies in a directory.
func isRegular(name string) bool {
	fi, err := os.Stat(name)
	return err != nil || fi.Mode().IsRegular() // an error is told when it is read
}

func isDir(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.IsDir()
}

func looksLikeFile(ref string) bool {
	return strings.ContainsAny(ref, `/\`) && !strings.HasPrefix(ref, "@") || filepath.Ext(ref) == ".json" || filepath.Ext(ref) == ".xml"
}

// readRuns reads the results in a file, or in stdin for "-", whatever tool wrote
// them, and says on stderr what was odd in them.
func readRuns(env *Env, name string) ([]*result.Run, error) {
	file, err := readResultFile(env, name)
	if err != nil {
		return nil, err
	}
	for _, w := range file.Warnings {
		term.Warn(env.Stderr, "%s: %s", shownName(name), term.Printable(w))
	}
	return file.Runs, nil
}

func readResultFile(env *Env, name string) (reader.File, error) {
	data, err := readResults(env, name)
	if err != nil {
		return reader.File{}, err
	}
	file, err := reader.Read(shownName(name), data)
	return file, command.Data(term.Hint(err, "cairn eval schema prints the format"))
}

func shownName(name string) string {
	if name == "-" {
		return "stdin"
	}
	return term.Printable(name)
}

// readResults reads a file of results, or stdin, up to what one may hold.
func readResults(env *Env, name string) ([]byte, error) {
	in := env.Stdin
	if name != "-" {
		fi, err := os.Stat(env.Path(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, command.Dataf("%s is not there", shownName(name))
		case err != nil:
			return nil, command.Data(err)
		case fi.IsDir():
			return nil, command.Dataf("%s is a directory; a file of results is wanted", shownName(name))
		case fi.Size() > result.MaxBytes:
			return nil, command.Data(term.Hint(tooLarge(name, fi.Size()), "split the run, or leave transcripts out"))
		}
		f, err := os.Open(env.Path(name))
		if err != nil {
			return nil, command.Data(err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, result.MaxBytes+1))
	if err == nil && len(data) > result.MaxBytes {
		err = tooLarge(name, int64(len(data)))
	}
	return data, command.Data(err)
}

func tooLarge(name string, size int64) error {
	return fmt.Errorf("%s holds more than %d MB of results, which is the most that is read", shownName(name), min(size, result.MaxBytes)>>20)
}

// evalContext is what is known here of a run that was read from a file.
func evalContext(env *Env, file string) eval.Context {
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
	c.Branch = branchOf(env, dir)
	if out, err := git.Run(ctx, dir, "status", "--porcelain", "--untracked-files=no"); err == nil {
		c.Dirty = out != ""
	}
	c.Repo, _ = repoHere(env)
	return c
}

// branchOf is the branch of a working tree; with a detached head, as in CI, the
// one that the environment tells.
func branchOf(env *Env, dir string) string {
	if branch, _ := git.Branch(context.Background(), dir); branch != "" {
		return branch
	}
	return cmp.Or(env.Getenv("GITHUB_HEAD_REF"), env.Getenv("GITHUB_REF_NAME"), env.Getenv("CI_COMMIT_REF_NAME"))
}
