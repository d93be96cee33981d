package place

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"cairn/internal/git"
)

// Final is what a commit is called today: itself where the default branch has it;
// else what an amend, a rebase, a cherry-pick or a squash made of it; else itself.
func (r *Repo) Final(ctx context.Context, hash, branch string) string {
	g := r.graph
	if g == nil {
		return hash
	}
	if f, ok := g.final[hash]; ok {
		return f
	}
	f := r.follow(ctx, hash, branch)
	g.final[hash] = f
	return f
}

func (r *Repo) follow(ctx context.Context, hash, branch string) string {
	g := r.graph
	seen := map[string]bool{}
	for !seen[hash] {
		seen[hash] = true
		c := g.commits[hash]
		if c != nil && c.main {
			return hash
		}
		if next := g.amended[hash]; next != "" && (c == nil || !c.refs) {
			hash = next
			continue
		}
		if c == nil {
			return hash
		}
		if same := g.same(ctx, c, func(o *commit) bool { return o.main }); same != "" {
			return same
		}
		if s := r.squash(ctx, c, branch); s != "" {
			return s
		}
		if c.refs {
			return hash
		}
		if same := g.same(ctx, c, func(o *commit) bool { return o.refs }); same != "" {
			return same
		}
		if next := g.became(ctx, c); next != "" {
			return next
		}
		return hash
	}
	return hash
}

// same finds the commit that has a commit's author and time, as a rebase and a
// cherry-pick keep them, and of several the one with its patch.
func (g *graph) same(ctx context.Context, c *commit, where func(*commit) bool) string {
	var found []*commit
	for _, o := range g.byAuthor[c.author] {
		if o != c && where(o) && len(o.parents) < 2 {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		return ""
	}
	own := g.patch(ctx, c.hash)
	for _, o := range found {
		if own != "" && g.patch(ctx, o.hash) == own {
			return o.hash
		}
	}
	for _, o := range found { // its lines changed where there was a conflict
		if o.subject == c.subject {
			return o.hash
		}
	}
	return ""
}

// squash finds the commit of the default branch that has all of a branch at once: the
// patch from where the branch began to its end, or else every line that it changed:
// there may be a colleague's commit with it, or others' changes around it.
func (r *Repo) squash(ctx context.Context, c *commit, branch string) string {
	g := r.graph
	if branch == "" || len(g.first) == 0 {
		return ""
	}
	tips, head := r.tips(branch, c)
	for _, tip := range tips {
		base := g.base(ctx, tip)
		if base == "" || base == tip {
			continue
		}
		key := base + ".." + tip
		if _, ok := g.files[key]; !ok {
			files, _ := git.Run(ctx, g.dir, "diff", "--name-only", "--no-renames", base, tip)
			g.files[key] = sorted(files)
		}
		if !g.on(ctx, key, c) {
			continue // thrown away before
		}
		part := c.refs && tip != head // of a branch that goes on
		for i := len(g.first) - 1; i >= 0; i-- {
			s := g.first[i]
			if len(s.parents) != 1 || s.at.Before(c.at) || !contains(g.names(ctx, s.hash), g.files[key]) {
				continue
			}
			if p := g.patchOf(ctx, key, "diff-tree", "-p", base, tip); p != "" && p == g.patch(ctx, s.hash) ||
				!part && g.linesOf(ctx, key, base, tip).within(g.linesOf(ctx, s.hash, s.hash)) {
				return s.hash
			}
		}
	}
	return ""
}

// on says that a branch, given by its ends, has a commit: itself, what a rebase made of
// it, or its lines.
func (g *graph) on(ctx context.Context, key string, c *commit) bool {
	if _, ok := g.ranges[key]; !ok {
		out, _ := git.Run(ctx, g.dir, "rev-list", "--max-count=2000", key)
		hashes := strings.Fields(out)
		g.ask(ctx, hashes)
		g.ranges[key] = map[string]bool{}
		for _, h := range hashes {
			g.ranges[key][h] = true
		}
	}
	has := g.ranges[key]
	base, tip, _ := strings.Cut(key, "..")
	return has[c.hash] || g.same(ctx, c, func(o *commit) bool { return has[o.hash] }) != "" || g.linesOf(ctx, c.hash, c.hash).within(g.linesOf(ctx, key, base, tip))
}

// base is where what a commit ends left the default branch, "" where the commit is
// gone.
func (g *graph) base(ctx context.Context, tip string) string {
	if b, ok := g.bases[tip]; ok {
		return b
	}
	g.bases[tip], _ = git.Run(ctx, g.dir, "merge-base", g.first[0].hash, tip)
	return g.bases[tip]
}

// names are the files that a commit of the default branch changes. All are asked
// for at once.
func (g *graph) names(ctx context.Context, hash string) []string {
	if g.named == nil {
		g.named = map[string][]string{}
		oldest := g.first[len(g.first)-1].hash
		out, err := git.Output(ctx, g.dir, "log", "--first-parent", "--no-merges", "--no-renames", "--name-only", "--format=%x1e%H", oldest+".."+g.first[0].hash)
		if err == nil {
			for _, record := range strings.Split(string(out), "\x1e") {
				h, files, _ := strings.Cut(record, "\n")
				g.named[h] = sorted(files)
			}
		}
	}
	return g.named[hash]
}

// sorted are the lines of a text in order, without empty ones.
func sorted(text string) []string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	slices.Sort(lines)
	return lines
}

// tips are where a branch ended that a commit is on: the newest commits that were
// made on it, as far as logs tell, each at most a dozen further. head is its end today,
// "" where it is gone.
func (r *Repo) tips(branch string, c *commit) (tips []string, head string) {
	for _, t := range r.Trees {
		for i := range t.Moves {
			m := &t.Moves[i]
			if (m.commits() || m.Kind == "rebase") && m.Branch == branch && m.At.Unix() >= c.at.Unix() {
				tips = append(tips, m.Head)
			}
		}
	}
	head, err := git.Run(context.Background(), r.graph.dir, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch)
	if err == nil {
		tips = append(tips, head)
	}
	tips = append(tips, c.hash)
	slices.Reverse(tips)
	var out []string
	for _, h := range tips {
		if !slices.Contains(out, h) && len(out) < 12 {
			out = append(out, h)
		}
	}
	return out, head
}

// patch is the patch id of a commit, "" where there is none.
func (g *graph) patch(ctx context.Context, hash string) string {
	return g.patchOf(ctx, hash, "diff-tree", "-p", "--root", hash)
}

func (g *graph) patchOf(ctx context.Context, key string, args ...string) string {
	if p, ok := g.patches[key]; ok {
		return p
	}
	g.patches[key] = ""
	diff, err := git.Output(ctx, g.dir, args...)
	if err != nil || len(diff) == 0 {
		return ""
	}
	_ = git.Stream(ctx, g.dir, bytes.NewReader(diff), func(out *bufio.Reader) error {
		line, _ := out.ReadString('\n')
		g.patches[key], _, _ = strings.Cut(line, " ")
		_, err := io.Copy(io.Discard, out)
		return err
	}, "patch-id", "--stable")
	return g.patches[key]
}

// Pull is the pull request that brought a commit, 0 where nothing says so.
func (r *Repo) Pull(final, made string) int64 {
	if r.graph == nil {
		return 0
	}
	if n := r.graph.pulls[final]; n != 0 {
		return n
	}
	return r.graph.pulls[made]
}

// Phase is the phase of a plan that a commit says it is of: "feat(03-02): …" is of
// phase 03.
func (r *Repo) Phase(hash string) string {
	if r.graph == nil || r.graph.commits[hash] == nil {
		return ""
	}
	_, scope, ok := strings.Cut(r.graph.commits[hash].subject, "(")
	scope, _, closed := strings.Cut(scope, ")")
	phase, plan, dash := strings.Cut(scope, "-")
	if !ok || !closed || !dash || phase == "" || strings.Trim(phase, "0123456789.") != "" || plan == "" || strings.Trim(plan, "0123456789") != "" {
		return ""
	}
	return phase
}
