//go:build unix

package server

import "golang.org/x/sys/unix"

// enforcesModes: a file's mode says who may read it.
const enforcesModes = true

// freeBytes is how much this user may still write to a directory's disk.
func freeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

// mostFiles is how many files and connections this process may have open.
func mostFiles() int {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &r) != nil {
		return mostConns
	}
	return int(min(r.Cur, 1<<30))
}
