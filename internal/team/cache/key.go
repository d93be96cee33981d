package cache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// A Source is a file that the cached data depends on, such as a prompt or the
// code that builds one. Name is what counts in the key, so it must be the same
// on every machine; File is where it is here.
type Source struct{ Name, File string }

// keyVersion is part of every key: a change of how keys are made misses.
const keyVersion = "cairn eval cache key 1"

// Key returns 16 hex digits of a SHA-256 over the case's input and the names,
// lengths and contents of the sources. The order of the sources does not
// count, nor does one that is named twice. A source that cannot be read is an
// error: a key without it would find what an older prompt answered.
func Key(c Case, sources []Source) (string, error) {
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b Source) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File))
	})
	sources = slices.Compact(sources)
	h := sha256.New()
	field(h, keyVersion)
	field(h, string(c.input[:]))
	for _, s := range sources {
		content, size, err := digest(s.File)
		if err != nil {
			return "", fmt.Errorf("source %s: %w", s.Name, err)
		}
		field(h, s.Name)
		field(h, strconv.FormatInt(size, 10))
		field(h, string(content))
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// field adds a text with its length, so that nothing slides into the next.
func field(h hash.Hash, text string) {
	fmt.Fprintf(h, "%d:", len(text))
	h.Write([]byte(text))
}

// digest is the SHA-256 of a file, and its length in bytes.
func digest(name string) (sum []byte, size int64, err error) {
	fi, err := os.Stat(name)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err // who asks says which file
		}
		return nil, 0, err
	}
	if !fi.Mode().IsRegular() {
		return nil, 0, errors.New("it is not a regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return h.Sum(nil), size, err
}

// SourcesOf finds the files that a case names, and those that its caller adds,
// which are relative to the directory dir. Of the case's own, one that begins
// with ./ or ../ is relative to caseDir, every other to root, the repository.
// Without a repository root is caseDir.
//
// Names are relative to root, so that a key is the same in every checkout.
func SourcesOf(c Case, caseDir, root string, added []string, dir string) []Source {
	var list []Source
	for _, name := range c.Sources {
		base := root
		if local := filepath.ToSlash(name); local == "." || hasAnyPrefix(local, "./", "../") {
			base = caseDir
		}
		list = append(list, source(name, base, root))
	}
	for _, name := range added {
		list = append(list, source(name, dir, root))
	}
	return list
}

func source(name, base, root string) Source {
	file := filepath.FromSlash(name)
	if !filepath.IsAbs(file) {
		file = filepath.Join(base, file)
	}
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	return Source{filepath.ToSlash(name), file}
}
