//go:build unix

package shim

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// identity is the device and inode of what f is, as `stat -c %d:%i` has it.
func identity(f *os.File) string {
	fi, err := f.Stat()
	if err != nil {
		return ""
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}

// minRoom is how much space must be free for a tool to write to our disk
// instead of to the host's. A test wants more than there is.
var minRoom uint64 = 256 << 20

var errNoRoom = errors.New("too little space for the output of a tool")

func roomFor(dir string) error {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return err
	}
	if uint64(st.Bavail)*uint64(st.Bsize) < minRoom {
		return errNoRoom
	}
	return nil
}

// heldByOthers reports whether a process still has f open. The tool and what
// it left behind share our open file description, and a lock belongs to that
// and not to a process: as long as one of them holds it, the file cannot be
// locked through another.
func heldByOthers(f *os.File) (bool, error) {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return false, err
	}
	name := f.Name()
	if err := f.Close(); err != nil {
		return false, err
	}
	second, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer second.Close()
	err = unix.Flock(int(second.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	return errors.Is(err, unix.EWOULDBLOCK), nil
}
