package project

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A record is what a person trusts in a repository: a file in ~/.cairn/trust.
type record struct {
	Repository string            `json:"repository"` // see place
	Plan       bool              `json:"plan,omitempty"`
	Files      map[string]string `json:"files"` // SHA-256 by name below .cairn
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
	d.trusted, d.plan = map[string]string{}, false
	var r record
	data, err := atomicfile.ReadRegular(d.file(), most)
	if err == nil && json.Unmarshal(data, &r) == nil && r.Repository == d.place() && r.Files != nil {
		d.trusted, d.plan = r.Files, r.Plan
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

// TrustsPlan reports whether the person trusts the plan that is in this
// directory. A plan changes with every step, so that is trust in who writes it,
// and not in a content.
func (d *Dir) TrustsPlan() bool {
	d.load()
	return d.plan
}

// TrustPlan records that the person trusts the plan.
func (d *Dir) TrustPlan() error {
	d.trusted = nil // another process may have written it
	d.load()
	if d.plan {
		return nil
	}
	d.plan = true
	return d.save()
}

func (d *Dir) save() error {
	data, err := json.MarshalIndent(record{d.place(), d.plan, d.trusted}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteDeep(d.file(), append(data, '\n'), home.PrivateDir, home.PrivateFile)
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
		if f := d.look(name); !errors.Is(f.Err, fs.ErrNotExist) {
			files = append(files, f)
		}
	}
	return files
}

// TrustedRules returns the rules that the person trusts. It looks at no others,
// however many there are.
func (d *Dir) TrustedRules() (rules []File) {
	d.load()
	for _, name := range slices.Sorted(maps.Keys(d.trusted)) {
		if !strings.HasPrefix(name, Rules+"/") {
			continue
		}
		if f := d.look(name); f.Trusted {
			rules = append(rules, f)
		}
	}
	return rules
}

func (d *Dir) look(name string) File {
	f := File{Name: name}
	limit := int64(most)
	if strings.HasPrefix(name, Rules+"/") {
		limit = mostRule
	}
	f.Data, f.Err = d.Read(name, limit)
	known := d.trusted[name]
	f.Trusted = f.Err == nil && known == hash(f.Data)
	f.Changed = known != "" && !f.Trusted
	return f
}

// Limits on where rules are looked for. Nobody trusts them yet, and a directory
// that a stranger filled must not make anything slow.
const (
	maxRules   = 500
	mostRule   = 64 << 10 // bytes
	maxDepth   = 3
	maxEntries = 5000 // of all directories
)

// ruleNames returns the files of rules: of each directory, whose entries come in
// no order, what is found within the limits.
func (d *Dir) ruleNames() (names []string) {
	top, err := os.OpenRoot(string(d.repo))
	if err != nil {
		return nil
	}
	defer top.Close()
	left := maxEntries
	var walk func(name string, depth int)
	walk = func(name string, depth int) {
		sub, err := openDir(top, path.Join(dot, name))
		if err != nil {
			return
		}
		defer sub.Close()
		dir, err := sub.Open(".")
		if err != nil {
			return
		}
		defer dir.Close()
		entries, _ := dir.ReadDir(left + 1)
		left -= len(entries)
		for _, e := range entries {
			at := path.Join(name, e.Name())
			switch {
			case e.IsDir() && depth > 1 && left > 0:
				walk(at, depth-1)
			case !e.IsDir() && path.Ext(at) == ".json" && len(names) < maxRules:
				names = append(names, at)
			}
		}
	}
	walk(Rules, maxDepth)
	slices.Sort(names)
	return names
}

// A Trusted is a repository in which something is trusted.
type Trusted struct {
	Repository string   `json:"repository"`
	Plan       bool     `json:"plan,omitempty"`
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
		t := Trusted{Repository: r.Repository, Plan: r.Plan, Files: []string{}}
		for name := range r.Files {
			t.Files = append(t.Files, name)
		}
		slices.Sort(t.Files)
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b Trusted) int { return strings.Compare(a.Repository, b.Repository) })
	return list, err
}
