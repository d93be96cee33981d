package proof

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/plan/proof/record"
)

// change is a commit.
type change struct {
	ID, Parent    string // Parent is "" for the first one
	Subject, Body string
	Kind, Scope   string
	Plan          string   // that owns it; "" for the phase as a whole, or for none
	Files         []string // outside of the plan, relative to the repository
	own           bool
}

func (c change) short() string { return git.Short(c.ID) }

// history is what git says of the phase.
type history struct {
	top, prefix string // prefix: of the project in the repository, "" or with a slash at the end
	head, tree  string
	from        string   // the commit before the phase's first own one; "" for the beginning
	all         []change // since then, the oldest first, without merges
	outside     []change // of them: change the phase's files, and are of nothing
	reverted    map[string]change
	sources     map[string]*mark.Source // at HEAD, of the files that were changed
	owners      map[string][]string     // by file: of each line the plan that wrote it, "-" for another's
	blobs       map[string]string
}

// readHistory reads the commits of a phase. Without one of its own it has no lines.
func readHistory(ctx context.Context, s Subject) (*history, error) {
	h := &history{reverted: map[string]change{}, sources: map[string]*mark.Source{}, owners: map[string][]string{}, blobs: map[string]string{}}
	out, err := git.Run(ctx, s.Root, "rev-parse", "--show-toplevel", "HEAD", "--show-prefix")
	if err != nil {
		return nil, err
	}
	parts := strings.SplitN(out, "\n", 3)
	h.top, h.head = parts[0], parts[1]
	if len(parts) > 2 {
		h.prefix = strings.TrimSpace(parts[2])
	}
	if h.tree, err = record.Tree(ctx, s.Root); err != nil {
		return nil, err
	}
	made, _, err := commit.OfPhase(ctx, s.Root, s.IDs...)
	if err != nil {
		return nil, err
	}
	made, err = h.ofThisPhase(ctx, s, made)
	if err != nil || len(made) == 0 {
		return h, err
	}
	if err := h.readCommits(ctx, made, s); err != nil {
		return nil, err
	}
	h.findReverted()
	h.findOutside(s)
	return h, h.readFiles(ctx)
}

// ofThisPhase leaves out the commits of an older phase with the same number: those
// from before the phase's directory was there, if there are later ones.
func (h *history) ofThisPhase(ctx context.Context, s Subject, made []commit.Made) ([]commit.Made, error) {
	out, err := git.Run(ctx, s.Root, "log", "--format=%H", "--diff-filter=A", "--", s.Dir)
	if err != nil || out == "" || len(made) == 0 {
		return made, err
	}
	begun := strings.Fields(out)
	oldest := begun[len(begun)-1]
	out, err = git.Run(ctx, s.Root, "rev-list", "HEAD", "^"+oldest)
	if err != nil {
		return nil, err
	}
	since := map[string]bool{oldest: true}
	for id := range strings.FieldsSeq(out) {
		since[id] = true
	}
	later := slices.DeleteFunc(slices.Clone(made), func(m commit.Made) bool { return !since[m.ID] })
	if len(later) == 0 {
		return made, nil
	}
	return later, nil
}

func (h *history) readCommits(ctx context.Context, made []commit.Made, s Subject) error {
	span := "HEAD"
	if parent, err := git.Run(ctx, h.top, "rev-parse", "--verify", "--quiet", made[0].ID+"^"); err == nil {
		h.from, span = parent, parent+"..HEAD"
	}
	out, err := git.Output(ctx, h.top, "log", "--no-merges", "--reverse", "--topo-order", "--name-only", "-z", "--no-renames", "--format=%x01%H%x02%P%x02%s%x02%b%x03", span, "--")
	if err != nil {
		return err
	}
	for part := range strings.SplitSeq(string(out), "\x01") {
		head, files, ok := strings.Cut(part, "\x03")
		field := strings.SplitN(head, "\x02", 4)
		if !ok || len(field) < 4 {
			continue
		}
		c := change{ID: field[0], Subject: field[2], Body: field[3]}
		c.Parent, _, _ = strings.Cut(field[1], " ")
		c.Kind, c.Scope, _ = commit.Scope(c.Subject)
		for name := range strings.SplitSeq(files, "\x00") {
			if name = strings.Trim(name, "\n"); name != "" && !h.isPlan(name) {
				c.Files = append(c.Files, name)
			}
		}
		if i := slices.IndexFunc(made, func(m commit.Made) bool { return m.ID == c.ID }); i >= 0 {
			c.own = true
			c.Plan = planOf(s, c.Scope)
		}
		h.all = append(h.all, c)
	}
	return nil
}

// planOf is the plan that a scope names, "" for the phase.
func planOf(s Subject, scope string) string {
	id := plan.CanonicalPlanID(scope)
	for _, p := range s.Plans {
		if p.ID == id {
			return id
		}
	}
	for _, p := range s.Plans { // 1-01 is 01-01
		a, b, _ := strings.Cut(p.ID, "-")
		x, y, _ := strings.Cut(scope, "-")
		if strings.TrimLeft(a, "0") == strings.TrimLeft(x, "0") && strings.TrimLeft(b, "0") == strings.TrimLeft(y, "0") && y != "" {
			return p.ID
		}
	}
	return ""
}

func (h *history) isPlan(name string) bool {
	return strings.HasPrefix(name, h.prefix+plan.Planning+"/")
}

// own returns the commits of a plan, or of the phase: those of all.
func (h *history) own(id string) (out []change) {
	for _, c := range h.all {
		if c.own && (id == "" || c.Plan == id) {
			out = append(out, c)
		}
	}
	return out
}

// findReverted: a commit says that it reverts one of the phase's, and no later one
// reverts it or does the same again.
func (h *history) findReverted() {
	for i, c := range h.all {
		for _, o := range h.all[:i] {
			if !o.own || !strings.Contains(c.Body, "This reverts commit "+o.ID) && c.Subject != `Revert "`+o.Subject+`"` {
				continue
			}
			again := slices.ContainsFunc(h.all[i+1:], func(l change) bool {
				return strings.Contains(l.Body, "This reverts commit "+c.ID) || l.Subject == o.Subject
			})
			if !again {
				h.reverted[o.ID] = c
			}
		}
	}
}

// findOutside: commits that change the phase's files while it is worked on, or after it
// as long as no later phase has begun, and that say neither of which plan nor of which
// other phase they are.
func (h *history) findOutside(s Subject) {
	files := map[string]bool{}
	for _, c := range h.own("") {
		for _, f := range c.Files {
			files[f] = true
		}
	}
	for _, p := range s.Plans {
		for _, f := range p.Doc.Files {
			files[h.prefix+path.Clean(f)] = true
		}
		for _, t := range p.Doc.Tasks {
			for _, f := range t.Files {
				files[h.prefix+path.Clean(f)] = true
			}
		}
	}
	last := 0
	for i, c := range h.all {
		if c.own {
			last = i
		}
	}
	for i := last + 1; i < len(h.all); i++ {
		if ofAnother(h.all[i]) { // what comes after it is no concern of this phase
			last = i
			h.collectOutside(h.all[:i], files)
			return
		}
	}
	h.collectOutside(h.all, files)
}

func (h *history) collectOutside(in []change, files map[string]bool) {
	for _, c := range in {
		if !c.own && !ofAnother(c) && slices.ContainsFunc(c.Files, func(f string) bool { return files[f] }) {
			h.outside = append(h.outside, c)
		}
	}
}

// ofAnother: the scope is a phase, a plan or a quick task.
func ofAnother(c change) bool {
	if c.own || c.Scope == "" {
		return false
	}
	if strings.HasPrefix(c.Scope, "quick") || strings.HasPrefix(c.Scope, "Q") {
		return true
	}
	first, _, _ := strings.Cut(c.Scope, "-")
	id, ok := doc.ParsePhaseID(first)
	return ok && id.Number >= 0
}

// judged are the commits whose lines are judged.
func (h *history) judged() []change { return slices.Concat(h.own(""), h.outside) }

// readFiles reads what the judged commits changed as it is at HEAD, and who wrote each
// line.
func (h *history) readFiles(ctx context.Context) error {
	var names []string
	plans := map[string]string{}
	for _, c := range h.judged() {
		names = append(names, c.Files...)
		plans[c.ID] = c.Plan
	}
	slices.Sort(names)
	names = slices.Compact(names)
	var specs []string
	for _, n := range names {
		specs = append(specs, "HEAD:"+n)
		if h.from != "" {
			specs = append(specs, h.from+":"+n)
		}
	}
	if err := h.load(ctx, specs); err != nil {
		return err
	}
	for _, n := range names {
		text, ok := h.blobs["HEAD:"+n]
		if !ok || strings.IndexByte(text, 0) >= 0 || vendored(n) {
			continue
		}
		h.sources[n] = mark.Read(n, text)
		var err error
		if owner, one := h.oneOwner(n, plans); one {
			h.owners[n] = slices.Repeat([]string{owner}, strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1)
		} else if h.owners[n], err = h.blame(ctx, n, plans); err != nil {
			return err
		}
	}
	return nil
}

// vendored: other people's code, which was copied.
func vendored(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(dir string) bool {
		return dir == "vendor" || dir == "node_modules" || dir == "third_party"
	})
}

// old reports whether a file was there before the phase.
func (h *history) old(name string) bool {
	_, ok := h.blobs[h.from+":"+name]
	return ok
}

// oneOwner: the file is new, and only commits of one plan made it what it is.
func (h *history) oneOwner(name string, plans map[string]string) (owner string, one bool) {
	if h.old(name) {
		return "", false
	}
	for _, c := range h.all {
		if !slices.Contains(c.Files, name) {
			continue
		}
		id, judged := plans[c.ID]
		if !judged || one && id != owner {
			return "", false
		}
		owner, one = id, true
	}
	return owner, one
}

// blame says of each line of a file which plan wrote it, "-" for what is not judged.
func (h *history) blame(ctx context.Context, name string, plans map[string]string) ([]string, error) {
	args := []string{"blame", "--porcelain", "--no-textconv", "HEAD", "--", name}
	if h.from != "" {
		args[3] = h.from + "..HEAD"
	}
	out, err := git.Output(ctx, h.top, args...)
	if err != nil {
		return nil, err
	}
	var owners []string
	for line := range strings.Lines(string(out)) {
		field := strings.Fields(line)
		if len(field) < 3 || len(field[0]) != len(h.head) || line[0] == '\t' || strings.Trim(field[0], "0123456789abcdef") != "" {
			continue
		}
		n, err := strconv.Atoi(field[2])
		if err != nil {
			continue
		}
		for len(owners) < n {
			owners = append(owners, "-")
		}
		if id, ok := plans[field[0]]; ok {
			owners[n-1] = id
		}
	}
	return owners, nil
}

// owns reports whether a line of a file is judged, and for which plan.
func (h *history) owns(name string, line int) (plan string, ok bool) {
	owners := h.owners[name]
	if line < 1 || line > len(owners) || owners[line-1] == "-" {
		return "", false
	}
	return owners[line-1], true
}

// load reads blobs such as HEAD:a.go; what is not there is left out.
func (h *history) load(ctx context.Context, specs []string) error {
	specs = slices.DeleteFunc(slices.Clone(specs), func(s string) bool { _, has := h.blobs[s]; return has || strings.Contains(s, "\n") })
	if len(specs) == 0 {
		return nil
	}
	in := strings.NewReader(strings.Join(specs, "\n") + "\n")
	return git.Stream(ctx, h.top, in, func(r *bufio.Reader) error {
		for _, spec := range specs {
			head, err := r.ReadString('\n')
			if err != nil {
				return err
			}
			field := strings.Fields(head)
			if len(field) != 3 || field[1] == "missing" {
				continue
			}
			n, err := strconv.Atoi(field[2])
			if err != nil || n > 8<<20 || field[1] != "blob" {
				if _, err := io.CopyN(io.Discard, r, int64(n)+1); err != nil {
					return err
				}
				continue
			}
			var b bytes.Buffer
			if _, err := io.CopyN(&b, r, int64(n)+1); err != nil {
				return err
			}
			h.blobs[spec] = b.String()[:n]
		}
		return nil
	}, "cat-file", "--batch")
}
