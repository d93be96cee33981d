package commit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
)

// commitStaged commits the staged content of the files and nothing else that
// is staged. git commits either the whole index or whole files of the working
// tree, so when more is staged it gets an index of its own: the last commit's
// with these files. Afterwards the real index agrees with the new commit.
func (c *committer) commitStaged(files, args []string) {
	all := c.staged(nil)
	if len(all) == len(files) {
		must.Get(git.Output(c.ctx, c.dir, args...))
		return
	}
	dir := must.Get(git.Run(c.ctx, c.dir, "rev-parse", "--absolute-git-dir"))
	index := must.Get(os.MkdirTemp(dir, "cairn-index-"))
	defer os.RemoveAll(index)
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(index, "index")}
	if _, err := git.Run(c.ctx, c.dir, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		must.Get(git.OutputEnv(c.ctx, c.dir, env, "read-tree", "HEAD"))
	}
	c.copyEntries(files, env)
	must.Get(git.OutputEnv(c.ctx, c.dir, env, args...))
}

// copyEntries puts the files' entries of the real index into that of env.
func (c *committer) copyEntries(files []string, env []string) {
	top, ok := git.Top(c.dir)
	if !ok {
		top = c.dir
	}
	for part := range slices.Chunk(files, 200) { // as many as a command line holds anywhere
		out := must.Get(git.Output(c.ctx, top, append([]string{"--literal-pathspecs", "ls-files", "--stage", "-z", "--"}, part...)...))
		update := []string{"update-index", "--add"}
		gone := slices.Clone(part)
		for _, entry := range git.Fields(out) { // mode SP hash SP stage TAB path
			info, path, _ := strings.Cut(entry, "\t")
			words := strings.Fields(info)
			update = append(update, "--cacheinfo", words[0]+","+words[1]+","+path)
			gone = slices.DeleteFunc(gone, func(f string) bool { return f == path })
		}
		for _, path := range gone {
			update = append(update, "--force-remove", path)
		}
		must.Get(git.OutputEnv(c.ctx, top, env, update...))
	}
}
