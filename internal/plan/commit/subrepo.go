package commit

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// ByRepo divides paths by the sub-repository each is in: its directory → the
// paths relative to it. What is in none is unmatched.
func ByRepo(repos, paths []string) (in map[string][]string, unmatched []string) {
	in = map[string][]string{}
	for _, p := range paths {
		clean := filepath.ToSlash(filepath.Clean(p))
		at := slices.IndexFunc(repos, func(repo string) bool { return strings.HasPrefix(clean, strings.TrimSuffix(repo, "/")+"/") })
		if at < 0 {
			unmatched = append(unmatched, p)
			continue
		}
		repo := repos[at]
		in[repo] = append(in[repo], strings.TrimPrefix(clean, strings.TrimSuffix(repo, "/")+"/"))
	}
	return in, unmatched
}

// DoIn commits in a sub-repository of root. The settings of the plan are not
// asked: these are not planning documents.
func DoIn(ctx context.Context, root, repo string, r Request) (*Result, error) {
	return Do(ctx, filepath.Join(root, filepath.FromSlash(repo)), r)
}
