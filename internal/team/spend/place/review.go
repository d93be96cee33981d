package place

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/git"
)

// A Review is what git knows of a pull request.
type Review struct {
	Commits  []string // of the branch as it is today, as far as it can be told
	Files    int
	Added    int // lines
	Removed  int
	Sized    bool      // Files, Added and Removed are known
	Reverted []string  // those of its commits that a later commit reverted
	First    time.Time // when its first commit was made, zero where no commit is known
	Merged   time.Time // when the default branch got it, zero where no commit there says so
}

// Review looks a pull request up among the commits that were loaded. commits are
// those that are known to be of it, made is what they were called before.
func (r *Repo) Review(ctx context.Context, n int64, commits, made []string) Review {
	g := r.graph
	var v Review
	for _, h := range commits {
		v.Commits = including(v.Commits, h)
	}
	if g == nil {
		return v
	}
	for h, of := range g.pulls {
		if of == n {
			v.Commits = including(v.Commits, h)
		}
	}
	slices.Sort(v.Commits)
	for _, m := range g.first { // the merge, or the squashed commit, has all of it
		if number(m) == n && len(m.parents) > 0 {
			v.size(ctx, g, m.parents[0], m.hash)
			v.Merged = m.at
			break
		}
	}
	if !v.Sized && len(g.first) > 0 && len(commits) > 0 {
		tip := commits[len(commits)-1]
		if base := g.base(ctx, tip); base != "" && base != tip {
			v.size(ctx, g, base, tip)
		}
	}
	for _, c := range g.commits {
		for _, line := range strings.Split(c.body, "\n") {
			if _, hash, ok := strings.Cut(line, "This reverts commit "); ok {
				hash = strings.TrimRight(hash, ".\r ")
				if hash, _, _ = strings.Cut(hash, ","); git.IsHash(hash, 7) && c.refs {
					if i := slices.IndexFunc(v.Commits, func(h string) bool { return strings.HasPrefix(h, hash) }); i >= 0 {
						v.Reverted = including(v.Reverted, v.Commits[i])
					}
				}
			}
		}
	}
	slices.Sort(v.Reverted)
	for _, h := range slices.Concat(v.Commits, made) {
		if c := g.commits[h]; c != nil {
			if at := c.authored(); v.First.IsZero() || at.Before(v.First) {
				v.First = at
			}
		}
	}
	return v
}

// authored is when a commit was made first: a rebase keeps it.
func (c *commit) authored() time.Time {
	seconds, err := strconv.ParseInt(c.author[strings.LastIndexByte(c.author, ' ')+1:], 10, 64)
	if err != nil {
		return c.at
	}
	return time.Unix(seconds, 0)
}

// size counts the lines between two commits.
func (v *Review) size(ctx context.Context, g *graph, from, to string) {
	out, err := git.Run(ctx, g.dir, "diff", "--numstat", "--no-renames", from, to)
	if err != nil {
		return
	}
	v.Sized = true
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		added, _ := strconv.Atoi(f[0]) // "-" of a binary file
		removed, _ := strconv.Atoi(f[1])
		v.Files, v.Added, v.Removed = v.Files+1, v.Added+added, v.Removed+removed
	}
}

func including(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
