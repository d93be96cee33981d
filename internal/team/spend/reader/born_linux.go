package reader

import (
	"time"

	"golang.org/x/sys/unix"
)

// born is when a file was made, or zero. A copy that a fork makes of a session has
// the lines of its parent, and was made later.
func born(name string) time.Time {
	var st unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, name, 0, unix.STATX_BTIME, &st); err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return time.Time{}
	}
	return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec))
}
