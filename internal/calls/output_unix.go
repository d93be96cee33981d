//go:build unix

package calls

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// identity is the device and inode of a regular file, as `stat -c %d:%i` has
// it; "" of anything else.
func identity(f *os.File) string {
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		return ""
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}

// reopen opens the file at name for reading and writing anywhere, nil if that
// is not what out writes to. Only a file that everybody appends to can be made
// shorter: at any other, each writer goes on where it was.
func reopen(out *os.File, name string) (*os.File, error) {
	flags, err := unix.FcntlInt(out.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_APPEND == 0 {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS) {
		return nil, nil // a sandbox around the command
	}
	if err != nil {
		return nil, err
	}
	if identity(f) != identity(out) {
		f.Close()
		return nil, nil
	}
	return f, nil
}
