package worktree

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/git"
)

// mark is the file in git's directory that says which commit is being merged. It is there
// only while that goes on, so one that is found was left by a process that was killed. A
// merge that a person makes has none, and is never touched.
const mark = "cairn-merging"

func (c Cleanup) mark(ctx context.Context) (string, error) {
	name, err := git.Run(ctx, c.Dir, "rev-parse", "--git-path", mark)
	if err != nil || filepath.IsAbs(name) {
		return name, err
	}
	return filepath.Join(c.Dir, name), nil
}

// takeBack undoes what a killed merge left: its state, and files that are just as the
// merge would make them. What is anything else stays, and git will say so.
func (c Cleanup) takeBack(ctx context.Context) error {
	name, err := c.mark(ctx)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil // nothing was killed
	}
	tip := strings.TrimSpace(string(data))
	through := c.settled(ctx, tip)
	under, err := git.Run(ctx, c.Dir, "rev-parse", "--verify", "--quiet", "MERGE_HEAD")
	switch {
	case err == nil && under != tip: // somebody began another since
		err = nil
	case err == nil && through:
		_, err = git.Run(ctx, c.Dir, "merge", "--quit") // it is committed, only git does not know
	case err == nil:
		_, err = git.Run(ctx, c.Dir, "merge", "--abort")
	case !through:
		err = c.restore(ctx, tip)
	default:
		err = nil
	}
	if err != nil {
		return err
	}
	return os.Remove(name)
}

// outlives is how long a git may go on after the process that began it was killed.
const outlives = 3 * time.Second

// settled waits for such a git, and reports whether the merge went through after all.
func (c Cleanup) settled(ctx context.Context, tip string) bool {
	for end := time.Now().Add(outlives); ; time.Sleep(100 * time.Millisecond) {
		if _, err := git.Run(ctx, c.Dir, "merge-base", "--is-ancestor", tip, "HEAD"); err == nil {
			return true
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return false
		}
	}
}

// written reports whether a file is what the merge writes, or a beginning of it: it may
// have been killed on the way. The file of a deletion is not there.
func (c Cleanup) written(ctx context.Context, top, path, blob string) (bool, error) {
	name := filepath.Join(top, filepath.FromSlash(path))
	is, err := os.ReadFile(name)
	if os.IsNotExist(err) || strings.Trim(blob, "0") == "" {
		return err == nil, nil
	}
	if err != nil {
		return false, err
	}
	if hash, err := git.Run(ctx, top, "hash-object", "--path="+path, "--", name); err == nil && hash == blob {
		return true, nil // with the line ends and filters that git knows
	}
	whole, err := git.Output(ctx, top, "cat-file", "blob", blob)
	if err != nil {
		return false, err
	}
	if bytes.HasPrefix(whole, is) {
		return true, nil
	}
	return false, errNotOurs
}

var errNotOurs = errors.New("somebody wrote it since")

// restore gives files that the merge of tip has written before it was killed the contents
// that HEAD has.
func (c Cleanup) restore(ctx context.Context, tip string) error {
	top, err := git.Run(ctx, c.Dir, "rev-parse", "--show-toplevel") // where the paths begin
	if err != nil {
		return err
	}
	tree, err := git.Run(ctx, top, "merge-tree", "--write-tree", "HEAD", tip)
	if err != nil {
		tree = tip // a git before 2.38, or a merge that does not go through
	}
	tree, _, _ = strings.Cut(tree, "\n")
	out, err := git.Output(ctx, top, "diff", "--raw", "--abbrev=40", "--no-renames", "-z", "HEAD", tree)
	if err != nil {
		return err
	}
	for i, fields := 0, git.Fields(out); i+1 < len(fields); i += 2 { // :100644 100644 old new M, then the path
		meta, path := strings.Fields(fields[i]), fields[i+1]
		if len(meta) < 5 {
			break
		}
		if written, err := c.written(ctx, top, path, meta[3]); err != nil || written == (meta[4] == "D") {
			continue
		}
		if meta[4] == "A" {
			_, err = git.Run(ctx, top, "--literal-pathspecs", "rm", "--quiet", "-f", "--cached", "--ignore-unmatch", "--", path)
			if err == nil {
				err = os.Remove(filepath.Join(top, filepath.FromSlash(path)))
			}
		} else {
			_, err = git.Run(ctx, top, "--literal-pathspecs", "restore", "--source=HEAD", "--staged", "--worktree", "--", path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sweep removes trees that git was killed over while it made them: nobody has worked in
// them, and git itself may no longer be able to read what it wrote. Only those below the
// directory of agents' trees are ours.
func sweep(ctx context.Context, dir, trees string) error {
	common, err := git.Run(ctx, dir, "rev-parse", "--git-common-dir")
	if err != nil {
		return err
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(dir, common)
	}
	metas, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if err != nil {
		return nil // there are none
	}
	for _, m := range metas {
		meta := filepath.Join(common, "worktrees", m.Name())
		tree := filepath.Join(trees, m.Name())
		if said, err := os.ReadFile(filepath.Join(meta, "gitdir")); err == nil && len(said) > 0 {
			tree = filepath.Dir(strings.TrimSpace(string(said)))
		}
		if real(filepath.Dir(tree)) != real(trees) || !half(ctx, meta) {
			continue
		}
		if err := errors.Join(os.RemoveAll(tree), os.RemoveAll(meta)); err != nil {
			return err
		}
	}
	return nil
}

// half reports whether a tree's making was cut short, once a git that may still be at it
// has had its time.
func half(ctx context.Context, meta string) bool {
	for end := time.Now().Add(outlives); ; time.Sleep(100 * time.Millisecond) {
		said, err := os.ReadFile(filepath.Join(meta, "locked"))
		if err != nil || strings.TrimSpace(string(said)) != "initializing" {
			return false
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return true
		}
	}
}
