package git

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// Ignore has this clone ignore a pattern, or no longer, by the file that is never
// committed: .git/info/exclude, of all working trees together.
func Ignore(top, pattern string, on bool) error {
	_, common := Dir(top)
	name := filepath.Join(common, "info", "exclude")
	was, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var is []byte
	for line := range bytes.Lines(was) {
		if ours := string(bytes.TrimSpace(line)) == pattern; !ours {
			is = append(is, line...)
		} else if on {
			return nil
		}
	}
	if on && len(is) > 0 && is[len(is)-1] != '\n' {
		is = append(is, '\n')
	}
	if on {
		is = append(is, pattern+"\n"...)
	}
	if bytes.Equal(is, was) {
		return nil
	}
	return atomicfile.WriteDeep(name, is, home.SharedDir, home.SharedFile)
}

// Tracked reports whether a file is part of what is committed, or will be.
func Tracked(ctx context.Context, top, file string) bool {
	_, err := Run(ctx, top, "ls-files", "--error-unmatch", "--", file)
	return err == nil
}
