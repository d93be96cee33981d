// Package project reads and writes a repository's .cairn, and keeps which of
// its files a person trusts.
//
// Who may commit to a repository may write its .cairn, and a clone brings it
// along: its settings, its rules and its team are data until the person who
// works there says otherwise. cairn trust records the SHA-256 of each file;
// any other content is not trusted. What cairn itself writes for the person,
// it records as it writes. A plan in .planning changes with every step: that is
// trusted as a whole, or not. Nothing is read through a link that leads out of
// the repository, and nothing is written through any link.
//
// Edges (cli, config) and team/client import it. It is a leaf beside home and
// atomicfile; it starts no process, and the hook path uses it.
package project

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// Names of the files in .cairn that have an effect once they are trusted.
const (
	Config = "config.toml"
	Team   = "team.json"
	Rules  = "rules" // a directory
)

// ErrUntrusted is in the error for a file that nobody has trusted as it is now.
var ErrUntrusted = errors.New("not trusted")

const (
	dot  = ".cairn"
	most = 1 << 20 // bytes of a file that counts
)

// A Dir is a repository's .cairn.
type Dir struct {
	repo    home.Repo
	home    home.Home
	key     string            // see place
	trusted map[string]string // SHA-256 by name; nil before it is read
	plan    bool              // that of the repository is trusted
}

// Open returns the .cairn of a repository, whether or not there is one. h is
// where trust is kept. It touches nothing.
func Open(h home.Home, repo home.Repo) *Dir { return &Dir{repo: repo, home: h} }

// Find opens the .cairn of the repository that dir is in, nil where there is
// none.
func Find(dir string, getenv func(string) string) *Dir {
	repo := home.FindRepo(dir, getenv)
	if repo == "" {
		return nil
	}
	d := Open(home.Find(getenv), repo)
	if !d.Exists() {
		return nil
	}
	return d
}

// Exists reports whether the repository has a .cairn of its own: not one that
// is the user's.
func (d *Dir) Exists() bool {
	fi, err := os.Stat(d.Path(""))
	if err != nil {
		return false
	}
	users, err := os.Stat(string(d.home))
	return err != nil || !os.SameFile(fi, users)
}

// Path is where a file is, for messages. name has slashes.
func (d *Dir) Path(name string) string {
	return filepath.Join(string(d.repo), dot, filepath.FromSlash(name))
}

// Read reads a regular file of at most so many bytes. Without it the error is
// fs.ErrNotExist.
func (d *Dir) Read(name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(string(d.repo))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return atomicfile.ReadIn(root, path.Join(dot, name), most)
}

// ReadTrusted is Read of a file that has an effect: ErrUntrusted is in the
// error when the person has not trusted its content.
func (d *Dir) ReadTrusted(name string) ([]byte, error) {
	data, err := d.Read(name, most)
	if err == nil && !d.Trusts(name, data) {
		err = &fs.PathError{Op: "read", Path: d.Path(name), Err: ErrUntrusted}
	}
	return data, err
}

// Write writes a file whole.
func (d *Dir) Write(name string, data []byte, dirPerm, perm fs.FileMode) error {
	root, err := os.OpenRoot(string(d.repo))
	if err != nil {
		return err
	}
	defer root.Close()
	return atomicfile.WriteIn(root, path.Join(dot, name), data, dirPerm, perm)
}

// WriteTrusted is Write of a file that the person asked for: it is trusted as
// it is written.
func (d *Dir) WriteTrusted(name string, data []byte, perm fs.FileMode) error {
	if err := d.Write(name, data, home.SharedDir, perm); err != nil {
		return err
	}
	return d.Trust(map[string][]byte{name: data})
}

// Remove removes a file, or a directory with all that is in it. A link is
// removed itself, not what it leads to.
func (d *Dir) Remove(name string) error {
	root, err := os.OpenRoot(string(d.repo))
	if err != nil {
		return err
	}
	defer root.Close()
	if err := atomicfile.NoLinks(root, path.Join(dot, path.Dir(name))); err != nil {
		return err
	}
	return root.RemoveAll(filepath.Join(dot, filepath.FromSlash(name)))
}

// Mkdir makes a directory and returns the path of a file in it, none of which
// is a link: for who has to open the file by its path.
func (d *Dir) Mkdir(name, file string, perm fs.FileMode) (string, error) {
	root, err := os.OpenRoot(string(d.repo))
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := atomicfile.NoLinks(root, path.Join(dot, name, file)); err != nil {
		return "", err
	}
	return d.Path(path.Join(name, file)), root.MkdirAll(filepath.Join(dot, name), perm)
}

// RemoveStale removes the temporary files in a directory of writers that were
// killed.
func (d *Dir) RemoveStale(name string) {
	if root, err := os.OpenRoot(string(d.repo)); err == nil {
		defer root.Close()
		if sub, err := openDir(root, path.Join(dot, name)); err == nil {
			atomicfile.RemoveStaleIn(sub)
			sub.Close()
		}
	}
}

// openDir opens a directory below root. A pipe in its place would wait for its
// writer.
func openDir(root *os.Root, name string) (*os.Root, error) {
	name = filepath.FromSlash(name)
	if fi, err := root.Stat(name); err != nil || !fi.IsDir() {
		return nil, fs.ErrNotExist
	}
	return root.OpenRoot(name)
}
