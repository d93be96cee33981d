package install

import (
	"bytes"
	"encoding/json"
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
var ErrSettings = error(&mistake{"settings file cannot be read as JSON", "correct that line, then run this again; the file was not changed"})

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
		return f, leadsNowhere(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.target, f.exists = target, true
	fi, err := os.Stat(target)
	if err != nil {
		return nil, err
	}
	if f.mode = fi.Mode(); !f.mode.IsRegular() {
		return nil, fmt.Errorf("%s: %w: it is a directory or a device", path, ErrForeign)
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
// there would be no file. Members are those that may be ours.
func (f *settings) without(h host.Host, rec *Record, members []SetMember) ([]byte, error) {
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
	if countOurs(d, ours) == 0 && countMembers(d, members, ours) == 0 {
		return f.data, nil
	}
	var containers []Container
	if rec != nil {
		containers = rec.Containers
	}
	d, err = unregister(d, ours, members, containers, rec != nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	if at := (jsonc.Path{"version"}); rec != nil && rec.Version != 0 && d.Number(at) == float64(rec.Version) && f.hasHooksOf(d, rec.Original) {
		if d, err = d.Remove(at); err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
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

// hasHooksOf reports whether d has just the hooks of the original: then nobody
// added one since that needs what we set for ours.
func (f *settings) hasHooksOf(d *jsonc.Doc, original []byte) bool {
	var before, now []byte
	if v, ok := d.Value(hooksPath); ok {
		now, _ = json.Marshal(v)
	}
	if o, err := f.parse(original); err == nil {
		if v, ok := o.Value(hooksPath); ok {
			before, _ = json.Marshal(v)
		}
	}
	return bytes.Equal(before, now)
}

// saysNothing reports whether nobody would miss these settings.
func saysNothing(d *jsonc.Doc, version int) bool {
	names := d.Names(nil)
	return len(d.Extensions()) == 0 && (len(names) == 0 || version != 0 && slices.Equal(names, []string{"version"}))
}

// filled is a settings file with what a target asks for in it.
type filled struct {
	text       []byte
	members    []SetMember // that are set
	declined   []SetMember // that stay as the user has them
	containers []Container
	version    int
}

// register adds to a text of the file, which has nothing of ours, what is
// wanted. Choose says which members are.
func (f *settings) register(text []byte, version int, want []registration, choose func(*jsonc.Doc) (set, declined []SetMember)) (filled, error) {
	had := text
	if isBlank(text) {
		text = []byte("{}\n")
	}
	d, err := f.parse(text)
	if err != nil {
		return filled{}, err
	}
	var out filled
	out.members, out.declined = choose(d)
	if len(want)+len(out.members) == 0 {
		out.text = had
		return out, nil
	}
	if version != 0 && d.Kind(nil) == '{' && d.Kind(jsonc.Path{"version"}) == 0 { // the host drops a file without it
		if d, err = d.Set(nil, "version", version); err != nil {
			return out, fmt.Errorf("%s: %w", f.path, err)
		}
		out.version = version
	}
	d, out.containers, err = register(d, want, out.members)
	var shape *shapeError
	if errors.As(err, &shape) {
		return out, &SettingsError{f.path, shape.line, err}
	}
	if err != nil {
		return out, fmt.Errorf("%s: %w", f.path, err)
	}
	out.text = d.Bytes()
	return out, nil
}

// registers reports whether the file has exactly the registrations and the
// members wanted, wherever they are. Known are the members that may be ours.
func (f *settings) registers(want []registration, members, known []SetMember, ours func(string) bool) bool {
	if isBlank(f.data) {
		return false
	}
	d, err := f.parse(f.data)
	if err != nil || len(missing(d, want, ours)) > 0 || countOurs(d, ours) != len(want) {
		return false
	}
	n := count(members, func(k SetMember) bool { return same(d, k) })
	return n == len(members) && countMembers(d, known, ours) == n
}

func countMembers(d *jsonc.Doc, known []SetMember, ours func(string) bool) int {
	return count(known, func(k SetMember) bool { return k.isOurs(d, ours) })
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
