package place

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/git"
)

// A commit is what git says of one.
type commit struct {
	hash    string
	parents []string
	author  string // address and time, which a rebase and a cherry-pick keep
	at      time.Time
	subject string
	body    string
	main    bool // on the default branch
	refs    bool // on any branch or tag
}

// A graph is the commits of a repository since a time, and those that are asked
// for by name.
type graph struct {
	dir      string
	commits  map[string]*commit
	first    []*commit // of the default branch, the first parents, the newest first
	byAuthor map[string][]*commit
	amended  map[string]string   // what a commit became by an amend
	pulls    map[string]int64    // by commit: those that a merge brought
	bases    map[string]string   // where a commit left the default branch
	files    map[string][]string // that a branch changes, by its ends
	named    map[string][]string // that each commit of first changes
	patches  map[string]string
	final    map[string]string
	ranges   map[string]map[string]bool // commits of a branch, by its ends
	lines    map[string]lines           // that a commit, or a branch by its ends, adds and removes
	changed  map[string][]string        // files, by commit
}

const format = "--format=%x1e%H%x1f%P%x1f%ae %at%x1f%ct%x1f%s%x1f%b"

// Load reads the commits of the last time, and those with these names, of which
// some may be on no branch any more.
func (r *Repo) Load(ctx context.Context, since time.Time, named []string) error {
	dir := r.top
	g := &graph{dir: dir, commits: map[string]*commit{}, byAuthor: map[string][]*commit{}, amended: map[string]string{},
		pulls: map[string]int64{}, bases: map[string]string{}, files: map[string][]string{}, patches: map[string]string{}, final: map[string]string{}, lines: map[string]lines{}, ranges: map[string]map[string]bool{}}
	after := "--since=" + since.Add(-24*time.Hour).UTC().Format(time.RFC3339)
	out, err := git.Output(ctx, dir, "log", "--all", after, format)
	if err != nil {
		return err
	}
	for _, c := range g.read(out) {
		c.refs = true
	}
	if branches := r.defaults(ctx); len(branches) > 0 {
		on, err := git.Output(ctx, dir, append([]string{"rev-list", after}, branches...)...)
		if err != nil {
			return err
		}
		for _, h := range strings.Fields(string(on)) {
			if c := g.commits[h]; c != nil {
				c.main = true
			}
		}
		line, err := git.Output(ctx, dir, append([]string{"rev-list", "--first-parent", after}, branches...)...)
		if err != nil {
			return err
		}
		for _, h := range strings.Fields(string(line)) {
			if c := g.commits[h]; c != nil {
				g.first = append(g.first, c)
			}
		}
	}
	g.ask(ctx, named)
	for _, t := range r.Trees {
		for _, m := range t.Moves {
			if m.Kind == "amend" {
				g.amended[m.Was] = m.Head
			}
		}
	}
	g.merged(ctx)
	r.graph = g
	return nil
}

// defaults are the branch where everybody's work meets, here and at the remote;
// where none has a usual name the one that the main working tree is on.
func (r *Repo) defaults(ctx context.Context) []string {
	dir := r.top
	branch := git.DefaultBranch(ctx, dir)
	if branch == "" {
		branch = headBranch(r.Common)
	}
	var out []string
	for _, name := range []string{branch, strings.TrimPrefix(branch, "origin/")} {
		if name == "" || slices.Contains(out, name) {
			continue
		}
		if _, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", name+"^{commit}"); err == nil {
			out = append(out, name)
		}
	}
	return out
}

// ask reads commits that no branch has, as long as git keeps them.
func (g *graph) ask(ctx context.Context, hashes []string) {
	var missing []string
	for _, h := range hashes {
		if g.commits[h] == nil && len(h) >= 40 {
			missing = append(missing, h)
		}
	}
	for part := range slices.Chunk(missing, 500) {
		out, err := git.Output(ctx, g.dir, append([]string{"log", "--no-walk", "--ignore-missing", format}, part...)...)
		if err == nil {
			g.read(out)
		}
	}
}

func (g *graph) read(out []byte) (all []*commit) {
	for _, record := range strings.Split(string(out), "\x1e") {
		f := strings.SplitN(record, "\x1f", 6)
		if len(f) != 6 {
			continue
		}
		seconds, _ := strconv.ParseInt(f[3], 10, 64)
		c := &commit{hash: f[0], parents: strings.Fields(f[1]), author: f[2], at: time.Unix(seconds, 0), subject: f[4], body: f[5]}
		if had := g.commits[c.hash]; had != nil {
			all = append(all, had)
			continue
		}
		g.commits[c.hash] = c
		g.byAuthor[c.author] = append(g.byAuthor[c.author], c)
		all = append(all, c)
	}
	return all
}

// merged notes which pull request brought each commit, as merges tell it. A merge
// of the default branch brought what no earlier one had.
func (g *graph) merged(ctx context.Context) {
	brought := map[string]bool{}
	for _, m := range g.first {
		brought[m.hash] = true
	}
	for i := len(g.first) - 1; i >= 0; i-- {
		m := g.first[i]
		n := number(m)
		if n != 0 {
			g.pulls[m.hash] = n
		}
		var side []string
		if len(m.parents) > 1 {
			side = slices.Clone(m.parents[1:])
		}
		for len(side) > 0 {
			h := side[len(side)-1]
			side = side[:len(side)-1]
			c := g.commits[h]
			if c == nil || brought[h] {
				continue
			}
			brought[h] = true
			if n != 0 {
				g.pulls[h] = n
			}
			side = append(side, c.parents...)
		}
	}
	refs, err := git.Output(ctx, g.dir, "for-each-ref", "--format=%(objectname) %(refname)", "refs/pull", "refs/merge-requests", "refs/remotes/*/pr", "refs/remotes/*/pull")
	if err != nil {
		return
	}
	for _, line := range strings.Split(string(refs), "\n") {
		tip, name, _ := strings.Cut(line, " ")
		n := refNumber(name)
		if n == 0 {
			continue
		}
		args := []string{"rev-list", "--max-count=2000", tip}
		if len(g.first) > 0 {
			args = append(args, "^"+g.first[0].hash)
		}
		out, err := git.Output(ctx, g.dir, args...)
		if err != nil {
			continue
		}
		for _, h := range append(strings.Fields(string(out)), tip) {
			if g.pulls[h] == 0 {
				g.pulls[h] = n
			}
		}
	}
}

// refNumber is the number in refs/pull/12/head and its like, 0 for none.
func refNumber(ref string) int64 {
	for _, part := range strings.Split(ref, "/") {
		if n, err := strconv.ParseInt(part, 10, 32); err == nil && n > 0 {
			return n
		}
	}
	return 0
}

// number is the pull or merge request that a commit of the default branch says it
// is, 0 for none: "Merge pull request #12 from …", "title (#12)", "See merge request
// group/name!12", "Merged in branch (pull request #12)", and trailers with its address.
func number(c *commit) int64 {
	if rest, ok := strings.CutPrefix(c.subject, "Merge pull request #"); ok {
		return digits(rest)
	}
	if i := strings.LastIndex(c.subject, "(pull request #"); i >= 0 {
		return digits(c.subject[i+len("(pull request #"):])
	}
	if s := strings.TrimRight(c.subject, " "); strings.HasSuffix(s, ")") {
		if i := strings.LastIndex(s, "(#"); i >= 0 {
			if n := digits(s[i+2:]); n > 0 && strings.Trim(s[i+2:], "0123456789") == ")" {
				return n
			}
		}
	}
	for line := range strings.Lines(c.body) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "See merge request "); ok {
			if _, n, found := strings.Cut(rest, "!"); found {
				return digits(n)
			}
		}
		key, value, ok := strings.Cut(line, ": ")
		switch strings.ToLower(key) {
		case "pr-url", "pull-request", "reviewed-on", "pr", "merge-request", "reviewed-in", "pull-request-url":
			if !ok {
				continue
			}
			for _, mark := range [...]string{"/pull/", "/pulls/", "/merge_requests/", "/pull-requests/", "#", "!"} {
				if _, n, found := strings.Cut(value, mark); found && digits(n) > 0 {
					return digits(n)
				}
			}
		}
	}
	return 0
}

func digits(s string) int64 {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	v, _ := strconv.ParseInt(s[:min(n, 9)], 10, 64)
	return v
}
