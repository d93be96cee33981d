package host

import (
	"bytes"
	"io"
	"iter"
	"os"
)

// How much of the end of a session's record is read: first a little, since the
// line that is looked for is nearly always one of the last.
const (
	shortTail = 32 << 10
	longTail  = 256 << 10
)

// lookBack looks for something in the end of a file, first in a short one.
func lookBack(name string, find func(tail []byte) bool) bool {
	if !isRegular(name) {
		return false
	}
	for _, size := range []int64{shortTail, longTail} {
		tail, err := fileTail(name, size)
		if err != nil {
			return false
		}
		if find(tail) {
			return true
		}
		if int64(len(tail)) < size {
			break
		}
	}
	return false
}

// lastFirst are the lines of a text with their ends, the last one first.
func lastFirst(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			start := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1
			if !yield(text[start:]) {
				return
			}
			text = text[:start]
		}
	}
}

// fileTail returns at most n bytes of the end of a file.
func fileTail(name string, n int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(max(0, size-n), io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, n))
}

// isRegular reports whether there is a file: to open a pipe could last forever.
func isRegular(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.Mode().IsRegular()
}
