package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

// A runFinder finds what refs name: files of results, or runs of the store.
type runFinder struct {
	runs        runStore
	filter      eval.Filter // of the runs of the store
	allAttempts bool        // joins runs of the same code
	entries     []eval.Entry
	listed      bool
}

// findRun returns the run that ref names. The entry of a file has no ID.
func findRun(env *Env, ref string) (*result.Run, eval.Entry, error) {
	sel, err := (&runFinder{runs: evalStore(env)}).find(ref, nil)
	if err != nil {
		return nil, eval.Entry{}, err
	}
	return sel.Run, sel.Entry(), nil
}

// findPair returns what two refs name, before and after. What a relative ref
// means before, such as previous or merge-base, depends on the run after.
func (f *runFinder) findPair(before, after string) (a, b eval.Selection, err error) {
	if b, err = f.find(after, nil); err != nil {
		return a, b, err
	}
	other := b.Entry()
	a, err = f.find(before, &other)
	return a, b, err
}

// find returns what a ref names, which is to be compared with other if that is
// not nil.
func (f *runFinder) find(ref string, other *eval.Entry) (eval.Selection, error) {
	if ref == "-" || isFile(f.runs.env.Path(ref)) {
		return f.file(ref)
	}
	if !f.listed {
		all, err := f.runs.list()
		if err != nil {
			return eval.Selection{}, err
		}
		f.entries, f.listed = f.filter.Of(all), true
	}
	repo, _ := repoHere(f.runs.env)
	sel, err := eval.Select(ref, f.entries, eval.Wish{Repo: repo, Other: other, Ancestry: func() (eval.Ancestry, error) { return ancestry(f.runs.env, other) }})
	if err != nil {
		return sel, f.explain(ref, err)
	}
	if f.allAttempts {
		sel.Attempts(f.entries)
	}
	return sel, command.Data(f.runs.Open(&sel))
}

func (f *runFinder) file(name string) (eval.Selection, error) {
	runs, err := readRuns(f.runs.env, name)
	if err != nil {
		return eval.Selection{}, err
	}
	if len(runs) > 1 {
		return eval.Selection{}, command.Dataf("%s holds %d runs, one is wanted", shownName(name), len(runs))
	}
	c := evalContext(f.runs.env, name)
	if c.Before(runs[0]) { // it was made of something else than what is checked out
		c.SHA, c.Branch, c.Dirty = "", "", false
	}
	c.Fill(runs[0])
	e := eval.EntryOf(runs[0])
	e.ID, e.File = "", ""
	return eval.Selection{Run: runs[0], Entries: []eval.Entry{e}}, nil
}

// explain adds to an error what would help.
func (f *runFinder) explain(ref string, err error) error {
	switch {
	case looksLikeFile(ref) && isDir(f.runs.env.Path(ref)):
		return command.Dataf("%s is a directory; a file of results is wanted", shownName(ref))
	case looksLikeFile(ref):
		err = fmt.Errorf("%s is not there", shownName(ref))
	case len(f.entries) == 0 && f.filter == (eval.Filter{}):
		return command.Usage(term.Hint(err, "cairn eval push FILE stores what a runner wrote"))
	case strings.HasPrefix(ref, eval.Previous):
		return command.Usage(term.Hint(err, "@main or merge-base names a run of another branch"))
	}
	return command.Usage(term.Hint(err, "cairn eval list shows the runs; a file, an id, a label, @branch, a commit or a suite names one"))
}

// repoHere is the repository that the working directory is in, as runs name
// it, and its top directory; both are "" outside of one.
func repoHere(env *Env) (repo, top string) {
	top, ok := git.Top(env.Here())
	if !ok {
		return "", ""
	}
	remote, _ := git.Run(context.Background(), top, "config", "--get", "remote.origin.url")
	if repo = eval.RepoSlug(remote); repo == "" {
		repo = filepath.Base(mainTree(top))
	}
	return repo, top
}

// mainTree is the working tree that a linked worktree belongs to, so that the
// runs of both are of one repository; another tree is its own.
func mainTree(top string) string {
	common, err := git.Run(context.Background(), top, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return top
	}
	if dir, ok := strings.CutSuffix(filepath.ToSlash(common), "/.git"); ok {
		return dir
	}
	if bare, ok := strings.CutSuffix(common, ".git"); ok {
		return bare
	}
	return top
}

// ancestry asks git where the commit of other, or else HEAD, left the default
// branch.
func ancestry(env *Env, other *eval.Entry) (eval.Ancestry, error) {
	ctx, dir := context.Background(), env.Here()
	if !git.Repo(dir) {
		return eval.Ancestry{}, fmt.Errorf("%s is known in a git repository only", eval.MergeBase)
	}
	branch := defaultBranch(ctx, dir)
	if branch == "" {
		if _, err := git.Run(ctx, dir, "rev-parse", "--git-dir"); err != nil { // git is not there, or this is broken
			return eval.Ancestry{}, err
		}
		return eval.Ancestry{}, fmt.Errorf("git knows no default branch here: none of origin/HEAD, main, master and trunk is there")
	}
	tip := "HEAD"
	if other != nil && other.SHA != "" && !strings.HasPrefix(other.SHA, "-") {
		if sha, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", other.SHA+"^{commit}"); err == nil {
			tip = sha
		}
	}
	base, err := git.Run(ctx, dir, "merge-base", tip, branch)
	if err != nil || base == "" {
		return eval.Ancestry{}, term.Hint(fmt.Errorf("git finds no commit that %s and %s share", shortRev(tip), branch), "a shallow clone has no history; fetch all of it (fetch-depth: 0)")
	}
	out, err := git.Run(ctx, dir, "rev-list", "--first-parent", "--max-count="+strconv.Itoa(eval.MostAncestors+1), base)
	return eval.Ancestry{Branch: branch, Commits: strings.Fields(out)}, err
}

func shortRev(rev string) string { return strings.ToValidUTF8(rev[:min(len(rev), 7)], "") }

// defaultBranch is where the work of others is: what the remote says, or a
// branch with one of the usual names, "" for none.
func defaultBranch(ctx context.Context, dir string) string {
	if head, err := git.Run(ctx, dir, "rev-parse", "--abbrev-ref", "--verify", "--quiet", "origin/HEAD"); err == nil && head != "origin/HEAD" {
		return head
	}
	for _, name := range []string{"main", "master", "trunk"} {
		for _, prefix := range []string{"refs/remotes/origin/", "refs/heads/"} {
			if _, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", prefix+name); err == nil {
				return strings.TrimPrefix(strings.TrimPrefix(prefix, "refs/remotes/"), "refs/heads/") + name
			}
		}
	}
	return ""
}
