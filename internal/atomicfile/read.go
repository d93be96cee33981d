package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadFile reads a file that a person named, of at most so many bytes; a pipe,
// which a shell makes of <(command), is read to its end. An error names the
// file; of one that is not there it is fs.ErrNotExist.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%s holds more than %s, which is the most that is read", name, size(most))
	}
	return data, nil
}

// ReadRegular is ReadFile of a file that nobody named: anything but a regular
// file in its place is an error at once, for to open a pipe waits for a writer.
func ReadRegular(name string, most int64) ([]byte, error) {
	fi, err := os.Stat(name)
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	return ReadFile(name, most)
}

func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d MB", n>>20)
}
