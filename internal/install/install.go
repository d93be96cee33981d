// Package install puts cairn into coding agents and takes exactly that out
// again: the hooks in a host's settings file, the binary they name, and a
// manifest that knows what was there before. It also checks that what was put
// in still works (the doctor's checks).
//
// It is driven by the rows of package host and never asks which host it has.
// Only cli may import it. What the hooks do when called never belongs here.
//
// The order of writes makes a kill at any point harmless: the binary, then the
// manifest with the original bytes, then the settings; on the way out the
// settings, then the manifest, then the binary.
package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/jsonc"
)

// A Machine is where cairn is put in.
type Machine struct {
	Home       home.Home
	Executable string // the running binary, an absolute path
	GOOS       string // as runtime.GOOS
	Getenv     func(string) string
}

// A Target is one host's configuration directory.
type Target struct {
	Host host.Host
	Dir  string // absolute, or "": nobody knows
}

// Settings is the file that registers hooks.
func (t Target) Settings() string { return filepath.Join(t.Dir, filepath.FromSlash(t.Host.Settings)) }

// Variable is the assignment that makes the host use this directory, or "".
func (t Target) Variable() string {
	dir, below := strings.CutSuffix(t.Dir, filepath.Join("/", filepath.FromSlash(t.Host.ConfigDirSub)))
	if t.Host.ConfigDirSub == "" {
		dir, below = t.Dir, true
	}
	if t.Host.ConfigDirEnv == "" || !below {
		return ""
	}
	return t.Host.ConfigDirEnv + "=" + dir
}

// Exists reports whether the host has been used here.
func (t Target) Exists() bool {
	fi, err := os.Stat(t.Dir)
	return err == nil && fi.IsDir()
}

// Target returns where a host keeps its configuration, by its own variable or
// else in the user's home. Without either there is no directory.
func (m Machine) Target(h host.Host) Target {
	dir := home.UserDir(m.Getenv)
	if dir != "" {
		dir = filepath.Join(dir, filepath.FromSlash(h.ConfigDir))
	}
	if h.ConfigDirEnv != "" && m.Getenv(h.ConfigDirEnv) != "" {
		dir = filepath.Join(m.Getenv(h.ConfigDirEnv), filepath.FromSlash(h.ConfigDirSub))
	}
	if abs, err := filepath.Abs(dir); err == nil && dir != "" {
		dir = abs
	}
	return Target{h, dir}
}

// A Plan is a change to one settings file, not yet made.
type Plan struct {
	Target Target
	Path   string // the file to write, symbolic links resolved
	Before []byte // nil: there is no file
	After  []byte // nil: there will be no file
	// Extensions are comments and trailing commas in After for which the
	// host will drop the file whole.
	Extensions []jsonc.Extension
	// Backup is where the text with its comments is kept beside the manifest
	// when After is a plain copy, or "".
	Backup string

	machine  Machine
	manifest *Manifest // what it will be; nil: none
	previous *Manifest
}

// Changed reports whether the settings file will change.
func (p *Plan) Changed() bool {
	return (p.Before == nil) != (p.After == nil) || !bytes.Equal(p.Before, p.After)
}

// PlanInstall works out how t's settings file has to change so that every hook
// of the host's row is registered once. With plain, comments and trailing
// commas go; the manifest keeps them for Uninstall.
func (m Machine) PlanInstall(t Target, plain bool) (*Plan, error) {
	f, err := readSettings(t.Settings())
	if err != nil {
		return nil, err
	}
	previous, err := m.manifest(t)
	if err != nil {
		return nil, err
	}
	rec := previous.record(f.path)
	base, err := f.without(t.Host, rec)
	if err != nil {
		return nil, err
	}
	if t.Host.Own != nil && base != nil {
		return nil, fmt.Errorf("%s: %w", f.path, ErrForeign)
	}
	next := rec.renewed(f, base)
	text := base
	if plain || f.isUntouched(rec) && rec.Backup != "" { // or it was made plain before
		if text, err = f.plain(base); err != nil {
			return nil, err
		}
		if !bytes.Equal(text, base) && next.Backup == "" {
			next.Backup = m.manifestPath(t, backupSuffix)
		}
	}
	after, err := m.fill(&next, f, t.Host, text)
	if err != nil {
		return nil, err
	}
	if t.Host.Own == nil && f.registers(m.registrations(t.Host), commandOf(t.Host, rec)) && (!plain || f.isPlain()) {
		after = f.data // what the user moved around stays where it is
	}
	next.After = digest(after)

	p := &Plan{Target: t, Path: f.target, Before: f.data, After: after, Backup: next.Backup,
		Extensions: extensions(t.Host, after), machine: m, previous: previous}
	p.manifest = &Manifest{Version: manifestVersion, Host: t.Host.Name, ConfigDir: t.Dir, Files: []Record{next}}
	if previous != nil {
		p.manifest.Dirs = previous.Dirs
	}
	return p, nil
}

// fill returns text with what the host's row asks for in it, and notes in
// next how to find that again.
func (m Machine) fill(next *Record, f *settings, h host.Host, text []byte) (after []byte, err error) {
	if h.Own != nil {
		return ownText(h, m.binary()), nil
	}
	want := m.registrations(h)
	next.Commands = commands(want)
	after, next.Containers, err = f.register(text, h.Shape.Version, want)
	return after, err
}

// ErrChanged is a settings file that somebody wrote between plan and change.
var ErrChanged = errors.New("the file was changed by another program just now")

// Install makes the change. On an error everything is as it was.
func (p *Plan) Install() (err error) {
	if err := p.writable(); err != nil {
		return err
	}
	var undo []func()
	defer func() {
		if err != nil {
			for _, f := range slices.Backward(undo) {
				f()
			}
		}
	}()
	undoBinary, err := p.machine.copyBinary()
	if err != nil {
		return err
	}
	undo = append(undo, undoBinary)
	made, err := makeDirs(filepath.Dir(p.Path))
	if err != nil {
		return err
	}
	p.manifest.Dirs = append(p.manifest.Dirs, made...)
	undo = append(undo, func() { removeDirs(made) })
	if rec := p.manifest.Files[0]; rec.Backup != "" && (p.previous.record(rec.Path) == nil || p.previous.record(rec.Path).Backup == "") {
		if err := writePrivate(rec.Backup, rec.Original); err != nil {
			return err
		}
		undo = append(undo, func() { os.Remove(rec.Backup) })
	}
	if err := p.machine.writeManifest(p.Target, p.manifest); err != nil {
		return err
	}
	undo = append(undo, func() { p.machine.restoreManifest(p.Target, p.previous) })
	return p.write()
}

// writable refuses a file that its owner made read-only. A rename would get
// past the mode, but whoever set it meant that nobody edits this file; and
// the answer must not depend on being root.
func (p *Plan) writable() error {
	fi, err := os.Stat(p.Path)
	if p.Changed() && err == nil && fi.Mode().Perm()&0o200 == 0 {
		return &fs.PathError{Op: "write", Path: p.Path, Err: fs.ErrPermission}
	}
	return nil
}

// write changes the settings file, the last step in and the first one out.
func (p *Plan) write() error {
	if !p.Changed() {
		return nil
	}
	now, err := os.ReadFile(p.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if (err != nil) != (p.Before == nil) || !bytes.Equal(now, p.Before) {
		return fmt.Errorf("%s: %w", p.Path, ErrChanged)
	}
	if p.After == nil {
		return os.Remove(p.Path)
	}
	err = atomicfile.WriteFile(p.Path, p.After, home.PrivateFile)
	var path *fs.PathError
	if errors.As(err, &path) && path.Path != p.Path { // nobody knows the temporary file
		return fmt.Errorf("%s: a file cannot be created beside it: %w", p.Path, path.Err)
	}
	return err
}

// makeDirs creates dir and what is missing above it, and returns what it
// created, outermost first.
func makeDirs(dir string) ([]string, error) {
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		missing = append(missing, d)
	}
	slices.Reverse(missing)
	return missing, os.MkdirAll(dir, home.PrivateDir)
}

// removeDirs removes those of dirs that are empty, innermost first.
func removeDirs(dirs []string) {
	for _, d := range slices.Backward(dirs) {
		os.Remove(d)
	}
}

func writePrivate(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), home.PrivateDir); err != nil {
		return err
	}
	return atomicfile.WriteFile(name, data, home.PrivateFile)
}
