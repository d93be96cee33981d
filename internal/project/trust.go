package project

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A record is what a person trusts in a repository: a file in ~/.cairn/trust.
type record struct {
	Repository string            `json:"repository"` // see place
	Files      map[string]string `json:"files"`      // SHA-256 by name below .cairn
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (d *Dir) file() string {
	return filepath.Join(d.home.Trust(), hash([]byte(d.place()))[:32]+".json")
}

// place is what trust is kept by: the real path of the repository, or in a
// linked worktree of git that of the main one. A directory that is moved is
// another repository.
func (d *Dir) place() string {
	if d.key == "" {
		d.key = placeOf(string(d.repo))
	}
	return d.key
}

func placeOf(repo string) string {
	real, err := filepath.EvalSymlinks(repo)
	if err != nil {
		return repo
	}
	for dir := real; ; dir = filepath.Dir(dir) {
		fi, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil && fi.Mode().IsRegular() {
			if main := mainTree(dir); main != "" {
				rel, _ := filepath.Rel(dir, real)
				return filepath.Join(main, rel)
			}
		}
		if err == nil || dir == filepath.Dir(dir) {
			return real
		}
	}
}

// mainTree returns the main working tree of a linked one, "" if top is none.
// The file .git of a linked worktree names a directory of the repository's,
// which names that file: an archive that only claims to be a worktree of a
// repository is not named there.
func mainTree(top string) string {
	const small = 4096
	file := filepath.Join(top, ".git")
	text, err := atomicfile.ReadRegular(file, small)
	dir, named := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if dir = strings.TrimSpace(dir); err != nil || !named {
		return ""
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(top, dir)
	}
	back, err := atomicfile.ReadRegular(filepath.Join(dir, "gitdir"), small)
	if err != nil {
		return ""
	}
	of := strings.TrimSpace(string(back))
	if !filepath.IsAbs(of) {
		of = filepath.Join(dir, of)
	}
	a, aerr := os.Stat(of)
	b, berr := os.Stat(file)
	if aerr != nil || berr != nil || !os.SameFile(a, b) {
		return ""
	}
	admin := filepath.Dir(dir) // MAIN/.git/worktrees
	if filepath.Base(admin) != "worktrees" || filepath.Base(filepath.Dir(admin)) != ".git" {
		return ""
	}
	main, err := filepath.EvalSymlinks(filepath.Dir(filepath.Dir(admin)))
	if err != nil {
		return ""
	}
	return main
}

// load reads what is trusted here; a record that cannot be read trusts nothing.
func (d *Dir) load() {
	if d.trusted != nil {
		return
	}
	d.trusted = map[string]string{}
	var r record
	data, err := atomicfile.ReadRegular(d.file(), most)
	if err == nil && json.Unmarshal(data, &r) == nil && r.Repository == d.place() && r.Files != nil {
		d.trusted = r.Files
	}
}

// Trusts reports whether the person trusts a file with this content.
func (d *Dir) Trusts(name string, data []byte) bool {
	d.load()
	return d.trusted[name] == hash(data)
}

// Trust records files as they are now, beside those that are trusted already.
func (d *Dir) Trust(files map[string][]byte) error {
	d.trusted = nil // another process may have written it
	d.load()
	for name, data := range files {
		d.trusted[name] = hash(data)
	}
	return d.save()
}

func (d *Dir) save() error {
	data, err := json.MarshalIndent(record{d.place(), d.trusted}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.home.Trust(), home.PrivateDir); err != nil {
		return err
	}
	return atomicfile.WriteFile(d.file(), append(data, '\n'), home.PrivateFile)
}

// Revoke forgets all that was trusted here, and reports whether anything was.
func (d *Dir) Revoke() (bool, error) {
	d.trusted = nil
	err := os.Remove(d.file())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// A File is one that has an effect once it is trusted.
type File struct {
	Name    string // below .cairn
	Data    []byte
	Err     error // why it cannot be read
	Trusted bool
	Changed bool // it was trusted, with another content
}

// Files returns the settings, the team and the rules of the repository.
func (d *Dir) Files() (files []File) {
	if !d.Exists() {
		return nil
	}
	d.load()
	for _, name := range append([]string{Config, Team}, d.ruleNames()...) {
		f := File{Name: name}
		if f.Data, f.Err = d.Read(name, most); errors.Is(f.Err, fs.ErrNotExist) {
			continue
		}
		known := d.trusted[name]
		f.Trusted = f.Err == nil && known == hash(f.Data)
		f.Changed = known != "" && !f.Trusted
		files = append(files, f)
	}
	return files
}

const maxRules = 500 // as many as package rule reads

func (d *Dir) ruleNames() (names []string) {
	sub, done := d.Sub(Rules)
	defer done()
	if sub == nil {
		return nil
	}
	_ = fs.WalkDir(sub, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case len(names) >= maxRules:
			return fs.SkipAll
		case !e.IsDir() && filepath.Ext(name) == ".json":
			names = append(names, Rules+"/"+name)
		}
		return nil
	})
	return names
}

// A Trusted is a repository in which something is trusted.
type Trusted struct {
	Repository string   `json:"repository"`
	Files      []string `json:"files"`
}

// List returns the repositories in which the person trusts anything.
func List(h home.Home) ([]Trusted, error) {
	entries, err := os.ReadDir(h.Trust())
	if errors.Is(err, fs.ErrNotExist) {
		return []Trusted{}, nil
	}
	list := []Trusted{}
	for _, e := range entries {
		var r record
		data, rerr := atomicfile.ReadRegular(filepath.Join(h.Trust(), e.Name()), most)
		if rerr != nil || json.Unmarshal(data, &r) != nil || r.Repository == "" {
			continue
		}
		t := Trusted{Repository: r.Repository, Files: []string{}}
		for name := range r.Files {
			t.Files = append(t.Files, name)
		}
		slices.Sort(t.Files)
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b Trusted) int { return strings.Compare(a.Repository, b.Repository) })
	return list, err
}
