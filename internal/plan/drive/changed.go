package drive

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/gate"
)

// Changed returns the commits of a phase, and the files that they or its summaries say
// they changed: those that are still there, without planning documents.
func Changed(ctx context.Context, tx *plan.Tx, p *plan.Phase) (made []commit.Made, files []string, err error) {
	made, files = []commit.Made{}, []string{}
	err = must.Catch(func() {
		if git.Repo(tx.Root) {
			made, files = must.Get2(commit.OfPhase(ctx, tx.Root, p.ID.Padded(), p.ID.String()))
		}
		for _, name := range p.Summaries() {
			files = append(files, gate.FilesOf(must.Get(tx.Read(path.Join(p.Dir, name))))...)
		}
		slices.Sort(files)
		files = slices.DeleteFunc(slices.Compact(files), func(name string) bool { return !isCode(tx.Workspace, name) })
	})
	return made, files, err
}

// isCode reports whether a name is a file of the project that is no planning
// document.
func isCode(w *plan.Workspace, name string) bool {
	if path.IsAbs(name) || path.Clean(name) != name || strings.HasPrefix(name, "../") || strings.HasPrefix(name, plan.Planning+"/") {
		return false
	}
	fi, err := os.Lstat(w.Abs(name))
	return err == nil && fi.Mode().IsRegular()
}
