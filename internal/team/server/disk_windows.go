package server

import "golang.org/x/sys/windows"

// enforcesModes: access lists, not modes, say who may read a file.
const enforcesModes = false

// freeBytes is how much this user may still write to a directory's disk.
func freeBytes(dir string) (int64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(free), nil
}

// mostFiles is how many files and connections this process may have open; here
// memory is the only bound.
func mostFiles() int { return 2 * mostConns }
