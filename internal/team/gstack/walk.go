package gstack

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/atomicfile"
)

const (
	linkWhy   = "a symbolic link, which is not followed"
	mostLine  = 1 << 20 // bytes of a line of a log
	mostFile  = 8 << 20 // of a file with one record
	mostDepth = 6       // of directories of results
)

// dir returns a directory below base if it is there. Base may be a link, for a
// person named it; what is in it may not: it could lead anywhere, or in circles.
func (im *importer) dir(kind Kind, base string, names ...string) (string, bool) {
	if base == "" {
		return "", false
	}
	path := base
	fi, err := os.Stat(path)
	for _, name := range names {
		if err != nil || !fi.IsDir() {
			break
		}
		path = filepath.Join(path, name)
		fi, err = os.Lstat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false
	case err != nil:
		im.report.bad(kind, path, 0, reason(err))
	case fi.Mode()&fs.ModeSymlink != 0:
		im.report.left(Left{Kind: kind, Path: path, Why: linkWhy})
	case !fi.IsDir():
		im.report.bad(kind, path, 0, "this must be a directory")
	default:
		return path, true
	}
	return "", false
}

// list returns what is in a directory, by name.
func (im *importer) list(kind Kind, dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		im.report.bad(kind, dir, 0, reason(err))
	}
	return entries
}

// file returns a file in a directory if it is there, whatever it is; no
// directory has none.
func (im *importer) file(dir, name string) (string, bool) {
	if dir == "" {
		return "", false
	}
	path := filepath.Join(dir, name)
	_, err := os.Lstat(path)
	return path, err == nil
}

// open opens a regular file; what is none is told.
func (im *importer) open(kind Kind, path string, most int64) *os.File {
	fi, err := os.Lstat(path)
	switch {
	case err != nil:
		im.report.bad(kind, path, 0, reason(err))
	case fi.Mode()&fs.ModeSymlink != 0:
		im.report.left(Left{Kind: kind, Path: path, Why: linkWhy})
	case !fi.Mode().IsRegular():
		im.report.bad(kind, path, 0, "not a regular file")
	case fi.Size() > most:
		im.report.bad(kind, path, 0, fmt.Sprintf("%d MB; at most %d MB are read", fi.Size()>>20, most>>20))
	default:
		f, err := os.Open(path)
		if err == nil {
			return f
		}
		im.report.bad(kind, path, 0, reason(err))
	}
	return nil
}

// read reads a regular file; ok is false when the report says why not.
func (im *importer) read(kind Kind, path string, most int64) (data []byte, ok bool) {
	f := im.open(kind, path, most)
	if f == nil {
		return nil, false
	}
	f.Close()
	data, err := atomicfile.ReadRegular(path, most)
	if err != nil {
		im.report.bad(kind, path, 0, reason(err))
	}
	return data, err == nil
}

// lines calls do for each line of a log of any size.
func (im *importer) lines(kind Kind, path string, do func(n int, line []byte)) {
	f := im.open(kind, path, 1<<62)
	if f == nil {
		return
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	var line []byte
	for n, long := 1, false; ; {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > mostLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			im.report.bad(kind, path, n, reason(err))
			return
		}
		switch text := bytes.TrimSpace(line); {
		case long:
			im.report.bad(kind, path, n, fmt.Sprintf("a line of more than %d MB", mostLine>>20))
		case len(text) > 0:
			do(n, text)
		}
		if err != nil {
			return
		}
		line, long = line[:0], false
		n++
	}
}

// reason is what the system says, without the path.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return strings.ToLower(err.Error())
}
