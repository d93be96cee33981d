package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// Move gives a file or a directory another name, which must be free; the other
// spelling of its own name is, where the system does not tell the two apart.
func Move(from, to string) error {
	err := moveFree(from, to)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		if _, err := os.Lstat(to); err == nil && !sameFile(from, to) {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
		}
	case !errors.Is(err, fs.ErrExist) || !sameFile(from, to):
		return err
	}
	return os.Rename(from, to)
}

func sameFile(a, b string) bool {
	one, err := os.Lstat(a)
	two, err2 := os.Lstat(b)
	return errors.Join(err, err2) == nil && os.SameFile(one, two)
}
