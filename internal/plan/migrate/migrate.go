// Package migrate makes a planning directory that the old tool kept into one
// of ours. Almost nothing needs it: ours reads the old names and dialects as
// they are. What is changed is what two tools would otherwise go on writing
// differently, and what is left over from processes that ended.
//
// The verbs and the queries import it; it imports plan, its documents and
// plan/settings. Every step is staged in one [plan.Tx], so that it is undone
// as one. STATE.md and the other documents are not touched.
package migrate

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
)

// A Step is one thing that was changed, or with Kept was left as it is and
// should be looked at.
type Step struct {
	Path string `json:"path"`
	What string `json:"what"`
	Kept bool   `json:"kept,omitempty"`
}

// leftOver is the age from which a lock or a temporary file belongs to a
// process that ended: the old tool held none for more than 30 seconds.
const leftOver = time.Minute

// GSD stages what tx's planning directory needs; a second call finds nothing.
func GSD(tx *plan.Tx) []Step {
	m := &migration{Tx: tx}
	roots := m.roots()
	for _, root := range roots {
		for _, step := range []func(string){m.config, m.todos, m.phases, m.clean} {
			step(root)
		}
	}
	return m.steps
}

type migration struct {
	*plan.Tx
	steps []Step
}

func (m *migration) did(rel, format string, args ...any) {
	m.steps = append(m.steps, Step{Path: rel, What: fmt.Sprintf(format, args...)})
}

func (m *migration) kept(rel, format string, args ...any) {
	m.steps = append(m.steps, Step{Path: rel, What: fmt.Sprintf(format, args...), Kept: true})
}

// roots are the planning directory and those of its workstreams.
func (m *migration) roots() []string {
	roots := []string{m.Shared()}
	for _, e := range m.ReadDir(m.Shared("workstreams")) {
		if e.Dir {
			roots = append(roots, m.Shared("workstreams", e.Name))
		}
	}
	return roots
}

func (m *migration) config(root string) {
	rel := path.Join(root, settings.FileName)
	for _, r := range settings.Normalize(m.Tx, rel) {
		m.did(rel, "%s is now %s", r.From, r.To)
	}
}

// todos moves todos/done, which older texts speak of, to todos/completed.
func (m *migration) todos(root string) {
	from, to := path.Join(root, "todos", "done"), path.Join(root, "todos", "completed")
	entries := m.ReadDir(from)
	if len(entries) == 0 {
		return
	}
	if !m.Has(to) {
		m.did(from, "moved to %s", to)
		m.Move(from, to)
		return
	}
	for _, e := range entries {
		src, dst := path.Join(from, e.Name), path.Join(to, e.Name)
		if m.Has(dst) {
			m.kept(src, "left, because there is a %s", dst)
			continue
		}
		m.Move(src, dst)
		m.did(src, "moved to %s", dst)
	}
}

// phases gives a phase's only plan its number: PLAN.md of phase 2 becomes
// 02-01-PLAN.md, and its summary goes along.
func (m *migration) phases(root string) {
	for _, d := range m.ReadDir(path.Join(root, "phases")) {
		id, _, ok := doc.DirPhaseID(d.Name)
		if !d.Dir || !ok {
			continue
		}
		dir := path.Join(root, "phases", d.Name)
		files := m.ReadDir(dir)
		plans := 0
		for _, f := range files {
			if plan.IsDocument(f.Name, "PLAN") || f.Name == "plans" && f.Dir {
				plans++
			}
		}
		bare := path.Join(dir, "PLAN.md")
		switch {
		case !m.Has(bare):
		case plans > 1:
			m.kept(bare, "left, because the phase has other plans; number it by hand")
		default:
			m.number(dir, id.Padded()+"-01-")
		}
	}
}

func (m *migration) number(dir, prefix string) {
	for _, name := range []string{"PLAN.md", "SUMMARY.md"} {
		from, to := path.Join(dir, name), path.Join(dir, prefix+name)
		if !m.Has(from) || m.Has(to) {
			continue
		}
		m.Move(from, to)
		m.did(from, "is now %s", prefix+name)
	}
}

// clean removes the old tool's locks and temporary files. One that is young
// may belong to a process that is still at work.
func (m *migration) clean(root string) {
	for _, dir := range []string{root, path.Join(root, "phases")} {
		for _, e := range m.ReadDir(dir) {
			rel := path.Join(dir, e.Name)
			what := leavings(e.Name)
			if what == "" || e.Dir {
				continue
			}
			fi, err := os.Lstat(m.Abs(rel))
			if err != nil {
				continue // a process took it away meanwhile
			}
			if age := time.Since(fi.ModTime()); age < leftOver {
				m.kept(rel, "a %s that is %d seconds old: end what uses it, then migrate again", what, int(age.Seconds()))
				continue
			}
			m.Remove(rel)
			m.did(rel, "removed: a %s of a process that ended", what)
		}
	}
}

// leavings says what kind of file the old tool left under that name, or "".
func leavings(name string) string {
	if name == ".lock" || strings.HasSuffix(name, ".md.lock") || name == "config.json.lock" {
		return "lock"
	}
	if ok, _ := regexp.MatchString(`\.(md|json)\.tmp([.-][0-9A-Za-z.-]+)?$`, name); ok {
		return "temporary file"
	}
	return ""
}
