package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"cairn/internal/config"
	"cairn/internal/project"
	"cairn/internal/team/link"
)

// writeLink writes team.json and keeps it out of git: the server is of this
// machine alone, and to others the file would name a server of their own. The
// pattern goes to .git/info/exclude, which is never committed, and goes first.
func (u *up) writeLink(ctx context.Context) error {
	if err := link.Exclude(u.repo, true); err != nil && !isReadOnly(err) {
		return fmt.Errorf("it is not written, as it would not be kept out of git: %w", err)
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
