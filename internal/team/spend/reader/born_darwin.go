package reader

import (
	"os"
	"syscall"
	"time"
)

// born is when a file was made, or zero.
func born(name string) time.Time {
	fi, err := os.Stat(name)
	if err != nil {
		return time.Time{}
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}
	}
	return time.Unix(st.Birthtimespec.Unix())
}
