package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// Binary is the path that hooks and prompts call. It is a copy, so that hooks live on when
// the binary that ran `cairn install` goes (`go run`, a package manager).
func (m Machine) Binary() string {
	name := "cairn"
	if m.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(m.Home.BinDir(), name)
}

// binaryRecord is the file that says which copy is ours.
func (m Machine) binaryRecord() string { return filepath.Join(m.Home.Manifests(), "binary.json") }

type binaryCopy struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// KeepBinary puts the running binary where hooks find it, for a process that has
// to live on when the binary that ran goes, too.
func (m Machine) KeepBinary(ctx context.Context) error {
	release, err := m.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = m.copyBinary()
	return err
}

// DropBinary removes that copy unless something is installed that calls it.
func (m Machine) DropBinary(ctx context.Context) error {
	release, err := m.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	if there, err := m.Installed(); err != nil || len(there) > 0 {
		return err
	}
	m.removeBinary()
	return nil
}

// copyBinary puts the running binary where hooks find it, and returns how to
// undo that. A symbolic link there is the user's own arrangement and stays.
func (m Machine) copyBinary() (undo func(), err error) {
	undo = func() {}
	name := m.Binary()
	old, lerr := os.Lstat(name)
	if lerr == nil && !old.Mode().IsRegular() {
		return undo, nil
	}
	if lerr == nil && old.Mode().Perm() == home.Executable && sameFile(name, m.Executable) {
		return undo, m.recordUpdate(name)
	}
	data, err := os.ReadFile(m.Executable)
	if err != nil {
		return undo, err
	}
	if err := os.MkdirAll(m.Home.BinDir(), home.PrivateDir); err != nil {
		return undo, err
	}
	atomicfile.RemoveStale(m.Home.BinDir()) // each copy that was killed halfway has the size of the binary
	if err := m.recordBinary(name, digest(data)); err != nil {
		return undo, err
	}
	if err := atomicfile.WriteFile(name, data, home.Executable); err != nil {
		return undo, err
	}
	if lerr != nil {
		undo = m.removeBinary
	}
	return undo, os.Chmod(name, home.Executable)
}

// sameFile reports whether two files have the same bytes; they are compared as they
// are read, for both are large.
func sameFile(a, b string) bool {
	f, err := os.Open(a)
	if err != nil {
		return false
	}
	defer f.Close()
	g, err := os.Open(b)
	if err != nil {
		return false
	}
	defer g.Close()
	fi, ferr := f.Stat()
	gi, gerr := g.Stat()
	if ferr != nil || gerr != nil || fi.Size() != gi.Size() {
		return false
	}
	if os.SameFile(fi, gi) {
		return true
	}
	x, y := make([]byte, 128<<10), make([]byte, 128<<10)
	for {
		n, err := io.ReadFull(f, x)
		k, kerr := io.ReadFull(g, y)
		if !bytes.Equal(x[:n], y[:k]) || !errors.Is(kerr, err) {
			return false
		}
		if err != nil {
			return err == io.EOF || err == io.ErrUnexpectedEOF
		}
	}
}

func (m Machine) recordBinary(name, sum string) error {
	record, err := json.Marshal(binaryCopy{name, sum})
	if err != nil {
		return err
	}
	return writePrivate(m.binaryRecord(), append(record, '\n'))
}

// recordUpdate renews the record of a copy of ours that an update replaced.
func (m Machine) recordUpdate(name string) error {
	var record binaryCopy
	if text, err := os.ReadFile(m.binaryRecord()); err != nil || json.Unmarshal(text, &record) != nil || record.Path != name {
		return nil
	}
	sum, err := digestOf(name)
	if err != nil || sum == record.SHA256 {
		return err
	}
	return m.recordBinary(name, sum)
}

// removeBinary removes the copy, if it is still the one that install made, and
// the directories that are empty then.
func (m Machine) removeBinary() {
	var record binaryCopy
	data, err := os.ReadFile(m.binaryRecord())
	if err == nil && json.Unmarshal(data, &record) == nil {
		if now, err := digestOf(record.Path); err == nil && now == record.SHA256 {
			os.Remove(record.Path)
		}
		os.Remove(m.binaryRecord())
	}
	atomicfile.RemoveStale(m.Home.BinDir())
	atomicfile.RemoveStale(m.Home.Manifests())
	removeDirs([]string{string(m.Home), m.Home.Manifests(), m.Home.BinDir()})
}

// digestOf is digest of a file, which is not read into memory as a whole.
func digestOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
