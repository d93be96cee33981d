//go:build !unix

package atomicfile

import "os"

func create(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

func rename(from, to string) error { return os.Rename(from, to) }
