package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A Backup is what a user had made of files of ours in one target when a newer
// text took their place: ~/.cairn/install/edited/TIME/HOST-HASH/PATH, with
// HOST-HASH.json beside that directory.
type Backup struct {
	Host      string     `json:"host"`
	ConfigDir string     `json:"config_dir"`
	Files     []BackedUp `json:"files"`

	dir string // the directory with the texts
}

// A BackedUp is one file of a backup.
type BackedUp struct {
	Path   string `json:"path"`             // below the configuration directory, with slashes
	Base   string `json:"base"`             // SHA-256 of the text that the user edited; "": not known, and nothing to merge
	SHA256 string `json:"sha256"`           // of the user's text
	Merged bool   `json:"merged,omitempty"` // it is in the installed file again
}

type editedFile struct {
	BackedUp
	text []byte
}

// waits reports whether the user's text is to be merged.
func (f BackedUp) waits() bool { return !f.Merged && f.Base != "" }

// Name is the file with a user's text.
func (b *Backup) Name(f BackedUp) string { return filepath.Join(b.dir, filepath.FromSlash(f.Path)) }

// backUp keeps users' texts before they go, and returns where. What was kept
// before (by an install that was killed) is not kept again.
func (m Machine) backUp(t Target, files []editedFile) (string, error) {
	all, err := m.backups()
	if err != nil {
		return "", err
	}
	where := ""
	files = slices.DeleteFunc(slices.Clone(files), func(f editedFile) bool {
		for _, b := range all {
			if b.ConfigDir == t.Dir && b.Host == t.Host.Name && slices.ContainsFunc(b.Files, func(k BackedUp) bool {
				return k.Path == f.Path && k.SHA256 == f.SHA256 && !k.Merged
			}) {
				where = b.dir
				return true
			}
		}
		return false
	})
	if len(files) == 0 {
		return where, nil
	}
	at := time.Now().UTC().Format("20060102T150405Z")
	b := &Backup{Host: t.Host.Name, ConfigDir: t.Dir}
	for n := 1; ; n++ {
		b.dir = filepath.Join(m.Home.InstallEdited(), at, t.name())
		if n > 1 {
			b.dir = filepath.Join(m.Home.InstallEdited(), fmt.Sprintf("%s-%d", at, n), t.name())
		}
		if !exists(b.dir) {
			break
		}
	}
	for _, f := range files {
		if err := writePrivate(b.Name(f.BackedUp), f.text); err != nil {
			return "", err
		}
		b.Files = append(b.Files, f.BackedUp)
	}
	return b.dir, b.write()
}

func (b *Backup) write() error {
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(b.dir+".json", append(data, '\n'))
}

// backups returns every backup, the oldest first.
func (m Machine) backups() ([]*Backup, error) {
	names, _ := filepath.Glob(filepath.Join(m.Home.InstallEdited(), "*", "*.json"))
	slices.Sort(names)
	var all []*Backup
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		b := &Backup{dir: name[:len(name)-len(".json")]}
		if err := json.Unmarshal(data, b); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, b)
	}
	return all, nil
}

// Waiting returns the files of t whose user's text waits to be merged, the
// oldest first.
func (m Machine) Waiting(t Target) []string {
	all, _ := m.backups()
	var paths []string
	for _, b := range all {
		for _, f := range b.Files {
			if b.Host == t.Host.Name && b.ConfigDir == t.Dir && f.waits() && !slices.Contains(paths, f.Path) {
				paths = append(paths, f.Path)
			}
		}
	}
	return paths
}
