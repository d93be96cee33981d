package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/git"
	"cairn/internal/home"
)

// A Merge is what became of one text of a user's.
type Merge struct {
	Path string // below the configuration directory, with slashes
	Name string // the installed file
	Kept string // the file with the user's text
	// Conflicts are the places where both changed the same lines, as git
	// shows them; then the installed file was left as it is. Gone: there is
	// no such file of ours any more.
	Conflicts string
	Gone      bool
}

// Reapply merges what a user had made of files of ours in t into those that
// are installed now, the oldest first: three ways, from the text that the user
// edited. Git does the merging.
func (m Machine) Reapply(ctx context.Context, t Target) ([]Merge, error) {
	mf, err := m.Manifest(t)
	if err != nil || mf == nil {
		return nil, err
	}
	backups, err := m.backups()
	if err != nil {
		return nil, err
	}
	var all []Merge
	for _, b := range backups {
		if b.Host != t.Host.Name || b.ConfigDir != t.Dir {
			continue
		}
		for i, f := range b.Files {
			if !f.waits() {
				continue
			}
			merge, err := m.reapply(ctx, t, mf, b, f)
			if err != nil {
				return all, err
			}
			all = append(all, merge)
			if merge.Conflicts != "" || merge.Gone {
				continue
			}
			b.Files[i].Merged = true
			if err := b.write(); err != nil {
				return all, err
			}
		}
	}
	m.dropTexts()
	return all, nil
}

func (m Machine) reapply(ctx context.Context, t Target, mf *Manifest, b *Backup, f BackedUp) (Merge, error) {
	name, err := t.place(f.Path)
	if err != nil {
		return Merge{}, err
	}
	merge := Merge{Path: f.Path, Name: name, Kept: b.Name(f)}
	mine, err := os.ReadFile(merge.Kept)
	if err != nil {
		return merge, err
	}
	theirs, err := readOwn(name)
	if err != nil {
		return merge, err
	}
	if theirs == nil || mf.entry(f.Path) == nil {
		merge.Gone = true
		return merge, nil
	}
	base, err := m.text(f.Base)
	if err != nil {
		return merge, fmt.Errorf("the text that %s was made of is not known any more: %w", merge.Kept, err)
	}
	text, conflicts, err := mergeFile(ctx, m.Home, mine, base, theirs)
	if err != nil {
		return merge, err
	}
	if conflicts {
		merge.Conflicts = conflicting(string(text))
		return merge, nil
	}
	if string(text) == string(theirs) {
		return merge, nil
	}
	if err := errors.Join(writable(name), unchanged(name, theirs)); err != nil {
		return merge, err
	}
	mode, _ := t.modes()
	return merge, readable(name, atomicfile.WriteFile(name, text, mode))
}

// mergeFile runs git merge-file.
func mergeFile(ctx context.Context, h home.Home, mine, base, theirs []byte) (text []byte, conflicts bool, err error) {
	dir, err := os.MkdirTemp(h.Manifests(), "merge-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string][]byte{"mine": mine, "base": base, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), text, home.PrivateFile); err != nil {
			return nil, false, err
		}
	}
	text, err = git.Output(ctx, dir, "merge-file", "-p", "-L", "your edit", "-L", "what you edited", "-L", "what is installed", "mine", "base", "theirs")
	if n := git.Code(err); n > 0 && n < 128 { // the number of conflicts
		return text, true, nil
	}
	return text, false, err
}

// conflicting returns the marked places of a merged text.
func conflicting(text string) string {
	var b strings.Builder
	in := false
	for line := range strings.Lines(text) {
		in = in || strings.HasPrefix(line, "<<<<<<< ")
		if in {
			b.WriteString(line)
		}
		in = in && !strings.HasPrefix(line, ">>>>>>> ")
	}
	return b.String()
}
