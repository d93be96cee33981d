//go:build unix

package child

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Find looks name up on the PATH of this moment, as a shell does: a name with
// a slash is a path, an empty element of PATH is the working directory, and a
// file that cannot be executed is passed over. The error is a *[StartError].
func Find(name string) (string, error) {
	if strings.Contains(name, "/") {
		return name, startError(name, executable(name))
	}
	err := notFound(name)
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := cmp.Or(dir, ".") + "/" + name
		switch e := executable(path); {
		case e == nil && name != "":
			return path, nil
		case errors.Is(e, unix.EACCES):
			err = startError(path, e)
		}
	}
	return "", err
}

// executable says why path cannot be executed.
func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return unix.EISDIR
	}
	return unix.Access(path, unix.X_OK)
}

// startError gives the failed stat, access or execve of path the exit code
// that a shell gives it.
func startError(path string, err error) error {
	if err == nil {
		return nil
	}
	code := 126
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		code = 127
	}
	var errno unix.Errno
	if errors.As(err, &errno) {
		err = errno // without "stat PATH:" in front, which the name says already
	}
	return &StartError{path, err, code}
}
