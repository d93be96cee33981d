package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// moveFree has the system make sure that the new name is free, in one call.
func moveFree(from, to string) error {
	for {
		switch err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE); err {
		case nil:
			return nil
		case unix.EINTR:
		case unix.EINVAL, unix.ENOSYS: // a file system, or a kernel, that does not know how
			return errors.ErrUnsupported
		default:
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
		}
	}
}
