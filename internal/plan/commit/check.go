package commit

import (
	"context"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
)

// StagedPlanning lists the planning documents that are staged.
func StagedPlanning(ctx context.Context, dir string) ([]string, error) {
	out, err := git.Output(ctx, dir, "diff", "--cached", "--name-only", "-z", "--", plan.Planning)
	return git.Fields(out), err
}

// Exists reports whether the repository has a commit of that name.
func Exists(ctx context.Context, dir, name string) bool {
	if strings.HasPrefix(name, "-") {
		return false
	}
	kind, err := git.Run(ctx, dir, "cat-file", "-t", name)
	return err == nil && kind == "commit"
}

// Verify divides names of commits into those that the repository has and
// those it has not.
func Verify(ctx context.Context, dir string, names []string) (valid, invalid []string) {
	for _, name := range names {
		if Exists(ctx, dir, name) {
			valid = append(valid, name)
		} else {
			invalid = append(invalid, name)
		}
	}
	return valid, invalid
}
