package usage

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"

	"cairn/internal/home"
)

// earlier is what the name of the file before has more than that of the file.
// Of the two, each has at most maxFile bytes and an entry: about 100,000 outputs.
const (
	earlier = ".1"
	maxFile = 32 << 20
)

// rotate begins a new file in place of one that is full, and the file before it
// is gone. Whoever adds a line at this moment has it in one of the two: a file
// that is open keeps its lines by its new name.
func rotate(name string, most int64) error {
	if !full(name, most) {
		return nil
	}
	lock := flock.New(name+".lock", flock.SetPermissions(home.PrivateFile))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return err // somebody else does it
	}
	defer lock.Unlock()
	if !full(name, most) {
		return nil
	}
	if err := os.Rename(name, name+earlier); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func full(name string, most int64) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.Size() >= most
}
