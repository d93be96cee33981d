// Package commit makes git commits of planning documents: exactly the paths
// that are named, whatever else is staged, on the branch that is checked out.
// It also tells what stands in a commit's way: settings, ignore rules, the
// branch that a phase's work belongs on.
//
// The verbs and the queries of the plan import it. What to commit when is not
// decided here.
package commit

import (
	"context"
	"fmt"
	"time"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/term"
)

// Request says what to commit.
type Request struct {
	Message  string   // as a person or an agent gave it; see Sanitize
	Paths    []string // slash paths relative to the directory; none is .planning
	Amend    bool     // into the last commit; keeps its message when Message is ""
	NoVerify bool     // without the repository's hooks
	Force    bool     // also what settings or ignore rules keep out
	Staged   bool     // only what of Paths is staged already
	DocsOff  bool     // planning documents are not committed (commit_docs is off)
	DryRun   bool     // only tell which files would be committed
}

// Result is a commit, or why there is none.
type Result struct {
	Hash    string   `json:"hash"`  // short; "" for no commit
	Files   []string `json:"files"` // of the commit
	Skipped Skip     `json:"skipped"`
	Missing []string `json:"missing"` // paths that are neither on disk nor known to git
}

// Skip is a reason for not committing that is no failure.
type Skip string

const (
	SkipDocsOff Skip = "commit_docs is off"
	SkipIgnored Skip = "git ignores the planning directory"
	SkipNothing Skip = "nothing to commit"
)

// timeout is for a commit with the user's hooks.
const timeout = 10 * time.Minute

// Do commits in the repository that dir is in.
func Do(ctx context.Context, dir string, r Request) (*Result, error) {
	message := Sanitize(r.Message)
	switch {
	case message == "" && !r.Amend:
		return nil, fmt.Errorf("a commit needs a message")
	case !git.Repo(dir):
		return nil, term.Hint(fmt.Errorf("%s is not in a git repository", dir), "git init makes one")
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c := &committer{ctx: ctx, dir: dir, Request: r, message: message}
	return c.do()
}

type committer struct {
	Request
	ctx     context.Context
	dir     string
	message string
}

func (c *committer) do() (*Result, error) {
	if len(c.Paths) == 0 {
		c.Paths = []string{plan.Planning}
	}
	res := &Result{}
	if skip, err := c.leaveOut(); err != nil || skip != "" {
		res.Skipped = skip
		return res, err
	}
	if err := c.dropMissing(res); err != nil {
		return nil, err
	}
	if len(c.Paths) == 0 {
		res.Skipped = SkipNothing
		return res, nil
	}
	if c.DryRun {
		var err error
		res.Files, err = c.changed()
		if len(res.Files) == 0 && !c.Amend {
			res.Skipped = SkipNothing
		}
		return res, err
	}
	if err := c.stage(); err != nil {
		return nil, err
	}
	staged, err := c.staged(c.Paths)
	if err != nil {
		return nil, err
	}
	if len(staged) == 0 && !c.Amend {
		res.Skipped = SkipNothing
		return res, nil
	}
	if err := c.commit(staged); err != nil {
		return nil, err
	}
	if res.Hash, err = git.Run(c.ctx, c.dir, "rev-parse", "--short", "HEAD"); err != nil {
		return nil, err
	}
	out, err := git.Output(c.ctx, c.dir, "diff-tree", "--no-commit-id", "--name-only", "-r", "--root", "-z", "HEAD")
	res.Files = git.Fields(out)
	return res, err
}

// staged lists the files of the index that differ from the last commit, in
// these paths or, for nil, anywhere.
func (c *committer) staged(paths []string) ([]string, error) {
	args := []string{"--literal-pathspecs", "diff", "--cached", "--name-only", "--no-renames", "--no-relative", "-z", "--"}
	out, err := git.Output(c.ctx, c.dir, append(args, paths...)...)
	return git.Fields(out), err
}

// commit commits the paths as they are on disk, or with Staged as they are
// staged.
func (c *committer) commit(staged []string) error {
	args := []string{"commit", "--quiet"}
	switch {
	case c.Amend && c.message == "":
		args = append(args, "--amend", "--no-edit")
	case c.Amend:
		args = append(args, "--amend", "-m", c.message)
	default:
		args = append(args, "-m", c.message)
	}
	if c.NoVerify {
		args = append(args, "--no-verify")
	}
	if c.Staged {
		return c.commitStaged(staged, args)
	}
	args = append([]string{"--literal-pathspecs"}, append(args, "--")...)
	_, err := git.Output(c.ctx, c.dir, append(args, c.Paths...)...)
	return err
}
