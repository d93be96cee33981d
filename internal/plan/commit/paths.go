package commit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
)

// leaveOut takes away the planning documents that are not to be committed,
// and tells why when nothing is left.
func (c *committer) leaveOut() (Skip, error) {
	if c.Force || !slices.ContainsFunc(c.Paths, isPlanning) {
		return "", nil
	}
	why := SkipDocsOff
	if !c.DocsOff {
		ignored, err := c.ignored()
		if err != nil || !ignored {
			return "", err
		}
		why = SkipIgnored
	}
	c.Paths = slices.DeleteFunc(slices.Clone(c.Paths), isPlanning)
	if len(c.Paths) > 0 {
		why = ""
	}
	return why, nil
}

// ignored reports whether git ignores the planning directory.
func (c *committer) ignored() (bool, error) {
	_, err := git.Run(c.ctx, c.dir, "check-ignore", "-q", "--", plan.Planning)
	if git.Code(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

func isPlanning(path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	return path == plan.Planning || strings.HasPrefix(path, plan.Planning+"/")
}

// dropMissing takes away the paths that git would refuse because there is
// nothing by that name: not on disk, in its index or in the last commit.
func (c *committer) dropMissing(res *Result) error {
	var paths []string
	for _, p := range c.Paths {
		there, err := c.there(p)
		if err != nil {
			return err
		}
		if !there {
			removed, err := c.staged([]string{p})
			if err != nil {
				return err
			}
			there = len(removed) > 0
		}
		if there {
			paths = append(paths, p)
		} else {
			res.Missing = append(res.Missing, p)
		}
	}
	c.Paths = paths
	return nil
}

// stage adds the paths to the index, also as deleted. What was removed from
// the index before git would refuse.
func (c *committer) stage() error {
	var paths []string
	for _, p := range c.Paths {
		there, err := c.there(p)
		if err != nil {
			return err
		}
		if there {
			paths = append(paths, p)
		}
	}
	if c.Staged || len(paths) == 0 {
		return nil
	}
	args := []string{"--literal-pathspecs", "add", "-A"}
	if c.Force {
		args = append(args, "-f")
	}
	_, err := git.Output(c.ctx, c.dir, append(append(args, "--"), paths...)...)
	return err
}

// changed lists what a commit of the paths would hold.
func (c *committer) changed() ([]string, error) {
	if c.Staged {
		return c.staged(c.Paths)
	}
	args := []string{"--literal-pathspecs", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"}
	if c.Force {
		args = append(args, "--ignored")
	}
	out, err := git.Output(c.ctx, c.dir, append(append(args, "--"), c.Paths...)...)
	var files []string
	for _, entry := range git.Fields(out) { // two letters, a space, the path
		files = append(files, entry[3:])
	}
	slices.Sort(files)
	return files, err
}

// there reports whether a path is on disk or in the index.
func (c *committer) there(p string) (bool, error) {
	name := p
	if !filepath.IsAbs(p) {
		name = filepath.Join(c.dir, filepath.FromSlash(p))
	}
	if _, err := os.Lstat(name); err == nil {
		return true, nil
	}
	out, err := git.Output(c.ctx, c.dir, "--literal-pathspecs", "ls-files", "-z", "--", p)
	return len(out) > 0, err
}
