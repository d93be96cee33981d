package atomicfile

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// settleAll brings all that the files' file systems were given onto the disk.
func settleAll(files []*Staged) error {
	dirs, settled := map[string]bool{}, map[uint64]bool{}
	for _, s := range files {
		dir := filepath.Dir(s.temp)
		if dirs[dir] {
			continue
		}
		dirs[dir] = true
		if err := settleOnce(dir, settled); err != nil {
			return err
		}
	}
	return nil
}

func settleOnce(dir string, settled map[uint64]bool) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(d.Fd()), &st); err != nil || settled[uint64(st.Dev)] {
		return err
	}
	settled[uint64(st.Dev)] = true
	return unix.Syncfs(int(d.Fd()))
}
