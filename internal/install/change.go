package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/jsonc"
)

// A Change is a change to one settings file.
type Change struct {
	Name   string // of the file, as the host has it
	Path   string // the file to write, symbolic links resolved
	Before []byte // nil: there is no file
	After  []byte // nil: there will be no file
	// Hooks is how many hooks of ours will be in it, all of them for a file
	// that is ours wholly.
	Hooks int
	// Declined are members that the row asks for and that stay as the user
	// has them.
	Declined []SetMember
	// Extensions are comments and trailing commas in After for which the
	// host will drop the file whole.
	Extensions []jsonc.Extension
	// Backup is where the text with its comments is kept beside the manifest
	// when After is a plain copy, or "".
	Backup string

	mode fs.FileMode // of a new file
}

// ErrChanged is a file that somebody wrote between plan and change.
var ErrChanged = error(&mistake{"the file was changed by another program just now", "run this again"})

// A mistake is an error with what to do about it.
type mistake struct{ text, hint string }

func (m *mistake) Error() string { return m.text }
func (m *mistake) Hint() string  { return m.hint }

// Changed reports whether the settings file will change.
func (c *Change) Changed() bool {
	return (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After)
}

// writable refuses a file that its owner made read-only. A rename would get
// past the mode, but whoever set it meant that nobody edits this file; and
// the answer must not depend on being root.
func (c *Change) writable() error {
	if !c.Changed() {
		return nil
	}
	return writable(c.Path)
}

func writable(name string) error {
	fi, err := os.Stat(name)
	if err == nil && fi.Mode().Perm()&0o200 == 0 {
		return &fs.PathError{Op: "write", Path: name, Err: fs.ErrPermission}
	}
	return nil
}

// write changes the settings file.
func (c *Change) write() error {
	if !c.Changed() {
		return nil
	}
	return replace(c.Path, c.Before, c.After, c.mode)
}

// replace makes a file of before one of after; nil is no file.
func replace(name string, before, after []byte, mode fs.FileMode) error {
	if err := unchanged(name, before); err != nil {
		return err
	}
	if after == nil {
		return os.Remove(name)
	}
	return readable(name, atomicfile.WriteFile(name, after, mode))
}

// unchanged reports an error when a file is not what it was; nil is no file.
func unchanged(name string, before []byte) error {
	now, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if (err != nil) != (before == nil) || !bytes.Equal(now, before) {
		return fmt.Errorf("%s: %w", name, ErrChanged)
	}
	return nil
}

// readable is an error of a write that names the file and not the temporary
// one, which nobody knows.
func readable(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && path.Path != name {
		return fmt.Errorf("%s: a file cannot be created beside it: %w", name, path.Err)
	}
	return err
}

func writePrivate(name string, data []byte) error {
	return atomicfile.WriteDeep(name, data, home.PrivateDir, home.PrivateFile)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
