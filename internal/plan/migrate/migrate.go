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
func GSD(tx *plan.Tx) ([]Step, error) {
	m := &migration{Tx: tx}
	roots, err := m.roots()
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		for _, step := range []func(string) error{m.config, m.todos, m.phases, m.clean} {
			if err := step(root); err != nil {
				return nil, err
			}
		}
	}
	return m.steps, nil
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
func (m *migration) roots() ([]string, error) {
	roots := []string{m.Shared()}
	streams, err := m.ReadDir(m.Shared("workstreams"))
	for _, e := range streams {
		if e.Dir {
			roots = append(roots, m.Shared("workstreams", e.Name))
		}
	}
	return roots, err
}

func (m *migration) config(root string) error {
	rel := path.Join(root, settings.FileName)
	renamed, err := settings.Normalize(m.Tx, rel)
	for _, r := range renamed {
		m.did(rel, "%s is now %s", r.From, r.To)
	}
	return err
}

// todos moves todos/done, which older texts speak of, to todos/completed.
func (m *migration) todos(root string) error {
	from, to := path.Join(root, "todos", "done"), path.Join(root, "todos", "completed")
	entries, err := m.ReadDir(from)
	if err != nil || len(entries) == 0 {
		return err
	}
	if !m.Has(to) {
		m.did(from, "moved to %s", to)
		return m.Move(from, to)
	}
	for _, e := range entries {
		src, dst := path.Join(from, e.Name), path.Join(to, e.Name)
		if m.Has(dst) {
			m.kept(src, "left, because there is a %s", dst)
			continue
		}
		if err := m.Move(src, dst); err != nil {
			return err
		}
		m.did(src, "moved to %s", dst)
	}
	return nil
}

// phases gives a phase's only plan its number: PLAN.md of phase 2 becomes
// 02-01-PLAN.md, and its summary goes along.
func (m *migration) phases(root string) error {
	dirs, err := m.ReadDir(path.Join(root, "phases"))
	if err != nil {
		return err
	}
	for _, d := range dirs {
		id, _, ok := doc.DirPhaseID(d.Name)
		if !d.Dir || !ok {
			continue
		}
		dir := path.Join(root, "phases", d.Name)
		files, err := m.ReadDir(dir)
		if err != nil {
			return err
		}
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
			if err := m.number(dir, id.Padded()+"-01-"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *migration) number(dir, prefix string) error {
	for _, name := range []string{"PLAN.md", "SUMMARY.md"} {
		from, to := path.Join(dir, name), path.Join(dir, prefix+name)
		if !m.Has(from) || m.Has(to) {
			continue
		}
		if err := m.Move(from, to); err != nil {
			return err
		}
		m.did(from, "is now %s", prefix+name)
	}
	return nil
}

// clean removes the old tool's locks and temporary files. One that is young
// may belong to a process that is still at work.
func (m *migration) clean(root string) error {
	for _, dir := range []string{root, path.Join(root, "phases")} {
		entries, err := m.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
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
			if err := m.Remove(rel); err != nil {
				return err
			}
			m.did(rel, "removed: a %s of a process that ended", what)
		}
	}
	return nil
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
