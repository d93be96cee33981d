package guard

import (
	"os"
	"path/filepath"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
	"cairn/internal/plan/workstream"
)

// A look is one event's look at the plan of the directory it happened in.
// Nothing of it is read before it is asked for.
type look struct {
	*Guard
	dir    string
	looked bool
	tx     *plan.Tx // nil: there is no plan
	set    *settings.Settings
}

// look begins one. A directory that is not whole is below the one that agents
// start us in: their own.
func (g *Guard) look(dir string) *look {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return &look{Guard: g, dir: dir}
}

// plan finds the plan, and reports whether there is one.
func (l *look) plan() bool {
	if l.looked {
		return l.tx != nil
	}
	l.looked = true
	w, err := plan.Open(l.dir, "")
	if err != nil || !w.Exists() {
		return false
	}
	if name := workstream.Current(w, l.getenv); name != "" {
		if of, err := plan.At(w.Root, "", name); err == nil && of.Exists() {
			w = of
		}
	}
	err = w.View(func(tx *plan.Tx) error {
		l.tx = tx
		return nil
	})
	return err == nil
}

// on reports whether a setting of the plan is on.
func (l *look) on(key string) bool {
	v, _ := l.value(key).(bool)
	return v
}

// value is what a setting is set to, nil without a plan.
func (l *look) value(key string) any {
	if !l.plan() {
		return nil
	}
	if l.set == nil {
		l.set = settings.Load(l.tx)
	}
	v, _ := l.set.Value(key)
	return v.Any
}

// state is STATE.md; ok is false when there is none.
func (l *look) state() (s doc.State, ok bool) {
	if !l.plan() {
		return s, false
	}
	_ = must.Catch(func() { s.Text = l.tx.ReadIfThere(l.tx.Path("STATE.md")) })
	return s, s.Text != nil
}

// isRegular reports whether there is a file: to open a pipe could last forever.
func isRegular(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.Mode().IsRegular()
}
