//go:build unix

package gstack

import (
	"os"
	"syscall"
)

// mineByOwner reports whether a file is of this user: in a directory for all,
// anybody may have put it there.
func mineByOwner(path string) bool {
	fi, err := os.Lstat(path)
	if err != nil {
		return false
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}
