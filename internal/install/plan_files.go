package install

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"cairn/internal/host"
	"cairn/internal/install/render"
)

// A FileChange is a change to one file that is ours wholly.
type FileChange struct {
	Path   string // below the configuration directory, with slashes
	Name   string // on this machine
	Before []byte // nil: there is no file
	After  []byte // nil: there will be no file
}

// planFiles plans the content: what is given is there afterwards, and nothing
// else of ours.
func (p *Plan) planFiles(files []render.File) error {
	mode, _ := p.Target.modes()
	p.manifest.Content, p.texts = nil, files
	for _, f := range files {
		name, err := p.Target.place(f.Path)
		if err != nil {
			return err
		}
		e := Entry{Path: f.Path, SHA256: digest(f.Data), Mode: mode}
		if err := p.planContent(name, e, f.Data); err != nil {
			return err
		}
		p.manifest.Content = append(p.manifest.Content, e)
	}
	if p.previous == nil {
		return nil
	}
	for _, e := range p.previous.Content {
		if p.manifest.entry(e.Path) != nil {
			continue
		}
		name, err := p.Target.place(e.Path)
		if err != nil {
			return err
		}
		if err := p.planContent(name, e, nil); err != nil && !errors.Is(err, ErrForeign) { // what is there now is not ours
			return err
		}
	}
	return nil
}

// planContent plans one file: data, or nil to have none.
func (p *Plan) planContent(name string, e Entry, data []byte) error {
	there, err := readOwn(name)
	if err != nil {
		return err
	}
	old := p.previous.entry(e.Path)
	switch {
	case there == nil && data == nil:
		return nil
	case there != nil && data != nil && digest(there) == e.SHA256:
		return nil
	case there == nil || p.machine.wrote(there, old):
	case old == nil && !isOlder(there):
		return fmt.Errorf("%s: %w", name, ErrForeign)
	case old == nil || old.SHA256 == "":
		p.Older = append(p.Older, e.Path)
		p.edited = append(p.edited, editedFile{BackedUp{Path: e.Path, SHA256: digest(there)}, there})
	case data != nil && old.SHA256 == e.SHA256 && old.Was == "":
		p.Kept = append(p.Kept, e.Path)
		return nil
	default:
		p.Edited = append(p.Edited, e.Path)
		p.edited = append(p.edited, editedFile{BackedUp{Path: e.Path, Base: cmp.Or(old.Was, old.SHA256), SHA256: digest(there)}, there})
	}
	p.Files = append(p.Files, FileChange{Path: e.Path, Name: name, Before: there, After: data})
	return nil
}

// isOlder reports whether a text in a place of ours is one that another cairn
// wrote, as a teammate's in a repository: every command and agent of ours calls
// cairn plan.
func isOlder(text []byte) bool { return bytes.Contains(text, []byte("cairn plan ")) }

// readOwn reads a file in a place of ours; nil when there is none.
func readOwn(name string) ([]byte, error) {
	fi, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w: it is a link or a directory", name, ErrForeign)
	}
	data, err := os.ReadFile(name)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// guess is a manifest for a target that has none: the files that are as they
// are given or older, and hooks that are there. Nil when nothing of ours is
// found.
func (m Machine) guess(t Target, files []render.File) *Manifest {
	mf := &Manifest{Version: manifestVersion}
	for _, f := range files {
		name, err := t.place(f.Path)
		if err != nil {
			continue
		}
		e := Entry{Path: f.Path}
		switch data, err := readOwn(name); {
		case err == nil && data != nil && bytes.Equal(data, f.Data):
			e.SHA256 = digest(data)
		case err != nil || !isOlder(data):
			continue
		}
		mf.Content = append(mf.Content, e)
		for dir := path.Dir(f.Path); dir != "." && !strings.HasPrefix(dir, ".."); dir = path.Dir(dir) {
			if at, err := t.place(dir); err == nil && strings.Contains(path.Base(dir), "cairn") && !slices.Contains(mf.Dirs, at) {
				mf.Dirs = append([]string{at}, mf.Dirs...)
			}
		}
	}
	if len(mf.Content) == 0 {
		return nil
	}
	mf.Parts = []host.Part{host.Plan}
	if t.Settings() == "" {
		return mf
	}
	if f, err := readSettings(t.Settings()); err == nil && f.exists {
		if d, err := f.parse(f.data); err == nil && countOurs(d, commandOf(t.Host, nil)) > 0 || t.Host.Own != nil && isOwn(t.Host, f.data) {
			mf.Parts = host.Parts()
		}
	}
	return mf
}
