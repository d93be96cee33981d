package merge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/git"
)

// Versions are the files that git gives a merge driver: %O, %A, %B, and the path of
// the document in the repository, %P.
type Versions struct{ Base, Ours, Theirs, Path string }

// Files merges the files and writes the result over ours, as git wants it. It
// returns how many conflicts are in it.
func Files(ctx context.Context, v Versions) (conflicts int, err error) {
	r, _, err := Look(ctx, v)
	if err != nil {
		return 0, err
	}
	return r.Conflicts, atomicfile.WriteFile(v.Ours, r.Data, 0o644)
}

// Look merges the files and writes nothing; before is what ours is.
func Look(ctx context.Context, v Versions) (r Result, before []byte, err error) {
	var data [3][]byte
	for i, name := range []string{v.Base, v.Ours, v.Theirs} {
		if data[i], err = os.ReadFile(name); err != nil {
			return r, nil, err
		}
	}
	lines := GitLines(ctx, filepath.Dir(v.Ours))
	r, err = safely(func() (Result, error) { return Merge(filepath.ToSlash(v.Path), data[0], data[1], data[2], lines) })
	if err != nil { // what git does without us
		r.Data, r.Conflicts, err = lines(data[0], data[1], data[2])
	}
	return r, data[1], err
}

// safely makes an error of a panic: git takes a driver that dies for one that left
// a conflict, and ours for what it left.
func safely(fn func() (Result, error)) (r Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the merge driver failed: %v", p)
		}
	}()
	return fn()
}

// GitLines merges lines by git merge-file.
func GitLines(ctx context.Context, dir string) Lines {
	return func(base, ours, theirs []byte) ([]byte, int, error) {
		at, err := os.MkdirTemp("", "cairn-merge")
		if err != nil {
			return nil, 0, err
		}
		defer func() { _ = os.RemoveAll(at) }()
		args := []string{"merge-file", "-p", "-L", "ours", "-L", "base", "-L", "theirs"}
		for i, b := range [][]byte{ours, base, theirs} {
			name := filepath.Join(at, []string{"ours", "base", "theirs"}[i])
			if err := os.WriteFile(name, b, 0o600); err != nil {
				return nil, 0, err
			}
			args = append(args, name)
		}
		out, err := git.Output(ctx, dir, args...)
		if code := git.Code(err); code > 0 && code < 128 {
			return out, strings.Count("\n"+string(out), "\n<<<<<<< "), nil
		}
		return out, 0, err
	}
}
