package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cairn/internal/host"
	"cairn/internal/jsonc"
)

// ErrSettings is a settings file that cannot be understood. It was not
// changed.
var ErrSettings = errors.New("settings file cannot be read as JSON")

// A SettingsError says where in which file.
type SettingsError struct {
	Path string
	Line int // from 1
	Err  error
}

func (e *SettingsError) Error() string {
	return fmt.Sprintf("%s:%d: not the JSON that is expected here: %v", e.Path, e.Line, e.Err)
}
func (e *SettingsError) Unwrap() []error { return []error{ErrSettings, e.Err} }

// settings is a settings file as it stands on disk.
type settings struct {
	path   string // as the host names it
	target string // symbolic links resolved
	exists bool
	mode   fs.FileMode
	data   []byte // nil when there is no file
}

func readSettings(path string) (*settings, error) {
	f := &settings{path: path, target: path}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if link, lerr := os.Readlink(path); lerr == nil {
			return nil, fmt.Errorf("%s is a symbolic link to %s, which does not exist", path, link)
		}
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	f.target, f.exists = target, true
	fi, err := os.Stat(target)
	if err != nil {
		return nil, err
	}
	if f.mode = fi.Mode(); !f.mode.IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f.data, err = os.ReadFile(target)
	return f, err
}

// isBlank reports whether a text says nothing: hosts take such a file for {}.
func isBlank(text []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))) == 0
}

func (f *settings) parse(text []byte) (*jsonc.Doc, error) {
	d, err := jsonc.Parse(text)
	var syntax *jsonc.SyntaxError
	if errors.As(err, &syntax) {
		return nil, &SettingsError{f.path, syntax.Line, syntax.Err}
	}
	return d, err
}

// isUntouched reports whether the file is as install left it.
func (f *settings) isUntouched(rec *Record) bool {
	return rec != nil && f.exists && digest(f.data) == rec.After
}

// without returns the text of the file as it would be without us; nil when
// there would be no file.
func (f *settings) without(h host.Host, rec *Record) ([]byte, error) {
	if h.Own != nil {
		return f.withoutOwn(h, rec), nil
	}
	ours := commandOf(h, rec)
	switch {
	case !f.exists:
		return nil, nil
	case f.isUntouched(rec):
		if !rec.Existed {
			return nil, nil
		}
		return bytes.Clone(rec.Original), nil
	case isBlank(f.data) || rec != nil && digest(f.data) == rec.Before:
		return f.data, nil
	}
	d, err := f.parse(f.data)
	if err != nil {
		return nil, err
	}
	if countOurs(d, ours) == 0 {
		return f.data, nil
	}
	var containers []Container
	if rec != nil {
		containers = rec.Containers
	}
	d, err = unregister(d, ours, containers, rec != nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	if rec != nil && saysNothing(d, h.Shape.Version) {
		if !rec.Existed {
			return nil, nil
		}
		if isBlank(rec.Original) {
			return bytes.Clone(rec.Original), nil
		}
	}
	return d.Bytes(), nil
}

// saysNothing reports whether nobody would miss these settings.
func saysNothing(d *jsonc.Doc, version int) bool {
	names := d.Names(nil)
	return len(d.Extensions()) == 0 && (len(names) == 0 || version != 0 && slices.Equal(names, []string{"version"}))
}

func (f *settings) register(text []byte, version int, want []registration) ([]byte, []Container, error) {
	var containers []Container
	if isBlank(text) {
		text = []byte("{}\n")
	}
	d, err := f.parse(text)
	if err != nil {
		return nil, nil, err
	}
	if version != 0 && d.Kind(nil) == '{' && d.Kind(jsonc.Path{"version"}) == 0 { // the host drops a file without it
		if d, err = d.Set(nil, "version", version); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.path, err)
		}
	}
	d, containers, err = register(d, want)
	var shape *shapeError
	if errors.As(err, &shape) {
		return nil, nil, &SettingsError{f.path, shape.line, err}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return d.Bytes(), containers, nil
}

// registers reports whether the file has exactly the registrations wanted,
// wherever they are.
func (f *settings) registers(want []registration, ours func(string) bool) bool {
	if isBlank(f.data) {
		return false
	}
	d, err := f.parse(f.data)
	return err == nil && len(missing(d, want, ours)) == 0 && countOurs(d, ours) == len(want)
}

func (f *settings) isPlain() bool {
	d, err := f.parse(f.data)
	return err == nil && len(d.Extensions()) == 0
}

// plain returns text without comments and trailing commas.
func (f *settings) plain(text []byte) ([]byte, error) {
	if isBlank(text) {
		return text, nil
	}
	d, err := f.parse(text)
	if err != nil {
		return nil, err
	}
	if len(d.Extensions()) == 0 {
		return text, nil
	}
	return d.Plain(), nil
}

// extensions returns what makes the host drop a settings file with this text.
func extensions(h host.Host, text []byte) []jsonc.Extension {
	d, err := jsonc.Parse(text)
	if err != nil || !h.StrictJSON {
		return nil
	}
	return d.Extensions()
}
