//go:build unix

package atomicfile

import (
	"os"
	"syscall"
)

// create makes a new file. It asks the system directly: os.OpenFile would try to
// wait for the file's events, five calls more, and a large change writes thousands.
func create(name string) (*os.File, error) {
	for {
		fd, err := syscall.Open(name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC, 0o600)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), name), nil
		case syscall.EINTR:
		default:
			return nil, &os.PathError{Op: "open", Path: name, Err: err}
		}
	}
}

// rename puts a file in the place of another. os.Rename would first look whether
// there is a directory, which the system refuses to replace by a file anyway.
func rename(from, to string) error {
	for {
		switch err := syscall.Rename(from, to); err {
		case nil:
			return nil
		case syscall.EINTR:
		default:
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
		}
	}
}
