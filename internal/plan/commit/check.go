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
	return fields(out), err
}

// Verify divides names of commits into those that the repository has and
// those it has not.
func Verify(ctx context.Context, dir string, names []string) (valid, invalid []string) {
	for _, name := range names {
		kind, err := "", error(nil)
		if !strings.HasPrefix(name, "-") {
			kind, err = git.Run(ctx, dir, "cat-file", "-t", name)
		}
		if err == nil && kind == "commit" {
			valid = append(valid, name)
		} else {
			invalid = append(invalid, name)
		}
	}
	return valid, invalid
}
