package health

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
)

// look is one look at a planning directory: what several checks need, read
// once.
type look struct {
	*plan.Tx
	opts     Options
	settings *settings.Settings
	roadmap  *doc.Roadmap  // nil when there is none
	state    *doc.Text     // nil when there is none
	phases   []*plan.Phase // of the current milestone
	all      []*plan.Phase // of every scope
	broken   []Finding     // documents that cannot be read
}

func newLook(tx *plan.Tx, opts Options) *look {
	l := &look{Tx: tx, opts: opts, settings: settings.Load(tx)}
	l.state = l.text(tx.Path("STATE.md"))
	if t := l.text(tx.Path("ROADMAP.md")); t != nil {
		l.roadmap = doc.ReadRoadmap(t)
	}
	if l.unreadable(tx.Path("ROADMAP.md")) {
		l.phases = tx.PhaseDirs() // those that the disk knows
		l.all = l.phases
		return l
	}
	l.phases = tx.Phases(plan.Current)
	l.all = tx.Phases(plan.Everything)
	return l
}

// text reads a document; nil when it is not there, or cannot be read, which is
// then a finding.
func (l *look) text(rel string) *doc.Text {
	t, err := l.Read(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		if !l.unreadable(rel) {
			l.broken = append(l.broken, Finding{Path: rel, Message: reason(err)})
		}
		return nil
	}
	return t
}

func (l *look) unreadable(rel string) bool {
	return slices.ContainsFunc(l.broken, func(f Finding) bool { return f.Path == rel })
}

// reason is what an error says without the path, which a finding has itself.
func reason(err error) string {
	var input *plan.InputError
	if errors.As(err, &input) {
		return input.What
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// dirs returns the phases of phases/ that have a directory.
func (l *look) dirs() []*plan.Phase {
	var out []*plan.Phase
	for _, p := range l.all {
		if p.Dir != "" && p.Archived == "" {
			out = append(out, p)
		}
	}
	return out
}

// entries returns what is in a directory; nothing when it cannot be listed.
func (l *look) entries(rel string) (out []plan.Entry) {
	_ = must.Catch(func() { out = l.ReadDir(rel) })
	return out
}

// documents returns the Markdown files of the planning directory that the
// plan reads: those at its root and those of the phases.
func (l *look) documents() []string {
	var out []string
	for _, e := range l.entries(l.Path()) {
		if !e.Dir && strings.HasSuffix(e.Name, ".md") {
			out = append(out, l.Path(e.Name))
		}
	}
	for _, p := range l.all {
		for _, name := range p.Files {
			if strings.HasSuffix(name, ".md") {
				out = append(out, path.Join(p.Dir, name))
			}
		}
	}
	return out
}

// missing is a finding when a file is not there.
func (l *look) missing(rel string) []Finding {
	if l.Has(rel) {
		return nil
	}
	return []Finding{{Message: path.Base(rel) + " not found", Path: rel}}
}
