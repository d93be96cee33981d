package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/host"
)

// planDirs notes the directories that have to be made.
func (p *Plan) planDirs() {
	need := func(dir string) {
		var missing []string
		for d := dir; !exists(d) && d != filepath.Dir(d) && !slices.Contains(p.dirs, d); d = filepath.Dir(d) {
			missing = append(missing, d)
		}
		slices.Reverse(missing)
		p.dirs = append(p.dirs, missing...)
	}
	for _, c := range p.Settings {
		if c.After != nil && c.Changed() {
			need(filepath.Dir(c.Path))
		}
	}
	for _, f := range p.Files {
		if f.After != nil {
			need(filepath.Dir(f.Name))
		}
	}
	for _, d := range p.dirs {
		if !slices.Contains(p.manifest.Dirs, d) {
			p.manifest.Dirs = append(p.manifest.Dirs, d)
		}
	}
}

func (p *Plan) makeDirs(undo *undoing) error {
	_, mode := p.Target.modes()
	for _, dir := range p.dirs {
		if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		undo.add(func() { os.Remove(dir) })
	}
	return nil
}

// removeDirs removes those of dirs that are empty, innermost first, and
// returns the others.
func removeDirs(dirs []string) []string {
	var left []string
	for _, d := range slices.Backward(dirs) {
		if err := os.Remove(d); err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = append(left, d)
		}
	}
	slices.Reverse(left)
	return left
}

// passOn has other targets below directories that install made take those out,
// as they hold files of theirs still.
func (m Machine) passOn(dirs []string) error {
	manifests, _ := m.manifests()
	for _, dir := range dirs {
		for _, mf := range manifests {
			h, ok := host.Find(mf.Host)
			if !ok || slices.Contains(mf.Dirs, dir) || !strings.HasPrefix(mf.ConfigDir+string(filepath.Separator), dir+string(filepath.Separator)) {
				continue
			}
			mf.Dirs = append([]string{dir}, mf.Dirs...)
			slices.SortStableFunc(mf.Dirs, func(a, b string) int { return len(a) - len(b) }) // outermost first
			if err := m.writeManifest(Target{h, mf.ConfigDir, mf.Root}, mf); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweep removes the temporary files of an install that was killed: under the
// lock no other has any.
func (p *Plan) sweep() {
	dirs := []string{p.machine.Home.Manifests(), p.machine.Home.BinDir()}
	add := func(name string) {
		if dir := filepath.Dir(name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, c := range p.Settings {
		add(c.Path)
	}
	for _, mf := range []*Manifest{p.previous, p.manifest} {
		if mf == nil {
			continue
		}
		for _, rec := range mf.Files {
			add(rec.Target)
		}
		for _, e := range mf.Content {
			if name, err := p.Target.place(e.Path); err == nil {
				add(name)
			}
		}
	}
	for _, dir := range dirs {
		atomicfile.Sweep(dir)
	}
}
