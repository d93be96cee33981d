package install

import (
	"os"
	"path/filepath"

	"cairn/internal/home"
)

// The texts that install wrote are kept by their SHA-256: what the user made
// of one is later merged with its successor, and a file with such a text is
// known to be as we left it.

// wrote reports whether a text is one that install wrote; e is the file's
// entry, or nil.
func (m Machine) wrote(text []byte, e *Entry) bool {
	sum := digest(text)
	if e != nil && (sum == e.SHA256 || sum == e.Was) {
		return true
	}
	_, err := m.text(sum)
	return err == nil
}

// text returns a kept text. One that is damaged is as good as none.
func (m Machine) text(sum string) ([]byte, error) {
	name := filepath.Join(m.Home.InstallTexts(), sum)
	data, err := os.ReadFile(name)
	if err == nil && digest(data) != sum {
		err = &os.PathError{Op: "read", Path: name, Err: os.ErrInvalid}
	}
	return data, err
}

// keepText keeps a text. A loss of power may cost it, which a digest shows;
// that is not worth a wait for the disk for every file.
func (m Machine) keepText(text []byte) error {
	dir, sum := m.Home.InstallTexts(), digest(text)
	if kept, err := m.text(sum); err == nil && len(kept) == len(text) {
		return nil
	}
	if err := os.MkdirAll(dir, home.PrivateDir); err != nil {
		return err
	}
	temp := filepath.Join(dir, "."+sum)
	if err := os.WriteFile(temp, text, home.PrivateFile); err != nil {
		os.Remove(temp)
		return err
	}
	return os.Rename(temp, filepath.Join(dir, sum))
}

// dropTexts removes the texts that nothing speaks of any more. A manifest that
// cannot be read keeps them all.
func (m Machine) dropTexts() {
	manifests, err := m.manifests()
	if err != nil {
		return
	}
	used := map[string]bool{}
	for _, mf := range manifests {
		for _, e := range mf.Content {
			used[e.SHA256], used[e.Was] = true, true
		}
	}
	backups, err := m.backups()
	if err != nil {
		return
	}
	for _, b := range backups {
		for _, f := range b.Files {
			used[f.Base] = used[f.Base] || f.waits()
		}
	}
	entries, _ := os.ReadDir(m.Home.InstallTexts())
	for _, e := range entries {
		if !used[e.Name()] {
			os.Remove(filepath.Join(m.Home.InstallTexts(), e.Name()))
		}
	}
	os.Remove(m.Home.InstallTexts()) // only when it is empty
}
