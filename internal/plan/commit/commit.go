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
	"slices"
	"time"

	"cairn/internal/git"
	"cairn/internal/must"
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
func Do(ctx context.Context, dir string, r Request) (res *Result, err error) {
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
	err = must.Catch(func() { res = c.do() })
	return res, err
}

type committer struct {
	Request
	ctx     context.Context
	dir     string
	message string
}

func (c *committer) do() *Result {
	if len(c.Paths) == 0 {
		c.Paths = []string{plan.Planning}
	}
	res := &Result{}
	if res.Skipped = c.leaveOut(); res.Skipped != "" {
		return res
	}
	c.dropMissing(res)
	if len(c.Paths) == 0 {
		res.Skipped = SkipNothing
		return res
	}
	if c.DryRun {
		if res.Files = c.changed(); len(res.Files) == 0 && !c.Amend {
			res.Skipped = SkipNothing
		}
		return res
	}
	c.stage()
	staged := c.staged(c.Paths)
	if len(staged) == 0 && !c.Amend {
		res.Skipped = SkipNothing
		return res
	}
	c.commit(staged)
	res.Hash = must.Get(git.Run(c.ctx, c.dir, "rev-parse", "--short", "HEAD"))
	res.Files = git.Fields(c.git([]string{"diff-tree", "--no-commit-id", "--name-only", "-r", "--root", "-z", "HEAD"}))
	return res
}

// git returns what git writes; paths are meant to the letter.
func (c *committer) git(args []string, paths ...string) []byte {
	return must.Get(git.Output(c.ctx, c.dir, slices.Concat([]string{"--literal-pathspecs"}, args, paths)...))
}

// staged lists the files of the index that differ from the last commit, in
// these paths or, for nil, anywhere.
func (c *committer) staged(paths []string) []string {
	return git.Fields(c.git([]string{"diff", "--cached", "--name-only", "--no-renames", "--no-relative", "-z", "--"}, paths...))
}

// commit commits the paths as they are on disk, or with Staged as they are
// staged.
func (c *committer) commit(staged []string) {
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
		c.commitStaged(staged, args)
	} else {
		c.git(append(args, "--"), c.Paths...)
	}
}
