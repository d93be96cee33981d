package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ErrOutside is in the error for a name that a link leads out of its root.
var ErrOutside = errors.New("a link leads out of the repository")

// ReadIn is ReadRegular of a file below root: no link on the way to it, or in
// its place, leads out of there. name has slashes.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	fi, err := root.Stat(filepath.FromSlash(name))
	if err == nil && !fi.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return nil, within(root, name, err)
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, within(root, name, err)
	}
	return readAll(f, filepath.Join(root.Name(), name), most)
}

// WriteIn is WriteFile of a file below root. It follows no link at all, neither
// on the way nor in the file's place: who committed the link is not who writes.
// Directories that are missing are made with dirPerm, and what killed writers left
// beside the file is removed.
func WriteIn(root *os.Root, name string, data []byte, dirPerm, perm fs.FileMode) (err error) {
	if err := NoLinks(root, name); err != nil {
		return err
	}
	dir, file := path.Split(name)
	if err := root.MkdirAll(filepath.Clean(filepath.FromSlash(dir)), dirPerm); err != nil {
		return within(root, dir, err)
	}
	if in, err := root.OpenRoot(filepath.Clean(filepath.FromSlash(dir))); err == nil { // what killed writers left there
		removeStale(in, staleAge)
		in.Close()
	}
	if fi, err := root.Lstat(filepath.FromSlash(name)); err == nil {
		if !fi.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", filepath.Join(root.Name(), name))
		}
		perm = fi.Mode().Perm()
	}
	temp := filepath.FromSlash(path.Join(dir, strings.Replace(Temporary, "*", fmt.Sprintf("%s-%08x", file, rand.Uint32()), 1)))
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return within(root, temp, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			_ = root.Remove(temp)
		}
	}()
	if err = fill(f, data, perm, true); err != nil {
		return err
	}
	return root.Rename(temp, filepath.FromSlash(name))
}

// NoLinks refuses a name below root that is a link, or that has one above it.
// What is not there is none.
func NoLinks(root *os.Root, name string) error {
	parts := strings.Split(path.Clean(name), "/")
	for i := range parts {
		part := path.Join(parts[:i+1]...)
		fi, err := root.Lstat(filepath.FromSlash(part))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return within(root, part, err)
		case fi.Mode()&os.ModeSymlink != 0:
			return &fs.PathError{Op: "write", Path: filepath.Join(root.Name(), part), Err: errors.New("is a symbolic link, so nothing is written there")}
		}
	}
	return nil
}

// within names the file as a person knows it, and what os.Root refuses.
func within(root *os.Root, name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if strings.Contains(err.Error(), "path escapes") { // package os exports no error for it
		err = ErrOutside
	}
	return &fs.PathError{Op: "open", Path: filepath.Join(root.Name(), filepath.FromSlash(name)), Err: err}
}
