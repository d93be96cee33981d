package place

import (
	"context"
	"slices"
	"strings"

	"cairn/internal/git"
)

// lines are those that a patch adds and removes, each with its file and sign.
type lines map[string]bool

// within says that another patch has all of these lines. A patch of which every line is
// short, such as a closing brace, is in none: too many have it.
func (l lines) within(o lines) bool {
	told := false
	for line := range l {
		if !o[line] {
			return false
		}
		_, text, _ := strings.Cut(line, "\x00")
		told = told || len(strings.TrimSpace(text)) > 4
	}
	return told
}

// linesOf reads what git diff-tree writes between two commits, or of one.
func (g *graph) linesOf(ctx context.Context, key string, commits ...string) lines {
	if l, ok := g.lines[key]; ok {
		return l
	}
	l := lines{}
	g.lines[key] = l
	out, err := git.Output(ctx, g.dir, append([]string{"diff-tree", "-p", "-U0", "--root", "--no-renames"}, commits...)...)
	if err != nil {
		return l
	}
	file, inside := "", false
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "diff --git "):
			file, inside = line, false
		case strings.HasPrefix(line, "@@"):
			inside = true
		case inside && line != "" && (line[0] == '+' || line[0] == '-'):
			l[file+line[:1]+"\x00"+line[1:]] = true
		}
	}
	return l
}

// became is the commit in which one that no branch has any more went: into a larger one,
// where branches were tidied up; or of those into which it was split the largest, the
// earliest of several.
func (g *graph) became(ctx context.Context, c *commit) string {
	own := g.linesOf(ctx, c.hash, c.hash)
	files := g.filesOf(ctx)
	if len(own) == 0 || len(files[c.hash]) == 0 {
		return ""
	}
	var parts []*commit
	for _, o := range g.later(ctx, c) {
		switch {
		case contains(files[o.hash], files[c.hash]) && own.within(g.linesOf(ctx, o.hash, o.hash)):
			return o.hash
		case contains(files[c.hash], files[o.hash]) && g.linesOf(ctx, o.hash, o.hash).within(own):
			parts = append(parts, o)
		}
	}
	largest := ""
	for _, o := range parts {
		if largest == "" || len(g.lines[o.hash]) > len(g.lines[largest]) {
			largest = o.hash
		}
	}
	return largest
}

// later are commits of branches that were made after one, the oldest first.
func (g *graph) later(ctx context.Context, c *commit) (list []*commit) {
	for h := range g.filesOf(ctx) {
		if o := g.commits[h]; o != nil && o.refs && o != c && len(o.parents) < 2 && !o.at.Before(c.at) {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *commit) int {
		if a.at.Equal(b.at) {
			return strings.Compare(a.hash, b.hash)
		}
		return a.at.Compare(b.at)
	})
	return list
}

// filesOf are the files that each commit changes. All are asked for at once.
func (g *graph) filesOf(ctx context.Context) map[string][]string {
	if g.changed != nil {
		return g.changed
	}
	g.changed = map[string][]string{}
	var hashes []string
	for h := range g.commits {
		hashes = append(hashes, h)
	}
	for part := range slices.Chunk(hashes, 500) {
		out, err := git.Output(ctx, g.dir, append([]string{"log", "--no-walk", "--ignore-missing", "--no-merges", "--no-renames", "--name-only", "--format=%x1e%H"}, part...)...)
		if err != nil {
			continue
		}
		for _, record := range strings.Split(string(out), "\x1e") {
			if h, files, ok := strings.Cut(record, "\n"); ok {
				g.changed[h] = sorted(files)
			}
		}
	}
	return g.changed
}

// contains says that one sorted list has all of another, which is not empty.
func contains(list, part []string) bool {
	for _, s := range part {
		if _, ok := slices.BinarySearch(list, s); !ok {
			return false
		}
	}
	return len(part) > 0
}
