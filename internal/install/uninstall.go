package install

import (
	"bytes"
	"os"
)

// PlanUninstall works out how t's settings file has to change so that nothing
// of ours is left: to the original bytes when nobody edited it since, else to
// the user's edits without our entries. A lost manifest and a second uninstall
// are fine.
func (m Machine) PlanUninstall(t Target) (*Plan, error) {
	f, err := readSettings(t.Settings())
	if err != nil {
		return nil, err
	}
	previous, err := m.manifest(t)
	if err != nil {
		return nil, err
	}
	rec := previous.record(f.path)
	after, err := f.without(t.Host, rec)
	if err != nil {
		return nil, err
	}
	p := &Plan{Target: t, Path: f.target, Before: f.data, After: after, machine: m, previous: previous}
	if rec != nil && rec.Backup != "" {
		if kept, err := os.ReadFile(rec.Backup); err == nil && !bytes.Equal(kept, after) {
			p.Backup = rec.Backup // the comments are only there now
		}
	}
	return p, nil
}

// Uninstall makes the change. When no host is installed any more, the copy of
// the binary goes too; nothing else in the user's directory is touched.
func (p *Plan) Uninstall() error {
	if err := p.writable(); err != nil {
		return err
	}
	if err := p.write(); err != nil {
		return err
	}
	m := p.machine
	if p.previous != nil {
		if p.After == nil {
			removeDirs(p.previous.Dirs)
		}
		if rec := p.previous.record(p.Target.Settings()); rec != nil && rec.Backup != "" && p.Backup == "" {
			os.Remove(rec.Backup)
		}
		if err := os.Remove(m.manifestPath(p.Target, ".json")); err != nil {
			return err
		}
	}
	if left, err := m.Installed(); err == nil && len(left) == 0 {
		m.removeBinary()
	}
	return nil
}

// WasInstalled reports whether there was anything of ours to take out.
func (p *Plan) WasInstalled() bool { return p.previous != nil || p.Changed() }
