package child

import (
	"errors"
	"io/fs"
	"os/exec"
)

// Find looks name up on the PATH of this moment, with the extensions of
// PATHEXT. The error is a *[StartError].
func Find(name string) (string, error) {
	path, err := exec.LookPath(name)
	switch {
	case err == nil, errors.Is(err, exec.ErrDot):
		return path, nil
	case errors.Is(err, fs.ErrPermission):
		return "", startError(name, fs.ErrPermission)
	}
	return "", notFound(name)
}

func startError(path string, err error) error { return &StartError{path, err, 126} }
