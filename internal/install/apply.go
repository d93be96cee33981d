package install

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cairn/internal/atomicfile"
)

// Apply makes the change, in the order that the package comment states. On an
// error everything is as it was. Kept is where the texts are that a user had
// made of files of ours, "" when there were none.
func (p *Plan) Apply() (kept string, err error) {
	m := p.machine
	if err := p.allowed(); err != nil {
		return "", err
	}
	p.sweep()
	if p.manifest == nil {
		return p.takeOut()
	}
	var undo undoing
	defer func() {
		if err != nil {
			undo.run()
		}
	}()
	undoBinary, err := m.copyBinary()
	if err != nil {
		return "", err
	}
	undo.add(undoBinary)
	if p.previous != nil && !p.Changed() && bytes.Equal(p.previous.bytes(), p.manifest.bytes()) {
		return "", nil
	}
	if kept, err = p.keep(&undo); err != nil {
		return "", err
	}
	transition := p.transition()
	if err := m.writeManifest(p.Target, transition); err != nil {
		return "", err
	}
	undo.add(func() { m.restoreManifest(p.Target, p.previous) })
	if err := p.makeDirs(&undo); err != nil {
		return "", err
	}
	if err := p.writeFiles(&undo); err != nil {
		return "", err
	}
	if err := p.writeSettings(&undo); err != nil {
		return "", err
	}
	p.manifest.Dirs = removeDirs(p.manifest.Dirs)
	if !bytes.Equal(transition.bytes(), p.manifest.bytes()) {
		if err := m.writeManifest(p.Target, p.manifest); err != nil {
			return "", err
		}
	}
	m.dropTexts()
	return kept, nil
}

// takeOut is Apply where nothing is to be left. When it is interrupted, the
// manifest still knows the rest.
func (p *Plan) takeOut() (kept string, err error) {
	m := p.machine
	if kept, err = m.backUp(p.Target, p.edited); err != nil {
		return "", err
	}
	var undo undoing
	defer func() {
		if err != nil {
			undo.run()
		}
	}()
	if err := p.writeSettings(&undo); err != nil {
		return "", err
	}
	if err := p.writeFiles(&undo); err != nil {
		return "", err
	}
	if p.previous != nil {
		if err := m.passOn(removeDirs(p.previous.Dirs)); err != nil {
			return "", err
		}
		for _, rec := range p.previous.Files {
			if rec.Backup != "" && !slices.ContainsFunc(p.Settings, func(c *Change) bool { return c.Backup == rec.Backup }) {
				os.Remove(rec.Backup)
			}
		}
		if err := os.Remove(m.manifestPath(p.Target, ".json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	m.dropTexts()
	if left, err := m.Installed(); err == nil && len(left) == 0 {
		m.removeBinary()
	}
	return kept, nil
}

// transition is the manifest while the change goes on: it knows every file
// that may be there, with either text.
func (p *Plan) transition() *Manifest {
	mf := *p.manifest
	mf.Content = slices.Clone(mf.Content)
	for _, f := range p.edited {
		if e := mf.entry(f.Path); e != nil && f.Base == "" {
			e.Was = f.SHA256 // else it is taken for an edit of the new text
		}
	}
	if p.previous == nil {
		return &mf
	}
	for _, old := range p.previous.Content {
		was := cmp.Or(old.Was, old.SHA256)
		if e := mf.entry(old.Path); e == nil {
			mf.Content = append(mf.Content, old)
		} else if e.SHA256 != was && e.Was == "" {
			e.Was = was
		}
	}
	for _, rec := range p.previous.Files {
		if mf.record(rec.Path) == nil {
			mf.Files = append(mf.Files, rec)
		}
	}
	return &mf
}

// allowed refuses what an owner made read-only, before anything is changed.
func (p *Plan) allowed() error {
	for _, c := range p.Settings {
		if err := c.writable(); err != nil {
			return err
		}
	}
	for _, f := range p.Files {
		dir := filepath.Dir(f.Name)
		for !exists(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
		if err := errors.Join(writable(f.Name), writable(dir)); err != nil {
			return err
		}
	}
	return nil
}

// keep keeps the texts that are needed later: what we write, what the user had
// made of it, and settings with their comments.
func (p *Plan) keep(undo *undoing) (string, error) {
	m := p.machine
	undo.add(m.dropTexts)
	for _, f := range p.texts {
		if err := m.keepText(f.Data); err != nil {
			return "", err
		}
	}
	for _, rec := range p.manifest.Files {
		if old := p.previous.record(rec.Path); rec.Backup == "" || old != nil && old.Backup != "" {
			continue
		}
		if err := writePrivate(rec.Backup, rec.Original); err != nil {
			return "", err
		}
		undo.add(func() { os.Remove(rec.Backup) })
	}
	return m.backUp(p.Target, p.edited)
}

func (p *Plan) writeSettings(undo *undoing) error {
	for _, c := range p.Settings {
		if err := c.write(); err != nil {
			return err
		}
		undo.add(func() { _ = replace(c.Path, c.After, c.Before, c.mode) })
	}
	return nil
}

// writeFiles writes and removes the files of content. All of them are written
// beside their places first, so that a full disk is known before one changes.
func (p *Plan) writeFiles(undo *undoing) error {
	mode, _ := p.Target.modes()
	staged := make([]*atomicfile.Staged, len(p.Files))
	var done int
	defer func() {
		for _, s := range staged[done:] {
			if s != nil {
				s.Discard()
			}
		}
	}()
	for i, f := range p.Files {
		if f.After == nil {
			continue
		}
		var err error
		if staged[i], err = atomicfile.Stage(f.Name, f.After, mode); err != nil {
			return readable(f.Name, err)
		}
	}
	for i, f := range p.Files {
		if err := unchanged(f.Name, f.Before); err != nil {
			return err
		}
		done = i + 1
		var err error
		if f.After != nil {
			err = staged[i].Commit()
		} else {
			err = os.Remove(f.Name)
		}
		if err != nil {
			return readable(f.Name, err)
		}
		undo.add(func() { _ = replace(f.Name, f.After, f.Before, mode) })
	}
	return nil
}

// undoing takes back what was done, the last first.
type undoing struct{ steps []func() }

func (u *undoing) add(step func()) { u.steps = append(u.steps, step) }

func (u *undoing) run() {
	for _, step := range slices.Backward(u.steps) {
		step()
	}
}
