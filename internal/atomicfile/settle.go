package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// many is from how many files on it takes less time to bring all that a file
// system was given onto the disk than one file after the other.
const many = 16

// StageUnsynced is Stage for who writes many files at once: it does not look
// each time for what killed writers left, and the files are on the disk only
// after Settle. Commit before that may leave a part after a loss of power.
func StageUnsynced(name string, data []byte, perm fs.FileMode) (*Staged, error) {
	name, perm, err := target(name, perm)
	if err != nil {
		return nil, err
	}
	return stage(name, data, perm, perm&0o200 == 0) // Settle could not open that one
}

// Settle brings files that were staged unsynced onto the disk.
func Settle(files []*Staged) error {
	if len(files) >= many && settleAll(files) == nil {
		return nil
	}
	errs := make([]error, len(files))
	var all sync.WaitGroup
	const workers = 8
	for first := range min(workers, len(files)) {
		all.Go(func() {
			for i := first; i < len(files); i += workers {
				errs[i] = files[i].sync()
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

func (s *Staged) sync() error {
	f, err := os.OpenFile(s.temp, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		return nil // Stage has synced it
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
