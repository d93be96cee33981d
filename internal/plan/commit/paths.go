package commit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
)

// leaveOut takes away the planning documents that are not to be committed,
// and tells why when nothing is left.
func (c *committer) leaveOut() Skip {
	if c.Force || !slices.ContainsFunc(c.Paths, isPlanning) {
		return ""
	}
	why := SkipDocsOff
	if !c.DocsOff {
		if !c.ignored() {
			return ""
		}
		why = SkipIgnored
	}
	c.Paths = slices.DeleteFunc(slices.Clone(c.Paths), isPlanning)
	if len(c.Paths) > 0 {
		why = ""
	}
	return why
}

// ignored reports whether git ignores the planning directory.
func (c *committer) ignored() bool {
	_, err := git.Run(c.ctx, c.dir, "check-ignore", "-q", "--", plan.Planning)
	if git.Code(err) == 1 {
		return false
	}
	must.OK(err)
	return true
}

func isPlanning(path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	return path == plan.Planning || strings.HasPrefix(path, plan.Planning+"/")
}

// dropMissing takes away the paths that git would refuse because there is
// nothing by that name: not on disk, in its index or in the last commit.
func (c *committer) dropMissing(res *Result) {
	var paths []string
	for _, p := range c.Paths {
		if c.there(p) || len(c.staged([]string{p})) > 0 {
			paths = append(paths, p)
		} else {
			res.Missing = append(res.Missing, p)
		}
	}
	c.Paths = paths
}

// stage adds the paths to the index, also as deleted. What was removed from
// the index before git would refuse.
func (c *committer) stage() {
	paths := slices.DeleteFunc(slices.Clone(c.Paths), func(p string) bool { return !c.there(p) })
	if c.Staged || len(paths) == 0 {
		return
	}
	args := []string{"add", "-A"}
	if c.Force {
		args = append(args, "-f")
	}
	c.git(append(args, "--"), paths...)
}

// changed lists what a commit of the paths would hold.
func (c *committer) changed() []string {
	if c.Staged {
		return c.staged(c.Paths)
	}
	args := []string{"status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"}
	if c.Force {
		args = append(args, "--ignored")
	}
	var files []string
	for _, entry := range git.Fields(c.git(append(args, "--"), c.Paths...)) { // two letters, a space, the path
		files = append(files, entry[3:])
	}
	slices.Sort(files)
	return files
}

// there reports whether a path is on disk or in the index.
func (c *committer) there(p string) bool {
	name := p
	if !filepath.IsAbs(p) {
		name = filepath.Join(c.dir, filepath.FromSlash(p))
	}
	if _, err := os.Lstat(name); err == nil {
		return true
	}
	return len(c.git([]string{"ls-files", "-z", "--", p})) > 0
}
