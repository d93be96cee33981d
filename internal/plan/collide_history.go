package plan

import (
	"context"
	"path"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

// history tells which of two phases with one number a line means: the one that was
// there when the line was written. A line of the branch that added a phase means
// that phase, since it could not know the other one.
type history struct {
	ctx        context.Context
	root       string
	heads      []string
	collisions []Collision
	born       map[string]string              // the commit that made a directory or a section, by its name
	lines      map[string]map[string][]string // commits by line, of each file
	before     map[[2]string]bool
}

func newHistory(ctx context.Context, tx *Tx, collisions []Collision) *history {
	h := &history{ctx: ctx, root: tx.Root, collisions: collisions, born: map[string]string{}, lines: map[string]map[string][]string{}, before: map[[2]string]bool{}}
	if !git.Repo(tx.Root) {
		return h
	}
	for _, head := range []string{"HEAD", "MERGE_HEAD"} {
		if commit, err := git.Run(ctx, tx.Root, "rev-parse", "--verify", "--quiet", head+"^{commit}"); err == nil {
			h.heads = append(h.heads, commit)
		}
	}
	return h
}

// birth returns the commit that made a directory; "" where none did.
func (h *history) birth(dir string) string {
	commit, ok := h.born[dir]
	if !ok && len(h.heads) > 0 && dir != "" {
		args := append([]string{"--literal-pathspecs", "log", "--diff-filter=A", "--format=%H"}, h.heads...)
		out, _ := git.Run(h.ctx, h.root, append(args, "--", dir)...)
		commit = out[strings.LastIndexByte(out, '\n')+1:]
	}
	h.born[dir] = commit
	return commit
}

// ancestor reports whether one commit is the other, or comes before it.
func (h *history) ancestor(a, b string) bool {
	key := [2]string{a, b}
	is, ok := h.before[key]
	if !ok {
		_, err := git.Run(h.ctx, h.root, "merge-base", "--is-ancestor", a, b)
		is = a == b || err == nil
		h.before[key] = is
	}
	return is
}

// commits returns who wrote a line of a file: a commit for each time it is there.
func (h *history) commits(file, line string) []string {
	by, ok := h.lines[file]
	if !ok {
		by = map[string][]string{}
		for _, head := range h.heads {
			seen := map[string][]string{}
			out, _ := git.Output(h.ctx, h.root, "blame", "-l", "-s", "--root", "--no-textconv", head, "--", file)
			for l := range strings.Lines(string(out)) {
				commit, rest, _ := strings.Cut(l, " ")
				if _, text, ok := strings.Cut(rest, ") "); ok {
					text = strings.TrimRight(text, "\r\n")
					seen[text] = append(seen[text], commit)
				}
			}
			for text, commits := range seen {
				if by[text] == nil {
					by[text] = commits
				}
			}
		}
		h.lines[file] = by
	}
	return by[line]
}

// author returns the commit that wrote the line, "" where it is not known.
func (h *history) author(file string, t *doc.Text, i int) string {
	line := t.Line(i)
	commits := h.commits(file, line)
	nth, all := 0, 0
	for k := range t.Len() {
		if t.Line(k) == line {
			if all++; k < i {
				nth++
			}
		}
	}
	switch {
	case len(commits) == all:
		return commits[nth]
	case len(commits) > 0 && !slices.ContainsFunc(commits, func(c string) bool { return c != commits[0] }):
		return commits[0]
	}
	return ""
}

// means reports whether what a commit wrote means the phase that gets another
// number, and not the one that keeps it.
func (h *history) means(c Collision, commit string) bool {
	moved, kept := h.birth(c.Dir), h.birth(h.keeper(c))
	if commit == "" || moved == "" || !h.ancestor(moved, commit) {
		return false
	}
	switch {
	case kept == "" || !h.ancestor(kept, commit):
		return kept != "" || c.Keeps == ""
	case kept == moved:
		return false
	case moved == commit:
		return true
	}
	return kept != commit && h.ancestor(kept, moved) // the nearer one
}

// sure reports whether two branches made the collision: where the roadmap does not
// tell the two apart, the one was not there when the other was made.
func (h *history) sure(tx *Tx, c Collision) bool {
	switch {
	case c.Into != "":
		return h.absent(c.Dir, h.birth(c.Into))
	case c.enter:
		return h.absent(c.Dir, h.birth(h.keeper(c)))
	case c.Dir == "" && c.other >= 0:
		r := tx.Roadmap()
		a, b := h.author(tx.Path("ROADMAP.md"), r.Text, c.Line), h.author(tx.Path("ROADMAP.md"), r.Text, c.other)
		return c.slug != c.Keeps && a != "" && b != "" && !h.ancestor(a, b) && !h.ancestor(b, a)
	}
	return true
}

// absent reports whether a commit has nothing at a path.
func (h *history) absent(name, commit string) bool {
	if commit == "" {
		return false
	}
	out, err := git.Run(h.ctx, h.root, "ls-tree", "--name-only", commit, "--", name)
	return err == nil && out == ""
}

func (h *history) keeper(c Collision) string {
	if c.Keeps == "" || c.Dir == "" {
		return ""
	}
	return path.Join(path.Dir(c.Dir), c.Keeps)
}

// of returns the renumberings that a line of a file means.
func (h *history) of(file string, t *doc.Text, i int) (rn renumbering) {
	for _, c := range h.collisions {
		if !c.Gone && mentions(t.Line(i), c.ID) && h.means(c, h.author(file, t, i)) {
			rn = append(rn, c.renumbered())
		}
	}
	return rn
}

// mentions is a quick look whether a line can name a phase.
func mentions(line string, id doc.PhaseID) bool {
	id.Code = ""
	return strings.Contains(line, id.String())
}

// standsAt reports whether STATE.md's current phase is the one of the collision.
func (h *history) standsAt(s *State, c Collision) bool {
	_, name := s.Phase()
	if slug := text.LetterSlug(name, doc.SlugLength); slug != "" {
		if slug == c.slug {
			return true
		}
		if strings.HasSuffix(c.Keeps, "-"+slug) {
			return false
		}
	}
	f, ok := s.PositionField("Phase")
	return ok && h.means(c, h.author(s.tx.Path("STATE.md"), s.Text, f.Line))
}

// follow rewrites what documents say of the phases that get another number, before
// anything is moved.
func (tx *Tx) follow(h *history) {
	var paths renumbering
	inRoadmap := false
	for _, c := range h.collisions {
		if !c.Gone {
			paths = append(paths, c.renumbered())
		}
		inRoadmap = inRoadmap || c.Line >= 0
	}
	for _, name := range []string{"STATE.md", "REQUIREMENTS.md", "ROADMAP.md"} {
		t := tx.ReadIfThere(tx.Path(name))
		if t == nil {
			continue
		}
		tx.followLines(h, tx.Path(name), t, name != "ROADMAP.md" || inRoadmap)
		paths.paths(t)
	}
	for _, p := range tx.livePhases() {
		own := slices.ContainsFunc(h.collisions, func(c Collision) bool { return c.Dir == p.Dir && p.Dir != "" })
		for _, name := range p.Files {
			if !strings.HasSuffix(name, ".md") || p.Archived != "" {
				continue
			}
			file := path.Join(p.Dir, name)
			t := must.Get(tx.Read(file))
			if !own {
				tx.followLines(h, file, t, true)
			}
			paths.paths(t)
		}
	}
}

// followLines rewrites the lines of a document that mean a phase of a collision.
func (tx *Tx) followLines(h *history, file string, t *doc.Text, text bool) {
	was := t.Clone() // whose lines git knows
	for i := range was.Len() {
		if !text || was.Code(i) {
			continue
		}
		rn := h.of(file, was, i)
		if len(rn) == 0 {
			continue
		}
		line := rn.words(was.Line(i))
		if i < was.Body() && strings.HasPrefix(line, "depends_on:") || strings.HasPrefix(strings.TrimLeft(line, " "), "- ") && i < was.Body() {
			line = rn.planIDs(line)
		}
		t.SetLine(i, line)
	}
}

// words rewrites what a line of text says of phases and plans, where it cannot mean
// anything else: Phase 3, 03-01-PLAN.md, a list item that begins with 03-01.
func (rn renumbering) words(line string) string {
	line = rn.planLine(line)
	if !strings.Contains(strings.ToLower(line), "phase") {
		return line
	}
	return rn.refs(line, nil)
}

// planIDs rewrites every plan's id in a line of a frontmatter.
func (rn renumbering) planIDs(line string) string {
	var b strings.Builder
	for at := 0; at < len(line); {
		end := at
		for end < len(line) && isPlanByte(line[end]) {
			end++
		}
		if end == at {
			b.WriteByte(line[at])
			at++
			continue
		}
		b.WriteString(rn.planID(line[at:end]))
		at = end
	}
	return b.String()
}
