package git

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ExcludeFile is the file of patterns that only this clone ignores, which is
// never committed: .git/info/exclude, of all working trees together.
func ExcludeFile(top string) string {
	_, common := Dir(top)
	return filepath.Join(common, "info", "exclude")
}

// Exclude returns what the file of patterns is with one line more; the same
// where it has that.
func Exclude(data []byte, pattern string) []byte {
	if hasLine(data, pattern) {
		return data
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(bytes.Clone(data), '\n')
	}
	return append(bytes.Clone(data), pattern+"\n"...)
}

// Include returns what it is without that line.
func Include(data []byte, pattern string) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if string(bytes.TrimSpace(line)) != pattern {
			out = append(out, line...)
		}
	}
	return out
}

func hasLine(data []byte, text string) bool {
	for line := range bytes.Lines(data) {
		if string(bytes.TrimSpace(line)) == text {
			return true
		}
	}
	return false
}

// Excluded reads the file of patterns; one that is not there is empty.
func Excluded(top string) ([]byte, error) {
	data, err := os.ReadFile(ExcludeFile(top))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Tracked reports whether a file is part of what is committed, or will be.
func Tracked(ctx context.Context, top, file string) bool {
	_, err := Run(ctx, top, "ls-files", "--error-unmatch", "--", file)
	return err == nil
}
