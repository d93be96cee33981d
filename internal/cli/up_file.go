package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"cairn/internal/atomicfile"
	"cairn/internal/config"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/project"
)

// writeLink writes team.json and keeps it out of git: the server is of this
// machine alone, and to others the file would name a server of their own. The
// pattern goes to .git/info/exclude, which is never committed, and goes first.
func (u *up) writeLink(ctx context.Context) error {
	if top, ok := git.Top(string(u.repo)); ok {
		if err := exclude(top, u.repo, true); err != nil && !isReadOnly(err) {
			return fmt.Errorf("it is not written, as it would not be kept out of git: %w", err)
		}
	}
	err := config.WriteTeam(project.Open(u.home, u.repo), u.team)
	if isReadOnly(err) {
		return errors.New("the repository cannot be written to")
	}
	return err
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// exclude has this clone ignore the repository's team.json, or no longer.
func exclude(top string, repo home.Repo, ignore bool) error {
	rel, err := filepath.Rel(top, repo.Team())
	if err != nil {
		return err
	}
	pattern := "/" + filepath.ToSlash(rel)
	was, err := git.Excluded(top)
	if err != nil {
		return err
	}
	is := git.Include(was, pattern)
	if ignore {
		is = git.Exclude(was, pattern)
	}
	if string(is) == string(was) {
		return nil
	}
	name := git.ExcludeFile(top)
	if err := os.MkdirAll(filepath.Dir(name), home.SharedDir); err != nil {
		return err
	}
	return atomicfile.WriteFile(name, is, home.SharedFile)
}
