package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	data, err := os.ReadFile(m.Executable)
	if err != nil {
		return undo, err
	}
	if lerr == nil && old.Mode().Perm() == home.Executable && has(name, data) {
		return undo, m.recordUpdate(name, data)
	}
	if err := os.MkdirAll(m.Home.BinDir(), home.PrivateDir); err != nil {
		return undo, err
	}
	atomicfile.RemoveStale(m.Home.BinDir()) // each copy that was killed halfway has the size of the binary
	if err := m.recordBinary(name, data); err != nil {
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

// has reports whether a file has just this data; it is compared as it is read,
// for both are large.
func has(name string, data []byte) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	part := make([]byte, 128<<10)
	for {
		n, err := f.Read(part)
		rest, same := bytes.CutPrefix(data, part[:n])
		if data = rest; !same || err != nil {
			return same && err == io.EOF && len(data) == 0
		}
	}
}

func (m Machine) recordBinary(name string, data []byte) error {
	record, err := json.Marshal(binaryCopy{name, digest(data)})
	if err != nil {
		return err
	}
	return writePrivate(m.binaryRecord(), append(record, '\n'))
}

// recordUpdate renews the record of a copy of ours that an update replaced.
func (m Machine) recordUpdate(name string, data []byte) error {
	var record binaryCopy
	if text, err := os.ReadFile(m.binaryRecord()); err != nil || json.Unmarshal(text, &record) != nil ||
		record.Path != name || record.SHA256 == digest(data) {
		return nil
	}
	return m.recordBinary(name, data)
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
